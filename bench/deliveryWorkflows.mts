import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from '../tools/n8n/workflow.mts';
import type { BenchN8n } from './n8n.mts';
import { minimalTriggerType } from './benchPackage.mts';

/** A trigger, and the URL it receives deliveries at. */
export type Entrance = {
	trigger: Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters' | 'credentials' | 'webhookId'>;
	/** Called after the workflow is published. */
	url(): Promise<string>;
};

/** The trigger of this package. It registers its URL with the subscription. */
export function ownEntrance(
	{ credential }: BenchN8n,
	subscriptionId: string,
	url: Entrance['url'],
): Entrance {
	const parameters = {
		subscriptionId: { __rl: true, mode: 'id', value: subscriptionId },
		events: ['form.submitted'],
		options: {},
	};
	const type = 'n8n-nodes-page-audience.pageAudienceTrigger';
	const credentials = { pageAudienceApi: credential };
	return { trigger: { type, typeVersion: 1, parameters, credentials, ...newWebhookId() }, url };
}

export function minimalEntrance({ url }: BenchN8n): Entrance {
	const id = newWebhookId();
	return {
		trigger: { type: minimalTriggerType, typeVersion: 1, parameters: {}, ...id },
		url: () => Promise.resolve(`${url}/webhook/${id.webhookId}/webhook`),
	};
}

/** n8n's own Webhook node, which also responds at once. */
export function webhookEntrance({ url }: BenchN8n): Entrance {
	const id = newWebhookId();
	const parameters = {
		httpMethod: 'POST',
		path: id.webhookId,
		responseMode: 'onReceived',
		options: {},
	};
	return {
		trigger: { type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters, ...id },
		url: () => Promise.resolve(`${url}/webhook/${id.webhookId}`),
	};
}

const newWebhookId = (): { webhookId: string } => ({ webhookId: randomUUID() });

/** The trigger and one node that does nothing. Every execution is stored, independent of the instance's default. */
export function startedBy({ trigger }: Entrance, name: string, triggerName: string): Workflow {
	const end = 'No Operation';
	return {
		name,
		nodes: [
			{ ...trigger, name: triggerName, position: [0, 0] },
			{
				name: end,
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { [triggerName]: { main: [[{ node: end, type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
			saveExecutionProgress: false,
		},
	};
}
