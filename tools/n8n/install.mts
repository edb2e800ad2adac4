import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../command.mts';
import { root } from '../root.mts';
import { installDependencies } from '../setup/install.mjs';
import { currentFolder, readRelease, type Release } from './release.mts';

/** Installs the n8n of a folder, unless that was done already. */
export async function installN8n(folder = currentFolder): Promise<Release> {
	await installDependencies(root, folder);
	return readRelease(folder);
}

/** The version that npm installs if none is named. */
export async function findLatestVersion(): Promise<string> {
	return (await runNpm('view', 'n8n@latest', 'version')).trim();
}

/** The folder in test/compat of a release such as `n8n-1.123`, or one in .cache, made for any other version. */
export function describeN8n(name: string): string {
	const kept = join(root, 'test/compat', name);
	if (existsSync(kept)) return kept;
	const folder = join(root, '.cache/compat', name);
	mkdirSync(folder, { recursive: true });
	const dependencies = { n8n: name.replace('n8n-', '') };
	const manifest = { name: 'n8n-for-tests', private: true, dependencies };
	// It gets the newest of what it allows, as its users do.
	const workspace = {
		overrides: { sqlite3: 'file:../../../tools/sqlite3', '@appthreat/sqlite3>node-gyp': '-' },
		onlyBuiltDependencies: ['isolated-vm'],
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	// JSON is YAML.
	writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(workspace));
	return folder;
}
