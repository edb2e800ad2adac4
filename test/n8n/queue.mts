import { randomUUID } from 'node:crypto';
import { connect, type N8nClient } from '../../tools/n8n/client.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import { N8n } from '../../tools/n8n/n8n.mts';
import { findFreePort } from '../../tools/ports.mts';
import { startPostgres, startRedis } from '../../tools/services.mts';
import { openBalancer } from './balancer.mts';
import { givenToTests } from './instances.mts';
import { describeNode, describeWorkflow, N8nSetup, startNode, tested } from './n8nSetup.mts';
import { deliver } from './triggers.mts';

/** For work in several processes on a machine that does much else. */
export const patienceMs = 300_000;

const workerCount = 2;
const queueEnvironment = {
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	// With n8n's default of 2, a burst of deliveries keeps the check of the connection waiting, and n8n responds 503.
	DB_POSTGRESDB_POOL_SIZE: '10',
};

/** A workflow of the action node that starts with the items that its webhook receives. */
export type Published = { workflow: string; path: string };

export function setUpQueue(webhooks = 1): QueueSetup {
	const setup = new QueueSetup(webhooks);
	// Starting takes four processes of n8n, and ending waits for what they do.
	beforeAll(async () => await setup.open(), 2 * patienceMs);
	afterAll(async () => await setup.close(), patienceMs);
	return setup;
}

/**
 * n8n in queue mode, with a sandbox as its service: a main process, two workers and webhook processes, each with a folder
 * of its own.
 */
class QueueSetup extends N8nSetup {
	balancer!: Awaited<ReturnType<typeof openBalancer>>;
	main!: N8n;
	workers: N8n[] = [];
	webhooks: N8n[] = [];
	readonly #webhookCount: number;
	/** What ends all that was started, in order. */
	readonly #ends: Array<() => unknown> = [];

	constructor(webhookCount: number) {
		// Whether n8n answers in time is not what is tested on a busy machine.
		super({ guesses: { deliveryTimeoutMs: patienceMs } });
		this.#webhookCount = webhookCount;
	}

	protected override async startN8n(): Promise<N8nClient> {
		const postgres = await startPostgres();
		this.#ends.unshift(async () => await postgres.stop());
		const redis = await startRedis();
		this.#ends.unshift(async () => await redis.stop());
		this.balancer = await openBalancer();
		this.#ends.unshift(() => this.balancer.close());
		const port = await findFreePort();
		const env = {
			...postgres.env,
			...redis.env,
			...queueEnvironment,
			WEBHOOK_URL: `${this.balancer.url}/`,
			// The same for test webhooks, which n8n would otherwise put at the address of the editor.
			N8N_WEBHOOK_URL: `${this.balancer.url}/`,
			N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		};
		const { tarball } = givenToTests();
		const make = (command: 'worker' | 'webhook', length: number): N8n[] =>
			Array.from({ length }, () => new N8n({ tarball, env, command }));
		this.main = new N8n({ tarball, env, port });
		this.workers = make('worker', workerCount);
		this.webhooks = make('webhook', this.#webhookCount);
		const others = [...this.workers, ...this.webhooks];
		const all = [...others, this.main];
		this.#ends.unshift(async () => await Promise.all(all.map(async (each) => await each.remove())));
		// It prepares the database for the others.
		this.balancer.main = await this.main.start();
		await Promise.all(others.map(async (each) => await each.start()));
		this.balancer.webhooks = this.webhooks.map(({ url }) => url);
		return await connect(this.main.url);
	}

	/** Where deliveries arrive. */
	override get webhookUrl(): string {
		return this.balancer.url;
	}

	protected override async endN8n(): Promise<void> {
		for (const end of this.#ends) await end();
	}

	/** The worker that ran an execution, counted from 1. */
	findWorker(executionId: string): number | undefined {
		const started = `started execution ${executionId} `;
		const index = this.workers.findIndex(({ log }) => log.includes(started));
		return index < 0 ? undefined : index + 1;
	}

	/** Publishes a workflow of the action node. After a crash, n8n retries only executions that it did not start by hand. */
	async publishAction(parameters: JsonObject): Promise<Published> {
		const path = randomUUID();
		const workflow = describeWorkflow(parameters, this.credential);
		const receiving = { httpMethod: 'POST', path };
		const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		const id = await this.createWorkflow({
			...workflow,
			nodes: [
				describeNode(startNode, 'n8n-nodes-base.webhook', receiving, {
					typeVersion: 2,
					webhookId: path,
				}),
				describeNode('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items' }),
				...workflow.nodes.filter(({ name }) => name === tested),
			],
			connections: { [startNode]: to('Split'), Split: to(tested) },
		});
		await this.publish(id);
		return { workflow: id, path: `/webhook/${path}` };
	}

	/** Starts a published workflow with these input items. @returns the ID of the execution */
	async startPublished({ workflow, path }: Published, items: JsonObject[]): Promise<string> {
		return await this.untilNew(workflow, async () =>
			expect(await deliver(this.webhookUrl + path, { items })).toBe(200),
		);
	}

	/** Kills all workers at once, and starts them again. */
	async killWorkers(): Promise<void> {
		await Promise.all(this.workers.map(async (worker) => await worker.kill()));
		await Promise.all(this.workers.map(async (worker) => await worker.start()));
	}
}
