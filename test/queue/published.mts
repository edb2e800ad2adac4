import { randomUUID } from 'node:crypto';
import type { N8nClient } from '../../tools/n8n/client.mts';
import type { JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference } from '../../tools/n8n/workflow.mts';
import { describeWorkflow, tested } from '../e2e/workbench.mts';

/** A workflow and the path of its webhook. */
export type Published = { workflowId: string; path: string };

const receive = 'Receive';
const split = 'Split';

/**
 * A published workflow whose execution starts with the items that its webhook receives.
 * After a crash, n8n retries only executions that it did not start by hand.
 */
export async function publishWorkflow(
	client: N8nClient,
	parameters: JsonObject,
	credential: CredentialReference,
	settings: JsonObject = {},
): Promise<Published> {
	const path = randomUUID();
	const node = describeWorkflow(parameters, credential).nodes.find(({ name }) => name === tested);
	if (!node) throw new Error(`There is no "${tested}"`);
	const to = (next: string) => ({ main: [[{ node: next, type: 'main' as const, index: 0 }]] });
	const workflow = await client.createWorkflow({
		name: 'Queue mode',
		nodes: [
			{
				name: receive,
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				parameters: { httpMethod: 'POST', path },
				webhookId: path,
			},
			{
				name: split,
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				position: [220, 0],
				parameters: { fieldToSplitOut: 'body.items' },
			},
			{ ...node, ...settings, position: [440, 0] },
		],
		connections: { [receive]: to(split), [split]: to(tested) },
	});
	await client.publish(workflow.id);
	return { workflowId: workflow.id, path: `/webhook/${path}` };
}
