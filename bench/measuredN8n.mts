import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axios from 'axios';
import { type Sandbox, startSandbox } from '../sandbox/index.mts';
import { atEnd } from '../tools/lifetime.mts';
import { connect, type N8nClient } from '../tools/n8n/client.mts';
import type { JsonObject } from '../tools/n8n/execution.mts';
import { N8n } from '../tools/n8n/n8n.mts';
import type { CredentialReference, Workflow } from '../tools/n8n/workflow.mts';
import { packPackage } from '../tools/package.mts';
import { findFreePort } from '../tools/ports.mts';
import type { NodeRun, ProbeReading } from './probe.mts';
import { webhookPath } from './workflows.mts';

/** The sandbox as the service, and a real n8n with the packed package and a probe in its process. */
export class MeasuredN8n {
	readonly sandbox: Sandbox;
	readonly server: N8n;
	readonly client: N8nClient;
	readonly credential: CredentialReference;
	readonly #probeUrl: string;
	#seenRuns = 0;

	private constructor(
		sandbox: Sandbox,
		server: N8n,
		client: N8nClient,
		credential: CredentialReference,
		probeUrl: string,
	) {
		this.sandbox = sandbox;
		this.server = server;
		this.client = client;
		this.credential = credential;
		this.#probeUrl = probeUrl;
	}

	/** @param latencyMs the delay of every response, in addition to the sandbox's own work */
	static async open(latencyMs: number, env: NodeJS.ProcessEnv = {}): Promise<MeasuredN8n> {
		const { tarball } = await packPackage();
		const sandbox = await startSandbox({ latencyMs, validateResponses: false });
		const port = await findFreePort();
		const probe = pathToFileURL(join(import.meta.dirname, 'probe.mts')).href;
		const server = new N8n({
			tarball,
			withEditor: false,
			env: {
				NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${probe}`,
				PROBE_PORT: String(port),
				// For a webhook's body of 200,000 contacts.
				N8N_PAYLOAD_SIZE_MAX: '256',
				// As n8n does by default: the tests save isolates.
				N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false',
				N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'false',
				...env,
			},
		});
		atEnd(async () => await server.remove());
		const client = await connect(await server.start());
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const credential = await client.createCredential('pageAudienceApi', 'Sandbox', data);
		return new MeasuredN8n(sandbox, server, client, credential, `http://127.0.0.1:${port}`);
	}

	/** Publishes a workflow, so that it runs as in production: a manual run reports every request to the editor. */
	async publish(workflow: Workflow): Promise<string> {
		const { id } = await this.client.createWorkflow(workflow);
		await this.client.publish(id);
		return id;
	}

	/**
	 * Runs a published workflow to its end: its webhook responds with the first item of its last node. Nothing else sends
	 * requests to n8n while it works.
	 */
	async run({ name }: Workflow, input: JsonObject): Promise<{ answer: JsonObject; ms: number }> {
		const startedAt = performance.now();
		// `fetch` gives up after five minutes without a response.
		const { status, data } = await axios.post<JsonObject>(
			`${this.server.url}/webhook/${webhookPath(name)}`,
			input,
			{ maxBodyLength: Infinity, proxy: false, validateStatus: () => true },
		);
		const ms = performance.now() - startedAt;
		if (status !== 200) throw new Error(`"${name}" responded ${status}: ${JSON.stringify(data)}`);
		return { answer: data, ms };
	}

	/** The same for a workflow with one node that the probe watches. */
	async runNode(
		workflow: Workflow,
		input: JsonObject,
	): Promise<{ answer: JsonObject; node: NodeRun }> {
		await this.probe('/collect');
		await this.newRuns();
		const { answer } = await this.run(workflow, input);
		const [node, ...others] = await this.newRuns();
		if (!node || others.length > 0) throw new Error(`"${workflow.name}" ran ${others.length} more`);
		return { answer, node };
	}

	/** What the watched nodes did since the last call. */
	async newRuns(): Promise<NodeRun[]> {
		const { runs } = await this.probe('/');
		return runs.slice(this.#seenRuns, (this.#seenRuns = runs.length));
	}

	async probe(path: '/' | '/collect'): Promise<ProbeReading> {
		return (await (await fetch(this.#probeUrl + path)).json()) as ProbeReading;
	}

	async close(): Promise<void> {
		await this.server.remove();
		await this.sandbox.close();
	}
}
