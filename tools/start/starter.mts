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

export function readExample(example: Example): Workflow {
	const path = join(root, `examples/${examples[example]}.json`);
	return JSON.parse(readFileSync(path, 'utf8')) as Workflow;
}

/** Adds all of them to an n8n, with a credential for the sandbox. */
export async function addExamples(
	client: N8nClient,
	{ url: baseUrl, apiKey }: { url: string; apiKey: string },
): Promise<void> {
	const data = { baseUrl, apiKey };
	const credential = await client.createCredential(credentialType, 'Page Audience sandbox', data);
	for (const example of Object.keys(examples) as Example[]) {
		const workflow = readExample(example);
		const nodes = withCredential(workflow.nodes, credential);
		await client.createWorkflow({ ...workflow, nodes, pinData: samples[example] });
	}
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
