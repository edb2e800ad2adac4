import { samples } from '../../../tools/start/samples.mts';
import {
	type Example,
	readExample,
	runOnce,
	withCredential,
} from '../../../tools/start/starter.mts';
import { type Execution, itemsOf, type JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow, WorkflowNode } from '../../../tools/n8n/workflow.mts';
import type { N8nSetup } from '../../n8n/n8nSetup.mts';

/** Imports the file as the editor's "Import from file" saves it, then chooses the credential in its nodes. */
export async function importExample(
	{ client, credential }: Pick<N8nSetup, 'client' | 'credential'>,
	example: Example,
): Promise<StoredWorkflow> {
	const pinData = samples[example];
	const { id, nodes } = await client.createWorkflow({ ...readExample(example), pinData });
	return await client.updateWorkflow(id, { nodes: withCredential(nodes, credential) });
}

/** Clicks its button, and waits until it has succeeded. */
export async function run({ client }: N8nSetup, workflow: StoredWorkflow): Promise<Execution> {
	const execution = await runOnce(client, workflow);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	return execution;
}

/** The items of a node's output. */
export const outputOf = (execution: Execution, node: string): JsonObject[] =>
	itemsOf(execution, node).map(({ json }) => json);

/** Changes one node, as a person does in its panel. */
export async function changeNode(
	{ client }: Pick<N8nSetup, 'client'>,
	{ id }: StoredWorkflow,
	name: string,
	change: (node: WorkflowNode) => Partial<WorkflowNode>,
): Promise<void> {
	const { nodes } = await client.getWorkflow(id);
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`No node is called "${name}"`);
	Object.assign(node, change(node));
	await client.updateWorkflow(id, { nodes });
}
