import { findFreePort } from '../ports.mts';
import { startPostgres } from '../services/postgres.mts';
import { startRedis } from '../services/redis.mts';
import { Balancer } from './balancer.mts';
import { N8n } from './n8n.mts';

const workerCount = 2;
const queueEnvironment = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	// With n8n's default of 2, a burst of deliveries keeps the check of the connection waiting, and n8n responds 503.
	DB_POSTGRESDB_POOL_SIZE: '10',
};

/** n8n in queue mode: a main process, two workers and webhook processes, each with a folder of its own. */
export type Cluster = {
	/** Where the editor is. */
	url: string;
	/** Where deliveries arrive. */
	webhookUrl: string;
	balancer: Balancer;
	main: N8n;
	workers: N8n[];
	webhooks: N8n[];
	/** The worker that ran an execution, counted from 1. */
	findWorker(executionId: string): number | undefined;
	/** Ends everything, and removes what it kept. */
	remove(): Promise<void>;
};

/** @param tarball the packed package */
export async function startCluster(tarball: string, webhookCount: number): Promise<Cluster> {
	const postgres = await startPostgres();
	const redis = await startRedis();
	const balancer = await Balancer.start();
	const port = await findFreePort();
	const env = {
		...postgres.env,
		...redis.env,
		...queueEnvironment,
		WEBHOOK_URL: `${balancer.url}/`,
		// The same for test webhooks, which n8n would otherwise put at the address of the editor.
		N8N_WEBHOOK_URL: `${balancer.url}/`,
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
	};
	const make = (command: 'worker' | 'webhook', length: number): N8n[] =>
		Array.from({ length }, () => new N8n({ tarball, env, command }));
	const main = new N8n({ tarball, env, port });
	const workers = make('worker', workerCount);
	const webhooks = make('webhook', webhookCount);
	const others = [...workers, ...webhooks];
	async function remove(): Promise<void> {
		await Promise.all([...others, main].map(async (process) => await process.remove()));
		balancer.close();
		await redis.remove();
		await postgres.remove();
	}
	function findWorker(executionId: string): number | undefined {
		const started = new RegExp(`started execution ${executionId} `);
		const index = workers.findIndex(({ log }) => started.test(log));
		return index < 0 ? undefined : index + 1;
	}
	try {
		// It prepares the database for the others.
		balancer.main = await main.start();
		await Promise.all(others.map(async (process) => await process.start()));
		balancer.webhooks = webhooks.map(({ url }) => url);
	} catch (error) {
		await remove();
		throw error;
	}
	const urls = { url: main.url, webhookUrl: balancer.url };
	return { ...urls, balancer, main, workers, webhooks, findWorker, remove };
}
