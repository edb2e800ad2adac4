import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../command.mts';
import { root } from '../root.mts';
import { installDependencies } from '../setup/dependencies.mjs';
import { provideNode } from '../setup/toolchain.mjs';
import { nodeFor, readRelease, type Release } from './release.mts';

/** The version that npm installs if none is named. */
export async function findLatestVersion(): Promise<string> {
	return (await runNpm('view', 'n8n@latest', 'version')).trim();
}

type Needs = {
	/** The major version of the Node to run it on. By default the one that suits this n8n. */
	node?: number;
	/** Versions of what it depends on. */
	pins?: Record<string, string>;
};

/** Installs a version of n8n into .cache, unless that was done already. */
export async function installN8n(version: string, { node, pins }: Needs = {}): Promise<Release> {
	const folder = join(root, '.cache/compat', version);
	mkdirSync(folder, { recursive: true });
	describeWorkspace(folder, version, pins);
	const title = `Installing n8n ${version} (takes minutes the first time)`;
	await installDependencies(root, { folder, title });
	return readRelease(folder, await provideNode(root, node ?? nodeFor(folder)));
}

/** n8n gets what its users got on the day it was released: the same today and tomorrow, without a lock file. */
function describeWorkspace(folder: string, version: string, pins: Needs['pins']): void {
	const manifest = { name: 'n8n-for-tests', private: true, dependencies: { n8n: version } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	const workspace = {
		resolutionMode: 'time-based',
		overrides: { sqlite3: 'link:../../../tools/sqlite3', ...pins },
		onlyBuiltDependencies: ['isolated-vm'],
	};
	// JSON is YAML.
	writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace));
}
