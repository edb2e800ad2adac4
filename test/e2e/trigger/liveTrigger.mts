import { randomUUID } from 'node:crypto';
import type { EventKind, WebhookSubscription } from '../../../sandbox/index.mts';
import type { ExecutionSummary } from '../../../tools/n8n/client.mts';
import { isOver, itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import type { WorkflowNode } from '../../../tools/n8n/workflow.mts';
import { credentialType, type Stage } from './stage.mts';
import { waitFor } from '../../waitFor.mts';

export type Options = {
	takeOver?: boolean;
	onDeactivate?: 'restore' | 'pause' | 'leave';
	testSubscriptionId?: JsonObject;
	output?: 'payload' | 'details';
	duplicates?: 'keep' | 'drop';
	verifyToken?: boolean;
	pages?: { page: Array<{ pageId: JsonObject }> };
};
export type Parameters = {
	subscription: WebhookSubscription;
	events: EventKind[];
	options: Options;
	outputs?: 'one' | 'perEvent';
};
/** An execution, by what the trigger gave out. */
export type Run = { mode: string; status: string; items: JsonObject[] };

type PublicationStatus = {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ errorMessage: string | null }>;
};

const firstName = 'Page Audience Trigger';

/** A workflow of the trigger alone, in n8n. */
export class LiveTrigger {
	readonly workflowId: string;
	readonly webhookId: string;
	name = firstName;
	parameters: Parameters;
	readonly #stage: Stage;
	readonly #nodeId: string;
	#isDeleted = false;

	private constructor(stage: Stage, workflowId: string, node: WorkflowNode, given: Parameters) {
		this.#stage = stage;
		this.workflowId = workflowId;
		this.webhookId = String(node.webhookId);
		this.#nodeId = String(node.id);
		this.parameters = given;
	}

	static async create(stage: Stage, given: Parameters): Promise<LiveTrigger> {
		const node = describeNode(stage, given, {
			id: randomUUID(),
			webhookId: randomUUID(),
			name: firstName,
		});
		const workflow = { name: 'Trigger', nodes: [node], connections: {} };
		const { id } = await stage.client.createWorkflow(workflow);
		return new LiveTrigger(stage, id, node, given);
	}

	get productionUrl(): string {
		return `${this.#url}/webhook/${this.webhookId}/webhook`;
	}
	get testUrl(): string {
		return `${this.#url}/webhook-test/${this.webhookId}/webhook`;
	}

	/** Saves it with other parameters, as the editor does; what is published stays as it was. */
	async change(change: Partial<Parameters>): Promise<void> {
		this.parameters = { ...this.parameters, ...change };
		const { webhookId, name } = this;
		const ids = { id: this.#nodeId, webhookId, name };
		const node = describeNode(this.#stage, this.parameters, ids);
		await this.#client.updateWorkflow(this.workflowId, { nodes: [node] });
	}

	async rename(name: string): Promise<void> {
		this.name = name;
		await this.change({});
	}

	/** Adds a node that the trigger has nothing to do with. */
	async changeElsewhere(): Promise<void> {
		const { nodes } = await this.#client.getWorkflow(this.workflowId);
		const other = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
		const id = randomUUID();
		await this.#client.updateWorkflow(this.workflowId, {
			nodes: [...nodes, { ...other, id, name: `Nothing ${id}`, position: [200, 0] }],
		});
	}

