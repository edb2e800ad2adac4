import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { N8nClient } from '../n8n/client.mts';
import type { Execution } from '../n8n/execution.mts';
import type {
	CredentialReference,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from '../n8n/workflow.mts';
import { root } from '../root.mts';
import { samples } from './samples.mts';

const credentialType = 'pageAudienceApi';
const credentialName = 'Page Audience sandbox';
/** The starter workflows, by their files. */
export const examples = {
	contacts: 'crm-contacts-to-person-logs',
	sync: 'crm-to-persons-and-logs',
	form: 'form-submitted-to-person-log',
	export: 'weekly-export-of-audience-sessions',
	digest: 'account-activity-digest',
	overrides: 'audience-overrides-from-a-sheet',
	alert: 'failed-enrichment-alert',
	agent: 'agent-that-asks-before-it-writes',
	mcp: 'let-ai-clients-read-through-mcp',
	service: 'what-does-my-service-do',
	deaf: 'alert-me-when-a-trigger-stops-receiving-events',
} as const;
export type Example = keyof typeof examples;
export const exampleNames = Object.keys(examples) as Example[];

export function readExample(example: Example): Workflow {
	const path = join(root, `examples/${examples[example]}.json`);
	return JSON.parse(readFileSync(path, 'utf8')) as Workflow;
}

/** The credential for this start's sandbox. One from an earlier start gets the new address. */
export async function provideCredential(
	client: N8nClient,
	data: { baseUrl: string; apiKey: string },
): Promise<CredentialReference> {
	const kept = (await client.listCredentials()).find(({ name }) => name === credentialName);
	if (!kept) return await client.createCredential(credentialType, credentialName, data);
	await client.updateCredential(kept.id, credentialType, credentialName, data);
	return { id: kept.id, name: kept.name };
}

/** The example with the credential in it. One from an earlier start stays unchanged. */
export async function provideWorkflow(
	client: N8nClient,
	credential: CredentialReference,
	example: Example,
): Promise<StoredWorkflow> {
	const workflow = readExample(example);
	const kept = (await client.listWorkflows()).find(
		({ name, isArchived }) => name === workflow.name && !isArchived,
	);
	if (kept) return await client.getWorkflow(kept.id);
	const nodes = withCredential(workflow.nodes, credential);
	return await client.createWorkflow({ ...workflow, nodes, pinData: samples[example] });
}

/** The nodes, with the credential in those of the package. */
export const withCredential = (
	nodes: WorkflowNode[],
	credential: CredentialReference,
): WorkflowNode[] =>
	nodes.map((node) =>
		node.type.startsWith('n8n-nodes-page-audience.') ||
		node.parameters.nodeCredentialType === credentialType
			? { ...node, credentials: { [credentialType]: credential } }
			: node,
	);

export async function runOnce(client: N8nClient, workflow: StoredWorkflow): Promise<Execution> {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	if (!trigger) throw new Error(`"${workflow.name}" has no manual trigger`);
	return await client.waitForExecution(await client.runWorkflow(workflow.id, trigger.name));
}
