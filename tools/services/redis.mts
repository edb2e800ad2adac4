import { delimiter } from 'node:path';
import { findFreePort } from '../ports.mts';
import { makeTemporaryFolder, removeFolder } from '../temporary.mts';
import { provideRedis } from './redisProgram.mts';
import { Service } from './service.mts';

/** A Redis that only this machine reaches. */
export type Redis = {
	service: Service;
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	/** Ends it, and removes its data. */
	remove(): Promise<void>;
};

export async function startRedis(): Promise<Redis> {
	const { path, libraries } = await provideRedis();
	const folder = makeTemporaryFolder();
	const port = await findFreePort();
	const address = ['--bind', '127.0.0.1', '--port', String(port)];
	// Each change is on disk within a second, so that a restart loses no job that was queued before.
	const persistence = ['--dir', folder, '--save', '', '--appendonly', 'yes'];
	const service = new Service({
		name: 'redis',
		command: path,
		args: [...address, ...persistence],
		stopSignal: 'SIGTERM',
		readyText: 'Ready to accept connections',
		folder,
		env: libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(delimiter) } : {},
	});
	await service.start();
	async function remove(): Promise<void> {
		await service.stop();
		removeFolder(folder);
	}
	const env = { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(port) };
	return { service, env, remove };
}
