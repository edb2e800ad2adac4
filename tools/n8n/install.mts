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
	return (await runNpm('view', 'n8n@latest', 'version')).trim();
}

/** Installs a version of n8n into .cache, unless that was done already. If it cannot be installed, one line says why. */
export async function installN8n(version: string): Promise<Release> {
	const folder = join(root, '.cache/compat', version);
	const title = `Installing n8n ${version} (takes minutes the first time)`;
	try {
		await provideFolder(folder, async (partial) => {
			describeWorkspace(partial, version);
			const resolving = `Finding what n8n ${version} needs`;
			await resolveDependencies(root, { folder: partial, title: resolving });
		});
		await installDependencies(root, { folder, title });
	} catch (error) {
		const reason = error instanceof CommandError && /ERR_PNPM_\w+\s+(.+)/.exec(error.message)?.[1];
		if (!reason) throw error;
		throw new CommandError(`n8n ${version} cannot be installed: ${reason}`);
	}
	return readRelease(folder, await provideNode(root, nodeFor(folder)));
}

/** Without pins: n8n gets what a person would get who installs it today. */
function describeWorkspace(folder: string, version: string): void {
	const manifest = { name: 'n8n-for-tests', private: true, dependencies: { n8n: version } };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	const workspace = {
		overrides: { sqlite3: 'link:../../../tools/sqlite3' },
		onlyBuiltDependencies: ['isolated-vm'],
	};
	// JSON is YAML.
	writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace));
}
