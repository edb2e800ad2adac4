import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { parse } from 'flatted';
import { connect, type N8nClient } from '../tools/n8n/client.mts';
import {
	isOver,
	type Item,
	type JsonObject,
	type StoredExecution,
} from '../tools/n8n/execution.mts';
import { startN8n, type N8nInstance } from '../tools/n8n/instance.mts';
import type { CredentialReference, Workflow } from '../tools/n8n/workflow.mts';
import { findFreePort } from '../tools/ports.mts';
import { IncompleteError, requireSuccess } from './complete.mts';
import type { Reading } from './probe.mts';
import { measured, webhookPath } from './workflows.mts';

type Task = { executionTime: number; data?: { main?: Array<Item[] | null> } };
type ExecutionData = { resultData: { runData: Record<string, Task[]> } };

export type Run = {
	/** For the measured node only. */
	ms: number;
	/** Its output. */
	items: JsonObject[];
	/** For n8n's process over the whole execution. */
	reading: Reading;
};

/** A real n8n with the packed package, a credential for the service, and a probe in its process. */
export class BenchN8n {
	readonly credential: CredentialReference;
	readonly probeUrl: string;
	readonly url: string;
	readonly client: N8nClient;
	readonly #instance: N8nInstance;

	private constructor(
		instance: N8nInstance,
		client: N8nClient,
		credential: CredentialReference,
		probeUrl: string,
	) {
		this.#instance = instance;
		this.url = instance.url;
		this.client = client;
		this.credential = credential;
		this.probeUrl = probeUrl;
	}

	/** @param userFolder prepared and removed by the caller; without it a temporary one is used */
	static async start(
		tarball: string,
		service: { url: string; apiKey: string },
		userFolder?: string,
	): Promise<BenchN8n> {
		const probePort = await findFreePort();
		const probe = pathToFileURL(join(import.meta.dirname, 'probe.mts')).href;
		const env = {
			NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${probe}`,
			BENCH_PROBE_PORT: String(probePort),
		};
		const instance = await startN8n({ tarball, userFolder, env });
		const client = await connect(instance.url);
		const data = { baseUrl: service.url, apiKey: service.apiKey };
		const credential = await client.createCredential('pageAudienceApi', 'Benchmark', data);
		return new BenchN8n(instance, client, credential, `http://127.0.0.1:${probePort}`);
	}

	/** Publishes a workflow, so that it runs as in production. A manual run reports every request to the editor. */
	async publish(workflow: Workflow): Promise<string> {
		const { id } = await this.client.createWorkflow(workflow);
		await this.client.activate(id);
		for (;;) {
			const { status } = await this.client.publicationStatus(id);
			if (status === 'published') return id;
			if (status === 'failed') throw new Error(`n8n could not publish "${workflow.name}"`);
			await sleep(50);
		}
	}

	/**
	 * Runs a published workflow to its end and reads the measured node's time, as n8n took it, from the stored
	 * execution, which it then deletes. Nothing calls n8n while it works: its webhook responds when the workflow has
	 * finished.
	 */
	async run(id: string, workflow: Workflow, input: JsonObject): Promise<Run> {
		const { reading } = await this.read(async () => await this.answer(workflow, input));
		const [execution] = await this.client.listExecutions(id);
		if (!execution) throw new IncompleteError('n8n stored no execution');
		const { data, status } = await this.#readEnded(execution.id);
		await this.client.session.request('POST', '/rest/executions/delete', { ids: [execution.id] });
		const [task] = (parse(data) as ExecutionData).resultData.runData[measured] ?? [];
		requireSuccess({ status });
		if (!task) throw new IncompleteError('the measured node did not run');
		const items = (task.data?.main?.[0] ?? []).map(({ json }) => json);
		return { ms: task.executionTime, items, reading };
	}

	/** Runs a published workflow that is not stored. Returns the first item of its last node. */
	async runUnstored(
		workflow: Workflow,
		input: JsonObject,
	): Promise<{ answer: JsonObject; reading: Reading }> {
		const { done, reading } = await this.read(async () => await this.answer(workflow, input));
		return { answer: done, reading };
	}

	/** Runs a published workflow until its execution is stored. Returns the first item of its last node. */
	async runStored(
		id: string,
		workflow: Workflow,
		input: JsonObject,
	): Promise<{ answer: JsonObject; reading: Reading }> {
		const { done, reading } = await this.read(async () => {
			const answer = await this.answer(workflow, input);
			for (;;) {
				const [execution] = await this.client.listExecutions(id);
				if (execution?.status === 'success') return answer;
				await sleep(200);
			}
		});
		return { answer: done, reading };
	}

	/** Reads what n8n's process needs during `work`. */
	async read<Done>(work: () => Promise<Done>): Promise<{ done: Done; reading: Reading }> {
		await this.#probe('start');
		const done = await work();
		return { done, reading: await this.#probe('stop') };
	}

	/** The polls of the package's trigger so far, in milliseconds each; null for one that is under way. */
	async pollsMs(): Promise<Reading['pollsMs']> {
		return (await this.#probe('look')).pollsMs;
	}

	async answer(workflow: Workflow, input: JsonObject): Promise<JsonObject> {
		// `fetch` gives up after five minutes without a response.
		const { status, data: text } = await axios.post<string>(this.#webhook(workflow), input, {
			maxBodyLength: Infinity,
			proxy: false,
			responseType: 'text',
			transformResponse: (text: string) => text,
			validateStatus: () => true,
		});
		if (status !== 200) throw new IncompleteError(`the workflow responded ${status}: ${text}`);
		return JSON.parse(text) as JsonObject;
	}

	async stop(): Promise<void> {
		await this.#instance.stop();
	}

	async #readEnded(id: string): Promise<StoredExecution> {
		for (;;) {
			const stored = await this.client.session.request<StoredExecution>(
				'GET',
				`/rest/executions/${id}`,
			);
			if (isOver(stored)) return stored;
			await sleep(20);
		}
	}

	#webhook(workflow: Workflow): string {
		return `${this.url}/webhook/${webhookPath(workflow.name)}`;
	}

	async #probe(step: 'start' | 'look' | 'stop'): Promise<Reading> {
		return (await (await fetch(`${this.probeUrl}/${step}`)).json()) as Reading;
	}
}
