import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../command.mts';
import { findFreePort } from '../ports.mts';
import { CommandError } from '../setup/commandError.mjs';
import { makeTemporaryFolder, removeFolder } from '../temporary.mts';
import { providePostgres, type PostgresPrograms } from './postgresPrograms.mts';
import { Service, type Identity } from './service.mts';

/** A PostgreSQL that only this machine reaches. */
export type Postgres = {
	service: Service;
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	/** Ends it, and removes its data. */
	remove(): Promise<void>;
};

const user = 'n8n';
/** Exists in every new PostgreSQL. */
const database = 'postgres';
/** PostgreSQL refuses to run as root, and every system has this user. */
const unprivileged = 'nobody';

export async function startPostgres(): Promise<Postgres> {
	const programs = await providePostgres();
	const folder = makeTemporaryFolder();
	const identity = process.getuid?.() === 0 ? await findIdentity() : undefined;
	if (identity) chownSync(folder, identity.uid, identity.gid);
	const bin = placePrograms(programs, folder, identity);
	const data = join(folder, 'data');
	// Nothing but this machine reaches it, and it holds test and sandbox data only.
	const access = [`--username=${user}`, '--auth=trust'];
	const text = ['--encoding=UTF8', '--locale=C'];
	const init = ['--pgdata', data, '--no-sync', ...access, ...text];
	await run(join(bin, 'initdb'), init, folder, identity);
	const port = await findFreePort();
	const settings = [
		'listen_addresses=127.0.0.1',
		`port=${port}`,
		'unix_socket_directories=',
		// A power cut may lose these data, a crash of PostgreSQL does not.
		'fsync=off',
		// Otherwise a killed one leaves its memory behind in /dev/shm.
		'dynamic_shared_memory_type=mmap',
		'max_connections=200',
	];
	const service = new Service({
		name: 'postgres',
		command: join(bin, 'postgres'),
		args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
		// Ends its clients' connections. SIGTERM would wait for them.
		stopSignal: 'SIGINT',
		readyText: 'database system is ready to accept connections',
		folder,
		identity,
	});
	await service.start();
	async function remove(): Promise<void> {
		await service.stop();
		removeFolder(folder);
	}
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: user,
	};
	return { service, env, remove };
}

/** The folder of the programs, copied to where another user can read them if it has to be one. */
function placePrograms(
	{ bin, movable }: PostgresPrograms,
	folder: string,
	identity: Identity | undefined,
): string {
	if (!identity || !movable) return bin;
	const copy = join(folder, 'programs');
	cpSync(movable, copy, { recursive: true, verbatimSymlinks: true });
	return join(copy, 'bin');
}

async function findIdentity(): Promise<Identity> {
	const read = async (flag: string) => Number(await runProgram('id', flag, unprivileged));
	return { uid: await read('-u'), gid: await read('-g') };
}

async function run(
	command: string,
	args: string[],
	cwd: string,
	identity: Identity | undefined,
): Promise<void> {
	const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...identity });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (data: Buffer) => (output += data.toString()));
	}
	const [code] = (await once(child, 'close')) as [number | null];
	if (code !== 0) throw new CommandError(`${command} failed:\n\n${output}`);
}
