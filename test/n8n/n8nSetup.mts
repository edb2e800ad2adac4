import { type Guesses, type Sandbox, startSandbox } from '../../sandbox/index.mts';
import { connect, type ExecutionSummary, type N8nClient } from '../../tools/n8n/client.mts';
import { type Execution, isOver, itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { N8n } from '../../tools/n8n/n8n.mts';
import { differencesOf } from '../../tools/n8n/release.mts';
import type { CredentialReference, Workflow, WorkflowNode } from '../../tools/n8n/workflow.mts';
import { waitFor } from '../waitFor.mts';
import { connectToShared, givenToTests } from './instances.mts';

export const credentialType = 'pageAudienceApi';
/** The names of the nodes that `describeWorkflow` makes. */
export const startNode = 'Start';
export const tested = 'Tested';

/** n8n tries to publish five times, and waits longer and longer in between. */
const publishesWithinMs = 100_000;

type N8nSetupOptions = {
	/** One that the file has for itself. Without it, the setup has the n8n that all files share. */
	n8n?: N8n;
	guesses?: Partial<Guesses>;
};

/** What a node gave out in an execution. */
export type RunOutput = { mode: string; status: string; items: JsonObject[] };

/** A setup for the tests of a file or a block. */
export function setUpN8n(options: N8nSetupOptions = {}): N8nSetup {
	const setup = new N8nSetup(options);
	beforeAll(async () => await setup.open(), 360_000);
	afterAll(async () => await setup.close(), 120_000);
	return setup;
}

/** n8n with the packed package, and a sandbox as its service. */
export class N8nSetup {
	/** Another one after n8n was started again. */
	client!: N8nClient;
	sandbox!: Sandbox;
	/** Reaches the sandbox. */
	credential!: CredentialReference;
	readonly #own: N8n | undefined;
	readonly #guesses: Partial<Guesses>;
	readonly #workflows = new Set<string>();

	constructor({ n8n, guesses = {} }: N8nSetupOptions = {}) {
		this.#own = n8n;
		this.#guesses = guesses;
	}

	async open(): Promise<void> {
		this.sandbox = await startSandbox({ guesses: this.#guesses });
		this.client = await this.startN8n();
		const { url: baseUrl, apiKey } = this.sandbox;
		const data = { baseUrl, apiKey };
		this.credential = await this.client.createCredential(credentialType, 'Sandbox', data);
	}

	protected async startN8n(): Promise<N8nClient> {
		return this.#own ? await connect(await this.#own.start()) : connectToShared();
	}

	/** The n8n that all files share would go on polling. */
	protected async endN8n(): Promise<void> {
		if (this.#own) await this.#own.remove();
		else await this.clear();
	}

	/** The file's own. */
	get n8n(): N8n {
		if (!this.#own) throw new Error('This setup shares its n8n');
		return this.#own;
	}

	/** Where n8n receives webhooks. */
	get webhookUrl(): string {
		return this.client.session.url;
	}

	/** n8n 2.40 and newer goes on publishing after its response. Before, the response says how it ended. */
	get isOlder(): boolean {
		const { release, env } = givenToTests();
		const { hasPublicationStatus } = differencesOf(release.version);
		return !hasPublicationStatus || env.N8N_USE_WORKFLOW_PUBLICATION_SERVICE === 'false';
	}

	/** Ends n8n and starts it again. `meanwhile` happens in between. */
	async restart(how: 'kill' | 'stop', meanwhile = () => {}): Promise<void> {
		await this.n8n[how]();
		meanwhile();
		this.client = await connect(await this.n8n.start());
	}

	/** @returns the ID of the workflow */
	async createWorkflow(workflow: Workflow): Promise<string> {
		const { id } = await this.client.createWorkflow(workflow);
		this.#workflows.add(id);
		return id;
	}

	/** A workflow of the action node, after a manual trigger. `settings` are the node's, as On Error. */
	async create(parameters: JsonObject, settings: JsonObject = {}): Promise<string> {
		return await this.createWorkflow(describeWorkflow(parameters, this.credential, settings));
	}

	/** Runs a workflow with these input items to its end. */
	async finish(workflow: string, items: JsonObject[]): Promise<Execution> {
		const input = items.map((json) => ({ json }));
		const execution = await this.client.runWorkflow(workflow, startNode, input);
		return await this.client.waitForExecution(execution, 300_000);
	}

	/** Runs the action node with these input items, in a workflow of its own. */
	async run(
		parameters: JsonObject,
		items: JsonObject[],
		settings: JsonObject = {},
	): Promise<Execution> {
		return await this.finish(await this.create(parameters, settings), items);
	}

	/** Chooses Retry in the list of executions. @returns the ID of the new execution */
	async retry(workflow: string, execution: string, { withSaved = false } = {}): Promise<string> {
		const path = `/rest/executions/${execution}/retry`;
		return await this.untilNew(
			workflow,
			async () => await this.client.session.request('POST', path, { loadWorkflow: withSaved }),
		);
	}

	/** Waits for an execution that was not there before `start`. @returns its ID */
	protected async untilNew(workflow: string, start: () => Promise<unknown>): Promise<string> {
		const before = (await this.client.listExecutions(workflow)).map(({ id }) => id);
		let refusal: unknown;
		// In queue mode, n8n answers when a retry is over, which a test may want to disturb.
		start().catch((error: unknown) => (refusal = error));
		const added = await waitFor('the execution', async () => {
			if (refusal !== undefined) throw refusal as Error;
			const all = await this.client.listExecutions(workflow);
			return all.find(({ id }) => !before.includes(id));
		});
		return added.id;
	}

	/** Rejects with the message that n8n shows. */
	async publish(workflow: string): Promise<void> {
		if (this.isOlder) await this.client.activate(workflow);
		else await this.client.publish(workflow, publishesWithinMs);
	}

	async unpublish(workflow: string): Promise<void> {
		if (this.isOlder) await this.client.deactivate(workflow);
		else await this.client.unpublish(workflow);
	}

	/** All executions of a workflow, the oldest first, once there are so many and all are over. */
	async executions(workflow: string, count: number, withinMs?: number): Promise<Execution[]> {
		let seen: ExecutionSummary[] = [];
		const look = async () => {
			seen = await this.client.listExecutions(workflow);
			return seen.length >= count && seen.every(isOver);
		};
		await waitFor(() => `${count} executions, of ${seen.length}`, look, withinMs);
		const executions: Execution[] = [];
		for (const { id } of seen.toReversed()) executions.push(await this.client.waitForExecution(id));
		return executions;
	}

	/** What a node gave out in each of them. */
	async runs(
		workflow: string,
		node: string,
		count: number,
		withinMs?: number,
	): Promise<RunOutput[]> {
		const all = await this.executions(workflow, count, withinMs);
		const itemsIn = (each: Execution) => itemsOf(each, node).map(({ json }) => json);
		return all.map((each) => ({ mode: each.mode, status: each.status, items: itemsIn(each) }));
	}

	/** Deletes all workflows, and gives the sandbox its first records again. */
	async clear(): Promise<void> {
		this.sandbox.faults.clear();
		for (const workflow of this.#workflows) await this.client.deleteWorkflow(workflow);
		this.#workflows.clear();
		this.sandbox.reset();
	}

	async close(): Promise<void> {
		// What is open keeps Jest from exiting.
		await this.endN8n().finally(async () => await this.sandbox.close());
	}
}

/** A workflow of a manual trigger and the action node. */
export function describeWorkflow(
	parameters: JsonObject,
	credential: CredentialReference,
	settings: JsonObject = {},
): Workflow {
	return {
		name: 'End to end',
		nodes: [
			describeNode(startNode, 'n8n-nodes-base.manualTrigger', {}),
			describeNode(tested, 'n8n-nodes-page-audience.pageAudience', parameters, {
				position: [220, 0],
				credentials: { [credentialType]: credential },
				...settings,
			}),
		],
		connections: { [startNode]: { main: [[{ node: tested, type: 'main', index: 0 }]] } },
	};
}

/** A node of version 1, unless `more` says otherwise. */
export function describeNode(
	name: string,
	type: string,
	parameters: JsonObject,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return { name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}
