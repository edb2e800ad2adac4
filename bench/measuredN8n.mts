import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axios from 'axios';
import { startSandbox } from '../sandbox/index.mts';
import { atEnd } from '../tools/lifetime.mts';
import { connect } from '../tools/n8n/client.mts';
import type { JsonObject } from '../tools/n8n/execution.mts';
import { installN8n } from '../tools/n8n/install.mts';
import { N8n } from '../tools/n8n/n8n.mts';
import type { Workflow, WorkflowNode } from '../tools/n8n/workflow.mts';
import { packPackage } from '../tools/package.mts';
import { findFreePort } from '../tools/ports.mts';
import { requireEqual } from './measure.mts';
import type { NodeRun } from './probe.mts';
import { chain, countIds } from './workflows.mts';

export type MeasuredN8n = Awaited<ReturnType<typeof openMeasuredN8n>>;

/**
 * The sandbox as the service, and a real n8n with the packed package and a probe in its process.
 * @param latencyMs the delay of every response, in addition to the sandbox's own work
 */
export async function openMeasuredN8n(latencyMs: number) {
	await installN8n();
	const { tarball } = await packPackage();
	const sandbox = await startSandbox({ latencyMs, validateResponses: false });
	const probePort = String(await findFreePort());
	const probe = pathToFileURL(join(import.meta.dirname, 'probe.mts')).href;
	const env = {
		NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${probe}`,
		PROBE_PORT: probePort,
		// For a webhook's body of 200,000 contacts.
		N8N_PAYLOAD_SIZE_MAX: '256',
		// As n8n does by default: the tests save isolates.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'false',
		N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'false',
	};
	const server = new N8n({ tarball, withEditor: false, env });
	atEnd(async () => await server.remove());
	const client = await connect(await server.start());
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const credential = await client.createCredential('pageAudienceApi', 'Sandbox', data);

	/** Publishes a workflow, so that it runs as in production: a manual run reports every request to the editor. */
	async function publish(workflow: Workflow): Promise<string> {
		const { id } = await client.createWorkflow(workflow);
		await client.publish(id);
		return id;
	}

	/** What the watched nodes did since the last call. The next one begins without garbage if that is wanted. */
	const newRuns = async (next: '' | 'clean' = ''): Promise<NodeRun[]> =>
		(await (await fetch(`http://127.0.0.1:${probePort}/${next}`)).json()) as NodeRun[];

	/**
	 * Publishes nodes behind a webhook, which responds when they have finished.
	 * @param id what each output has another one of
	 * @returns what runs them, and tells what the watched ones of them did, and how long n8n took to respond. Nothing else
	 * sends requests to n8n meanwhile
	 */
	async function prepare(name: string, steps: WorkflowNode[], id: string) {
		await publish(chain(name, [...steps, countIds(id)]));
		return async (input: JsonObject, outputs: number) => {
			await newRuns('clean');
			const startedAt = performance.now();
			const { status, data } = await axios.post<JsonObject>(
				`${server.url}/webhook/${encodeURIComponent(name)}`,
				input,
				// `fetch` gives up after five minutes without a response.
				{ maxBodyLength: Infinity, proxy: false, validateStatus: () => true },
			);
			const responseMs = performance.now() - startedAt;
			requireEqual(`Status of "${name}", ${JSON.stringify(data)}`, 200, status);
			requireEqual(`Items with ${id}`, outputs, data[`count_${id}`]);
			requireEqual(`Different ${id}`, outputs, data[`unique_count_${id}`]);
			return Object.assign((await newRuns()) as [NodeRun, ...NodeRun[]], { responseMs });
		};
	}

	async function close(): Promise<void> {
		await server.remove();
		await sandbox.close();
	}
	return { sandbox, server, client, credential, publish, prepare, close };
}
