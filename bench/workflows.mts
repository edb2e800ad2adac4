import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../tools/n8n/execution.mts';
import type { CredentialReference, Workflow, WorkflowNode } from '../tools/n8n/workflow.mts';
import { requireEqual } from './measure.mts';

/** The source and the type of every person log. */
const written = { source: 'crm', type: 'contact-synced' };

export const webhookPath = (workflowName: string): string =>
	workflowName.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: JsonObject,
): WorkflowNode {
	return { name, type, typeVersion, position: [0, 0], parameters };
}

export function ownNode(parameters: JsonObject, credential: CredentialReference): WorkflowNode {
	return {
		...node('Page Audience', 'n8n-nodes-page-audience.pageAudience', 1, parameters),
		credentials: { pageAudienceApi: credential },
	};
}

/** n8n's HTTP Request node with the same credential. */
export function httpNode(
	name: string,
	parameters: JsonObject,
	credential: CredentialReference,
): WorkflowNode {
	const authentication = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'pageAudienceApi',
	};
	return {
		...node(name, 'n8n-nodes-base.httpRequest', 4.5, {
			options: {},
			...authentication,
			...parameters,
		}),
		credentials: { pageAudienceApi: credential },
	};
}

/** One person log for each contact, with six fields dragged from it. */
export function logParameters(options: JsonObject): JsonObject {
	const assignment = (name: string, field: string) => ({
		...{ id: name, name, type: 'string' },
		value: `={{ $json.${field} }}`,
	});
	return {
		resource: 'personLog',
		operation: 'create',
		...written,
		person: { name: '={{ $json.name }}', email: '={{ $json.email }}' },
		payloadMode: 'fields',
		payloadFields: {
			assignments: [
				assignment('crmId', 'id'),
				...['company', 'stage', 'owner'].map((field) => assignment(field, field)),
			],
		},
		options,
	};
}

/** A sync that sends what is new or changed, told by `version`. */
export const syncParameters = (version: string): JsonObject => ({
	...logParameters({
		onlyNewOrChanged: {
			value: { recordId: '={{ $json.id }}', recordVersion: `={{ $json.${version} }}` },
		},
	}),
});

/** The same body as `logParameters`, written as n8n's documentation shows it. */
export function httpLogParameters(url: string): JsonObject {
	const value = (field: string): string => `"{{ $json.${field} }}"`;
	const payload = `{"crmId": ${value('id')}, "company": ${value('company')}, "stage": ${value('stage')}, "owner": ${value('owner')}}`;
	return {
		method: 'POST',
		url: `${url}/v0/person_logs`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={"source": "${written.source}", "type": "${written.type}", "name": ${value('name')}, "email": ${value('email')}, "payload": ${payload}}`,
	};
}

/** A whole list by the HTTP Request node's own pagination: one item per page. */
/** @param query besides the page size and the cursor */
export function httpListParameters(url: string, query: Record<string, string> = {}): JsonObject {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: {
			parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.nextCursor }}' }],
		},
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.hasMore }}',
	};
	// The first page needs no cursor: there is no response yet to read one from.
	return {
		url,
		sendQuery: true,
		queryParameters: {
			parameters: Object.entries({ limit: '100', ...query }).map(([name, value]) => ({
				name,
				value,
			})),
		},
		options: { pagination: { pagination } },
	};
}

/** One item for each element of a list in the item before. */
export const splitOut = (fieldToSplitOut: string): WorkflowNode =>
	node('Split Out', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut, options: {} });

export const splitContacts = splitOut('body.contacts');

/** Counts the items, and the different IDs among them: see `requireEach`. */
export const countIds = (field: string): WorkflowNode =>
	node('Count', 'n8n-nodes-base.summarize', 1.1, {
		fieldsToSummarize: {
			values: ['count', 'countUnique'].map((aggregation) => ({ aggregation, field })),
		},
		options: {},
	});

/** Requires so many items, each with an ID of its own, from what `countIds` counted. */
export function requireEach(field: string, expected: number, counted: JsonObject): void {
	requireEqual(`Items with ${field}`, expected, counted[`count_${field}`]);
	requireEqual(`Different ${field}`, expected, counted[`unique_count_${field}`]);
}

/** A webhook that responds when the workflow has finished, followed by one node after another. Nothing is stored. */
export function chain(name: string, steps: WorkflowNode[]): Workflow {
	const path = webhookPath(name);
	const parameters = { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} };
	const webhook = node('Webhook', 'n8n-nodes-base.webhook', 2, parameters);
	return {
		...connect(name, [{ ...webhook, webhookId: path }, ...steps]),
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	};
}

/** The trigger of this package on a subscription. */
export function ownTrigger(
	subscriptionId: string,
	options: JsonObject,
	credential: CredentialReference,
): WorkflowNode {
	const parameters = {
		subscriptionId: { __rl: true, mode: 'id', value: subscriptionId },
		events: ['form.submitted'],
		options,
	};
	return {
		...node('Trigger', 'n8n-nodes-page-audience.pageAudienceTrigger', 1, parameters),
		credentials: { pageAudienceApi: credential },
		webhookId: randomUUID(),
	};
}

/** Nodes one after another. */
export function connect(name: string, nodes: WorkflowNode[]): Workflow {
	const next = nodes
		.slice(1)
		.map((to, i) => [nodes[i].name, { main: [[{ node: to.name, type: 'main', index: 0 }]] }]);
	return {
		name,
		nodes: nodes.map((each, i) => ({ ...each, position: [200 * i, 0] })),
		connections: Object.fromEntries(next) as Workflow['connections'],
	};
}
