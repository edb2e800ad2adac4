import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runNpm } from '../command.mts';
import { root } from '../root.mts';
import { installDependencies } from '../setup/dependencies.mjs';
import { provideNode } from '../setup/toolchain.mjs';
import { nodeFor, readRelease, type Release } from './release.mts';

/** The version that npm installs if none is named: the newest until n8n 3, which is an image only. */
export async function findLatestVersion(): Promise<string> {
	return (await runNpm('view', 'n8n@latest', 'version')).trim();
}

/**
 * Installs the n8n of a folder, unless that was done already.
 * @param node the major version of the Node to run it on, by default the one that suits this n8n
 */
export async function installN8n(folder: string, node?: number): Promise<Release> {
	const title = `Installing the n8n of ${relative(root, folder)} (takes minutes the first time)`;
	await installDependencies(root, { folder, title });
	return readRelease(folder, await provideNode(root, node ?? nodeFor(folder)));
}

/** Makes a folder in .cache for any version of n8n, which gets the newest of what it allows, as its users do. */
export function describeN8n(version: string): string {
	const folder = join(root, '.cache/compat', version);
	mkdirSync(folder, { recursive: true });
	const manifest = { name: 'n8n-for-tests', private: true, dependencies: { n8n: version } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	const workspace = {
		overrides: { sqlite3: 'link:../../../tools/sqlite3' },
		onlyBuiltDependencies: ['isolated-vm'],
	};
	// JSON is YAML.
	writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace));
	return folder;
}
