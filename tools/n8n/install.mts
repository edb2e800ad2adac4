import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../command.mts';
import { root } from '../root.mts';
import { CommandError } from '../setup/commandError.mjs';
import { installDependencies, resolveDependencies } from '../setup/dependencies.mjs';
import { provideFolder } from '../setup/folder.mjs';
import { provideNode } from '../setup/toolchain.mjs';
import { nodeFor, readRelease, type Release } from './release.mts';

/** The version that npm installs if none is named. */
export async function findLatestVersion(): Promise<string> {
	return await orReason('latest', async () =>
		(await runNpm('view', 'n8n@latest', 'version')).trim(),
	);
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
	const title = `Installing n8n ${version} (takes minutes the first time)`;
	await orReason(version, async () => {
		await provideFolder(folder, async (partial) => {
			describeWorkspace(partial, version, pins);
			const resolving = `Finding what n8n ${version} needs`;
			await resolveDependencies(root, { folder: partial, title: resolving });
		});
		await installDependencies(root, { folder, title });
	});
	return readRelease(folder, await provideNode(root, node ?? nodeFor(folder)));
}

const reasonOf = /(?:ERR_PNPM_\w+|npm (?:error|ERR!)(?! (?:code|syscall|errno)\b))\s+(.+)/;

/** Does what needs the registry. If it fails, one line says why. */
async function orReason<T>(version: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const reason = error instanceof CommandError && reasonOf.exec(error.message)?.[1];
		if (!reason) throw error;
		throw new CommandError(`n8n ${version} cannot be installed: ${reason}`);
	}
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
