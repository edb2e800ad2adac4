import {
	credentialType,
	readExample,
	withCredential,
	type Example,
} from '../../../tools/start/starter.mts';
import type { JsonObject } from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow, WorkflowNode } from '../../../tools/n8n/workflow.mts';
import type { Workbench } from '../workbench.mts';

/** Imports the file as the editor's "Import from file" saves it, then chooses the credential in its nodes. */
export async function importExample(
	{ client, credential }: Workbench,
	example: Example,
): Promise<StoredWorkflow> {
	const { id, nodes } = await client.createWorkflow(readExample(example));
	if (nodes.some(({ credentials }) => credentials?.[credentialType])) {
		throw new Error(`examples/ holds a credential: ${example}`);
	}
	return await client.updateWorkflow(id, { nodes: withCredential(nodes, credential) });
}

/** Stores other parameters in one node, as somebody who opens it and types them in. */
export async function changeNode(
	{ client }: Workbench,
	{ id }: StoredWorkflow,
	name: string,
	change: JsonObject,
): Promise<void> {
	const { nodes } = await client.getWorkflow(id);
	findNode(nodes, name);
	await client.updateWorkflow(id, {
		nodes: nodes.map((node) =>
			node.name === name ? { ...node, parameters: { ...node.parameters, ...change } } : node,
		),
	});
}

export function findNode(nodes: WorkflowNode[], name: string): WorkflowNode {
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`No node is called "${name}"`);
	return node;
}
