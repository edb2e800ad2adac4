import type { RecordedRequest, Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../../tools/n8n/client.mts';
import { type Cluster, startCluster } from '../../tools/n8n/cluster.mts';
import type { Execution, JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference } from '../../tools/n8n/workflow.mts';
import { packageForTests } from '../e2e/sharedN8n.mts';
import { credentialType, deliver, Stage } from '../e2e/trigger/stage.mts';
import { waitFor } from '../waitFor.mts';
import { describeWorkflow, trigger } from '../e2e/workbench.mts';
import { publishWorkflow, type Published } from './published.mts';

/** Starting takes four processes of n8n, and ending waits for what they do. */
export const startsWithinMs = 600_000;
export const endsWithinMs = 120_000;
/** For work in several processes on a machine that does much else. */
export const patienceMs = 300_000;

/** One execution of a workflow that `run` made. */
export type Run = { workflowId: string; executionId: string };

/** n8n in queue mode, the service, and somebody else who receives its deliveries. */
export class QueueStage {
	readonly cluster: Cluster;
	readonly triggers: Stage;
	/** Reaches the sandbox directly. */
	readonly credential: CredentialReference;

	private constructor(cluster: Cluster, triggers: Stage, credential: CredentialReference) {
		this.cluster = cluster;
		this.triggers = triggers;
		this.credential = credential;
	}

	static async open({ webhooks = 1 } = {}): Promise<QueueStage> {
		const cluster = await startCluster(packageForTests(), webhooks);
		try {
			const triggers = await Stage.open(cluster.url, 'newer', cluster.webhookUrl);
			const { url: baseUrl, apiKey } = triggers.sandbox;
			const data = { baseUrl, apiKey };
			const credential = await triggers.client.createCredential(credentialType, 'Sandbox', data);
			return new QueueStage(cluster, triggers, credential);
		} catch (error) {
			// A running process keeps Jest from exiting.
			await cluster.remove();
			throw error;
		}
	}

	get client(): N8nClient {
		return this.triggers.client;
	}
	get sandbox(): Sandbox {
		return this.triggers.sandbox;
	}

	/** Starts the action node with these input items by hand, in a workflow of its own. */
	async run(parameters: JsonObject, items: JsonObject[]): Promise<Run> {
		const workflow = describeWorkflow(parameters, this.credential);
		const { id: workflowId } = await this.client.createWorkflow(workflow);
		const input = items.map((json) => ({ json }));
		return { workflowId, executionId: await this.client.runWorkflow(workflowId, trigger, input) };
	}

	/** The same in a published workflow, which n8n can retry after a crash. */
	async runPublished(parameters: JsonObject, items: JsonObject[]): Promise<Run> {
		return await this.start(await this.publish(parameters), items);
	}

	/** Publishes a workflow of the action node. */
	async publish(parameters: JsonObject, settings: JsonObject = {}): Promise<Published> {
		return await publishWorkflow(this.client, parameters, this.credential, settings);
	}

	/** Starts a published workflow with these input items. */
	async start({ workflowId, path }: Published, items: JsonObject[]): Promise<Run> {
		const before = (await this.client.listExecutions(workflowId)).map(({ id }) => id);
		const status = await deliver(this.cluster.webhookUrl + path, { items });
		if (status !== 200) throw new Error(`The webhook responded ${status}`);
		return { workflowId, executionId: await this.#untilNew(workflowId, before) };
	}

	/** Chooses "Retry with original workflow" in the list of executions. */
	async retry({ workflowId, executionId }: Run): Promise<Run> {
		const before = (await this.client.listExecutions(workflowId)).map(({ id }) => id);
		const path = `/rest/executions/${executionId}/retry`;
		// n8n answers when the retry is over, which a test may want to disturb.
		let refusal = '';
		void this.client.session
			.request('POST', path, { loadWorkflow: false })
			.catch((error: unknown) => (refusal = String(error)));
		const id = await this.#untilNew(workflowId, before, () => {
			if (refusal) throw new Error(refusal);
		});
		return { workflowId, executionId: id };
	}

	/** Waits until an execution has ended, with any status. */
	async end({ executionId }: Run): Promise<Execution> {
		return await this.client.waitForExecution(executionId, patienceMs);
	}

	/** Waits until the service has received so many requests of an operation. */
	async untilReceived(operationId: string, count: number): Promise<void> {
		await waitFor(
			`${count} × ${operationId}`,
			() => this.requestsOf(operationId).length >= count,
			patienceMs,
		);
	}

	requestsOf(operationId: string): RecordedRequest[] {
		return this.sandbox.requests.filter((request) => request.operationId === operationId);
	}

	/** Kills all workers at once, and starts them again. */
	async killWorkers(): Promise<void> {
		const { workers } = this.cluster;
		await Promise.all(workers.map(async (worker) => await worker.kill()));
		await Promise.all(workers.map(async (worker) => await worker.start()));
	}

	async #untilNew(workflowId: string, before: string[], check = (): void => {}): Promise<string> {
		const next = async () => {
			check();
			const all = await this.client.listExecutions(workflowId);
			return all.find(({ id }) => !before.includes(id));
		};
		return (await waitFor('the execution', next, patienceMs)).id;
	}

	async close(): Promise<void> {
		await this.triggers.close().finally(async () => await this.cluster.remove());
	}
}