	/** Adds a node of that name after each output. */
	async follow(...names: string[]): Promise<void> {
		const { nodes } = await this.#client.getWorkflow(this.workflowId);
		const followers = names.map((name, i): WorkflowNode => {
			const position: [number, number] = [200, 100 * i];
			return { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {}, name, position };
		});
		const main = names.map((node) => [{ node, type: 'main' as const, index: 0 }]);
		await this.#client.updateWorkflow(this.workflowId, {
			nodes: [...nodes, ...followers],
			connections: { [this.name]: { main } },
		});
	}

	/** Rejects with the message that n8n shows. */
	async publish(): Promise<void> {
		await this.#client.activate(this.workflowId);
		// n8n says `not_published` until it has begun.
		const { status, triggers } = await this.#settle(['in_progress', 'not_published']);
		if (status !== 'published') throw new Error(String(triggers[0]?.errorMessage));
	}

	async unpublish(): Promise<void> {
		await this.#client.deactivate(this.workflowId);
		await this.#settle();
	}

	/** A test run begins. Rejects with the message that n8n shows. */
	async listen(): Promise<void> {
		await this.#client.listenForTestEvent(this.workflowId, this.name);
	}

	/** Returns before the test has ended. */
	async stopListening(): Promise<void> {
		await this.#client.stopListening(this.workflowId);
	}

	/** Whether n8n still keeps the test run: it forgets a cancelled one after it has given the subscription back. */
	async isListening(): Promise<boolean> {
		// Nothing else than POST is registered, and n8n's response names what is.
		const response = await fetch(this.testUrl);
		return (await response.text()).includes('POST');
	}

	async listExecutions(): Promise<ExecutionSummary[]> {
		return await this.#client.listExecutions(this.workflowId);
	}

	/** Waits until so many executions are over, and gives all that there are, the oldest first. */
	async runs(count: number, withinMs?: number): Promise<Run[]> {
		return await this.#read(await this.#finish(count, withinMs));
	}

	/** What the nodes after the trigger got, by their names, in so many executions, the oldest first. */
	async followed(count: number): Promise<Array<{ [name: string]: JsonObject[] }>> {
		const newestFirst = await this.#finish(count);
		const executions = newestFirst.toReversed().map(async ({ id }) => {
			const execution = await this.#client.waitForExecution(id);
			const names = Object.keys(execution.nodes).filter((name) => name !== this.name);
			const items = names.map((name) => itemsOf(execution, name).map(({ json }) => json));
			return Object.fromEntries(names.map((name, i) => [name, items[i]]));
		});
		return await Promise.all(executions);
	}

	async #finish(count: number, withinMs?: number): Promise<ExecutionSummary[]> {
		let seen: string[] = [];
		const look = async () => {
			const all = await this.listExecutions();
			seen = all.map(({ status }) => status);
			return all.length >= count && all.every(isOver) && all;
		};
		const what = () =>
			`${count} executions, of ${seen.length} with ${[...new Set(seen)].join(', ')}`;
		return await waitFor(what, look, withinMs);
	}

	/** Those that are over, without waiting, the oldest first. */
	async runsSoFar(): Promise<Run[]> {
		return await this.#read((await this.listExecutions()).filter(isOver));
	}

	async #read(newestFirst: ExecutionSummary[]): Promise<Run[]> {
		const runs: Run[] = [];
		for (const { id, mode, status } of newestFirst.toReversed()) {
			const items = itemsOf(await this.#client.waitForExecution(id), this.name);
			runs.push({ mode, status, items: items.map(({ json }) => json) });
		}
		return runs;
	}

	/** What n8n keeps for it. */
	async readSnapshots(): Promise<unknown> {
		const { staticData } = await this.#client.getWorkflow(this.workflowId);
		const { pageAudienceTrigger } = (staticData?.global ?? {}) as JsonObject;
		const own = ((pageAudienceTrigger ?? {}) as JsonObject)[this.webhookId];
		return ((own ?? {}) as JsonObject).snapshots ?? [];
	}

	/** Deletes the workflow, published or not: n8n unpublishes it first, and refuses to delete it before that is done. */
	async delete(): Promise<void> {
		if (this.#isDeleted) return;
		this.#isDeleted = true;
		const path = `/rest/workflows/${this.workflowId}`;
		await this.#client.session.request('POST', `${path}/archive`);
		await this.#settle();
		await this.#client.session.request('DELETE', path);
	}

	get #client() {
		return this.#stage.client;
	}
	get #url(): string {
		return this.#stage.webhookUrl;
	}

	/** The older engine is done when it answers, and tells no status. */
	async #settle(before = ['in_progress']): Promise<PublicationStatus> {
		if (this.#stage.engine === 'older') return { status: 'published', triggers: [] };
		const look = async () => {
			const answer = await this.#client.publicationStatus(this.workflowId);
			const status = answer as PublicationStatus;
			return !before.includes(status.status) && status;
		};
		const { withinMs, longestPauseMs } = this.#stage.publication;
		return await waitFor('the end of publishing', look, withinMs, longestPauseMs);
	}
}

function describeNode(
	{ credential }: Stage,
	{ subscription, events, options, outputs = 'one' }: Parameters,
	ids: { id: string; webhookId: string; name: string },
): WorkflowNode {
	return {
		...ids,
		type: 'n8n-nodes-page-audience.pageAudienceTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { subscriptionId: pick(subscription), events, outputs, options },
		credentials: { [credentialType]: credential },
	};
}

/** As the editor stores a choice from the list. */
export function pick({ subscriptionId }: WebhookSubscription): JsonObject {
	return { __rl: true, mode: 'list', value: subscriptionId };
}
