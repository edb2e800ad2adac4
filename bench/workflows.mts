import type { JsonObject } from '../tools/n8n/execution.mts';
import type { CredentialReference, Workflow, WorkflowNode } from '../tools/n8n/workflow.mts';

/** The source and the type of every person log. */
const written = { source: 'crm', type: 'contact-synced' };

/** @param type with the name of its package, but for `n8n-nodes-` */
export function node(type: string, typeVersion: number, parameters: JsonObject): WorkflowNode {
	const [, name] = type.split('.');
	return { name, type: `n8n-nodes-${type}`, typeVersion, position: [0, 0], parameters };
}

export const ownNode = (
	parameters: JsonObject,
	pageAudienceApi: CredentialReference,
	type = 'pageAudience',
): WorkflowNode => ({
	...node(`page-audience.${type}`, 1, parameters),
	credentials: { pageAudienceApi },
});

/** n8n's HTTP Request node with the same credential. */
export const httpNode = (
	parameters: JsonObject,
	pageAudienceApi: CredentialReference,
	name = 'httpRequest',
): WorkflowNode => ({
	...node('base.httpRequest', 4.5, {
		options: {},
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'pageAudienceApi',
		...parameters,
	}),
	name,
	credentials: { pageAudienceApi },
});

/** One person log for each contact, with six fields dragged from it. */
export function logParameters(options: JsonObject): JsonObject {
	const fields = { crmId: 'id', company: 'company', stage: 'stage', owner: 'owner' };
	return {
		resource: 'personLog',
		operation: 'create',
		...written,
		person: { name: '={{ $json.name }}', email: '={{ $json.email }}' },
		payloadMode: 'fields',
		payloadFields: {
			assignments: Object.entries(fields).map(([name, field]) => {
				return { id: name, name, type: 'string', value: `={{ $json.${field} }}` };
			}),
		},
		options,
	};
}

/** The same body as `logParameters`, written as n8n's documentation shows it. */
export function httpLogParameters(url: string): JsonObject {
	const value = (field: string): string => `"{{ $json.${field} }}"`;
	const payload = `{"crmId": ${value('id')}, "company": ${value('company')}, "stage": ${value('stage')}, "owner": ${value('owner')}}`;
	const { source, type } = written;
	return httpPost(
		`${url}/v0/person_logs`,
		`{"source": "${source}", "type": "${type}", "name": ${value('name')}, "email": ${value('email')}, "payload": ${payload}}`,
	);
}

export const httpPost = (url: string, json: string): JsonObject => ({
	method: 'POST',
	url,
	sendBody: true,
	specifyBody: 'json',
	jsonBody: `=${json}`,
});

export const httpGet = (url: string, query: Record<string, string>): JsonObject => ({
	url,
	sendQuery: true,
	queryParameters: {
		parameters: Object.entries(query).map(([name, value]) => ({ name, value })),
	},
});

/** A whole list by the HTTP Request node's own pagination: one item per page. */
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
	return { ...httpGet(url, { limit: '100', ...query }), options: { pagination: { pagination } } };
}

/** One item for each element of a list in the item before. */
export const splitOut = (fieldToSplitOut: string): WorkflowNode =>
	node('base.splitOut', 1, { fieldToSplitOut, options: {} });

export const splitContacts = splitOut('body.contacts');

export const doNothing = node('base.noOp', 1, {});

/** Counts the items, and the different IDs among them. */
export const countIds = (field: string): WorkflowNode =>
	node('base.summarize', 1.1, {
		fieldsToSummarize: {
			values: ['count', 'countUnique'].map((aggregation) => ({ aggregation, field })),
		},
		options: {},
	});

/** @param responseMode `lastNode` responds when the workflow has finished */
export const webhookNode = (path: string, responseMode: string): WorkflowNode => ({
	...node('base.webhook', 2, { httpMethod: 'POST', path, responseMode, options: {} }),
	webhookId: path,
});

/** A webhook, followed by one node after another. Nothing is stored. */
export const chain = (name: string, steps: WorkflowNode[]): Workflow => ({
	...connect(name, [webhookNode(name, 'lastNode'), ...steps]),
	settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
});

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
