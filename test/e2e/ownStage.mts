import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../../tools/n8n/client.mts';
import type { Execution, JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference, Workflow } from '../../tools/n8n/workflow.mts';
import { connectToOwn } from './sharedN8n.mts';
import { OwnN8n } from './trigger/ownN8n.mts';
import { waitFor } from '../waitFor.mts';
import { describeWorkflow, trigger } from './workbench.mts';

/** An n8n of one file's own, to kill and start again, with a sandbox and its credential. */
export class OwnStage {
	readonly sandbox: Sandbox;
	credential!: CredentialReference;

	readonly #n8n = new OwnN8n();
	#client!: N8nClient;

	private constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	static async open(): Promise<OwnStage> {
		const stage = new OwnStage(await startSandbox());
		stage.#client = await connectToOwn(await stage.#n8n.start());
		const { url: baseUrl, apiKey } = stage.sandbox;
		stage.credential = await stage.#client.createCredential('pageAudienceApi', 'Sandbox', {
			baseUrl,
			apiKey,
		});
		return stage;
	}

	/** Another one after n8n was killed. */
	get client(): N8nClient {
		return this.#client;
	}

	/** A workflow of one node. With `more`, with those settings. */
	async create(parameters: JsonObject, more: Partial<Workflow> = {}): Promise<string> {
		const workflow = { ...describeWorkflow(parameters, this.credential), ...more };
		return (await this.#client.createWorkflow(workflow)).id;
	}

	/** @returns the ID of the execution */
	async start(workflow: string, items: JsonObject[]): Promise<string> {
		return await this.#client.runWorkflow(
			workflow,
			trigger,
			items.map((json) => ({ json })),
		);
	}

	async run(workflow: string, items: JsonObject[]): Promise<Execution> {
		return await this.#client.waitForExecution(await this.start(workflow, items), 300_000);
	}

	/** Kills n8n, and starts it again. */
	async kill(): Promise<void> {
		await this.#n8n.kill();
		this.#client = await connectToOwn(await this.#n8n.start());
	}

	/** Only then n8n accepts a Retry. It never says so of a Retry that was itself killed. */
	async waitForCrash(execution: string): Promise<void> {
		await waitFor('the crash', async () => {
			const { status } = await this.#client.getExecution(execution);
			return status === 'crashed';
		});
	}

	/** Chooses Retry in the list of executions. Returns the ID of the new execution. */
	async retry(workflow: string, execution: string): Promise<string> {
		const path = `/rest/executions/${execution}/retry`;
		await this.#client.session.request('POST', path, { loadWorkflow: false });
		const [newest] = await this.#client.listExecutions(workflow);
		expect(newest.id).not.toBe(execution);
		return newest.id;
	}

	async close(): Promise<void> {
		await this.sandbox.close().finally(async () => await this.#n8n.remove());
	}
}
