import { findFreePort } from '../ports.mts';
import { startPostgres } from '../services/postgres.mts';
import { startRedis } from '../services/redis.mts';
import type { Service } from '../services/service.mts';
import { startBalancer, type Balancer } from './balancer.mts';
import { RestartableN8n } from './restartable.mts';

const workerCount = 2;
const queueEnvironment = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	// With n8n's default of 2, a burst of deliveries keeps the check of the connection waiting, and n8n responds 503.
	DB_POSTGRESDB_POOL_SIZE: '10',
};

/** n8n in queue mode: a main process, two workers and webhook processes, each with a folder of its own. */
export class Cluster {
	readonly balancer: Balancer;
	readonly main: RestartableN8n;
	readonly workers: RestartableN8n[];
	readonly webhooks: RestartableN8n[];
	readonly #services: Service[];

	private constructor(
		make: (command: 'start' | 'worker' | 'webhook') => RestartableN8n,
		webhookCount: number,
		balancer: Balancer,
		services: Service[],
	) {
		this.balancer = balancer;
		this.main = make('start');
		this.workers = Array.from({ length: workerCount }, () => make('worker'));
		this.webhooks = Array.from({ length: webhookCount }, () => make('webhook'));
		this.#services = services;
	}

	/** @param tarball the packed package */
	static async start(tarball: string, webhookCount: number): Promise<Cluster> {
		const postgres = await startPostgres();
		const redis = await startRedis();
		const balancer = await startBalancer();
		const mainPort = await findFreePort();
		const env = {
			...postgres.env,
			...redis.env,
			...queueEnvironment,
			WEBHOOK_URL: `${balancer.url}/`,
			// The same for test webhooks, which n8n would otherwise put at the address of the editor.
			N8N_WEBHOOK_URL: `${balancer.url}/`,
			N8N_EDITOR_BASE_URL: `http://127.0.0.1:${mainPort}/`,
		};
		const cluster = new Cluster(
			(command) =>
				new RestartableN8n({
					tarball,
					env,
					command,
					port: command === 'start' ? mainPort : undefined,
				}),
			webhookCount,
			balancer,
			[redis, postgres],
		);
		try {
			// It prepares the database for the others.
			balancer.main = await cluster.main.start();
			const others = [...cluster.workers, ...cluster.webhooks];
			await Promise.all(others.map(async (process) => await process.start()));
			balancer.webhooks = cluster.webhooks.map(({ url }) => url);
		} catch (error) {
			await cluster.remove();
			throw error;
		}
		return cluster;
	}

	/** Where the editor is. */
	get url(): string {
		return this.main.url;
	}

	/** Where deliveries arrive. */
	get webhookUrl(): string {
		return this.balancer.url;
	}

	/** The worker that ran an execution, counted from 1. */
	findWorker(executionId: string): number | undefined {
		const started = new RegExp(`started execution ${executionId} `);
		const index = this.workers.findIndex(({ log }) => started.test(log));
		return index < 0 ? undefined : index + 1;
	}

	/** Ends everything, and removes what it kept. */
	async remove(): Promise<void> {
		const processes = [...this.workers, ...this.webhooks, this.main];
		await Promise.all(processes.map(async (process) => await process.remove()));
		this.balancer.close();
		for (const service of this.#services) await service.remove();
	}
}
