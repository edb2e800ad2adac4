import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { launch } from '../launch.mts';
import { findFreePort } from '../ports.mts';
import { root } from '../root.mts';
import { CommandError, runProgram } from '../setup/program.mjs';
import { provideFolder } from '../setup/toolchain.mjs';
import { makeTemporaryFolder } from '../temporary.mts';

/** A program that n8n needs in queue mode. Only this machine reaches it. */
export type Service = {
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	stop(): Promise<void>;
};

const name = 'redis-server';

export async function startRedis(): Promise<Service> {
	const port = String(await findFreePort());
	const folder = makeTemporaryFolder();
	const { command, env } = await provideRedis();
	const { stop } = await launch({
		name,
		commandLine: [command, '--bind', '127.0.0.1', '--port', port, '--dir', folder, '--save', ''],
		env: { ...process.env, ...env },
		folder,
		isReady: (log) => log.includes('Ready to accept connections'),
	});
	return { env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port }, stop };
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
	await apt('install', '--download-only', '--yes', '--no-install-recommends', name);
	for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb')))
		await runProgram(['dpkg-deb', '--extract', join(archives, file), target], {});
	rmSync(join(target, 'apt'), { recursive: true });
}
