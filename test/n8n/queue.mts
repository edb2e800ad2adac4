import { randomUUID } from 'node:crypto';
import { connect, type N8nClient } from '../../tools/n8n/client.mts';
import { type Cluster, startCluster } from '../../tools/n8n/cluster.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../tools/n8n/workflow.mts';
import { givenToTests } from './instances.mts';
import { describeWorkflow, N8nSetup, startNode, tested } from './n8nSetup.mts';
import { deliver } from './triggers.mts';

/** For work in several processes on a machine that does much else. */
export const patienceMs = 300_000;

/** A workflow of the action node that starts with the items that its webhook receives. */
export type Published = { workflow: string; path: string };

export function setUpQueue(webhooks = 1): QueueSetup {
	const setup = new QueueSetup(webhooks);
	// Starting takes four processes of n8n, and ending waits for what they do.
	beforeAll(async () => await setup.open(), 2 * patienceMs);
	afterAll(async () => await setup.close(), patienceMs);
	return setup;
}

/** n8n in queue mode, with a sandbox as its service. */
export class QueueSetup extends N8nSetup {
	cluster!: Cluster;
	readonly #webhooks: number;

	constructor(webhooks: number) {
		// Whether n8n answers in time is not what is tested on a busy machine.
		super({ guesses: { deliveryTimeoutMs: patienceMs } });
		this.#webhooks = webhooks;
	}

	protected override async startN8n(): Promise<N8nClient> {
		this.cluster = await startCluster(givenToTests().tarball, this.#webhooks);
		return await connect(this.cluster.url);
	}

	override get webhookUrl(): string {
		return this.cluster.webhookUrl;
	}

	protected override async endN8n(): Promise<void> {
		await this.cluster.remove();
	}

	/** Publishes a workflow of the action node. After a crash, n8n retries only executions that it did not start by hand. */
	async publishAction(parameters: JsonObject): Promise<Published> {
		const path = randomUUID();
		const workflow = describeWorkflow(parameters, this.credential);
		const webhook: WorkflowNode = {
			name: startNode,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			parameters: { httpMethod: 'POST', path },
			webhookId: path,
		};
		const split: WorkflowNode = {
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [110, 0],
			parameters: { fieldToSplitOut: 'body.items' },
		};
		const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		const id = await this.createWorkflow({
			...workflow,
			nodes: [webhook, split, ...workflow.nodes.filter(({ name }) => name === tested)],
			connections: { [startNode]: to('Split'), Split: to(tested) },
		});
		await this.publish(id);
		return { workflow: id, path: `/webhook/${path}` };
	}

	/** Starts a published workflow with these input items. @returns the ID of the execution */
	async startPublished({ workflow, path }: Published, items: JsonObject[]): Promise<string> {
		const before = (await this.client.listExecutions(workflow)).map(({ id }) => id);
		expect(await deliver(this.webhookUrl + path, { items })).toBe(200);
		return await this.untilNew(workflow, before);
	}

	/** Kills all workers at once, and starts them again. */
	async killWorkers(): Promise<void> {
		const { workers } = this.cluster;
		await Promise.all(workers.map(async (worker) => await worker.kill()));
		await Promise.all(workers.map(async (worker) => await worker.start()));
	}
}
