import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from '../command.mts';
import { findFreePort } from '../ports.mts';
import { root } from '../root.mts';
import { CommandError } from '../setup/commandError.mjs';
import { provideFolder } from '../setup/folder.mjs';
import { makeTemporaryFolder } from '../temporary.mts';
import { startService, type Service } from './service.mts';

const name = 'redis-server';

export async function startRedis(): Promise<Service> {
	const port = await findFreePort();
	const folder = makeTemporaryFolder();
	const remove = await startService({
		name: 'redis',
		...(await provideRedis()),
		args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''],
		stopSignal: 'SIGTERM',
		readyText: 'Ready to accept connections',
		folder,
	});
	const env = { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) };
	return { env, remove };
}

const hasProgram = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** The Redis of this machine, else the one of its Debian or Ubuntu, unpacked without root. */
export async function provideRedis(): Promise<{ command: string; env?: NodeJS.ProcessEnv }> {
	if (hasProgram(name)) return { command: name };
	if (!hasProgram('apt-get') || !hasProgram('dpkg-deb'))
		throw new CommandError(`this machine has no ${name}, and no apt-get to download it with`);
	const folder = join(root, '.cache/services/redis');
	await provideFolder(folder, unpackRedis);
	const libraries = join(folder, 'usr/lib');
	const folders = readdirSync(libraries).map((each) => join(libraries, each));
	const env = { LD_LIBRARY_PATH: folders.join(delimiter) };
	return { command: join(folder, 'usr/bin', name), env };
}

/** Downloads the package with what it needs and this machine does not have. */
async function unpackRedis(target: string): Promise<void> {
	const apt = join(target, 'apt');
	const lists = join(apt, 'lists');
	const archives = join(apt, 'archives');
	for (const folder of [lists, archives]) mkdirSync(join(folder, 'partial'), { recursive: true });
	// Lists of packages of our own: the system's may be missing or old, and only root may write them.
	const own = [
		`Dir::State::lists=${lists}`,
		`Dir::Cache=${apt}`,
		`Dir::Cache::archives=${archives}`,
	];
	// Root would otherwise download as a user that cannot write here.
	const options = [...own, 'Debug::NoLocking=true', 'APT::Sandbox::User=root'];
	const flags = ['--quiet', ...options.flatMap((option) => ['-o', option])];
	await runProgram('apt-get', ...flags, 'update');
	const install = ['install', '--download-only', '--yes', '--no-install-recommends', name];
	await runProgram('apt-get', ...flags, ...install);
	for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb')))
		await runProgram('dpkg-deb', '--extract', join(archives, file), target);
	rmSync(apt, { recursive: true });
}
