import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../../tools/n8n/client.mts';
import type { Execution, JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference, Workflow } from '../../tools/n8n/workflow.mts';
import { connectToShared } from './sharedN8n.mts';

/** The names of the nodes that `runNode` makes. */
export const trigger = 'Start';
export const tested = 'Tested';

export type Workbench = {
	client: N8nClient;
	sandbox: Sandbox;
	credential: CredentialReference;
	/** Runs the action node with these input items, in a workflow of its own. `settings` are the node's, as On Error. */
	runNode(parameters: JsonObject, items: JsonObject[], settings?: JsonObject): Promise<Execution>;
	/** The API's own response to a GET. The sandbox records this request too. */
	read(path: string): Promise<unknown>;
	close(): Promise<void>;
};

/** The running n8n, a sandbox of this test file's own, and a credential for it. */
export async function openWorkbench(): Promise<Workbench> {
	const sandbox = await startSandbox();
	const client = connectToShared();
	const { apiKey } = sandbox;
	const data = { baseUrl: sandbox.url, apiKey };
	const credential = await client.createCredential('pageAudienceApi', 'Sandbox', data);

	async function runNode(
		parameters: JsonObject,
		items: JsonObject[],
		settings: JsonObject = {},
	): Promise<Execution> {
		const { id } = await client.createWorkflow(describeWorkflow(parameters, credential, settings));
		try {
			const input = items.map((json) => ({ json }));
			return await client.waitForExecution(await client.runWorkflow(id, trigger, input));
		} finally {
			await client.deleteWorkflow(id);
		}
	}
	async function read(path: string): Promise<unknown> {
		const response = await fetch(sandbox.url + path, { headers: { 'x-api-key': apiKey } });
		if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
		return await response.json();
	}
	return { client, sandbox, credential, runNode, read, close: () => sandbox.close() };
}

/** A workflow of a manual trigger and the node. */
export function describeWorkflow(
	parameters: JsonObject,
	credential: CredentialReference,
	settings: JsonObject = {},
): Workflow {
	return {
		name: 'End to end',
		nodes: [
			{
				name: trigger,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				name: tested,
				type: 'n8n-nodes-page-audience.pageAudience',
				typeVersion: 1,
				position: [220, 0],
				parameters,
				credentials: { pageAudienceApi: credential },
				...settings,
			},
		],
		connections: { [trigger]: { main: [[{ node: tested, type: 'main', index: 0 }]] } },
	};
}
