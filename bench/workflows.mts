import type { JsonObject } from '../tools/n8n/execution.mts';
import type { CredentialReference, Workflow, WorkflowNode } from '../tools/n8n/workflow.mts';
import { bareSenderType, contactsType } from './benchPackage.mts';
import { source, type } from './contacts.mts';

/** The name of the measured node. */
export const measured = 'Measured';

const nodeType = 'n8n-nodes-page-audience.pageAudience';
const httpType = 'n8n-nodes-base.httpRequest';

export function webhookPath(workflowName: string): string {
	return workflowName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function node(name: string, kind: string, typeVersion: number, parameters: JsonObject) {
	return { name, type: kind, typeVersion, position: [0, 0], parameters } satisfies WorkflowNode;
}

export function ownNode(parameters: JsonObject, credential: CredentialReference): WorkflowNode {
	return {
		...node(measured, nodeType, 1, parameters),
		credentials: { pageAudienceApi: credential },
	};
}

/** The HTTP Request node with the same credential. */
export function httpNode(parameters: JsonObject, credential: CredentialReference): WorkflowNode {
	const authentication = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'pageAudienceApi',
	};
	return {
		...node(measured, httpType, 4.5, { ...authentication, ...parameters }),
		credentials: { pageAudienceApi: credential },
	};
}

/** The least that a node can do: it sends each contact through n8n's helper, and reads no parameter for it. */
export function bareSender(atOnce: number, credential: CredentialReference): WorkflowNode {
	return {
		...node(measured, bareSenderType, 1, { atOnce }),
		credentials: { pageAudienceApi: credential },
	};
}

/** One person log per item, with an expression for each value. */
export function logParameters(options: JsonObject): JsonObject {
	return personLogs(
		{ crmId: 'id', company: 'company', stage: 'stage' },
		['name', 'email'],
		options,
	);
}

/** The same with the ID and the email address only: n8n takes most of its time for expressions. */
export function shortLogParameters(options: JsonObject): JsonObject {
	return personLogs({ crmId: 'id' }, ['email'], options);
}

function personLogs(
	payload: Record<string, string>,
	person: string[],
	options: JsonObject,
): JsonObject {
	const assignments = Object.entries(payload).map(([name, field]) => ({
		id: name,
		name,
		value: `={{ $json.${field} }}`,
		type: 'string',
	}));
	return {
		resource: 'personLog',
		operation: 'create',
		source,
		type,
		person: Object.fromEntries(person.map((field) => [field, `={{ $json.${field} }}`])),
		payloadFields: { assignments },
		options,
	};
}

/** The same body, written as n8n's documentation shows it. */
export function httpLogParameters(url: string): JsonObject {
	const value = (field: string): string => `"{{ $json.${field} }}"`;
	const payload = `{"crmId": ${value('id')}, "company": ${value('company')}, "stage": ${value('stage')}}`;
	return {
		method: 'POST',
		url: `${url}/v0/person_logs`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={"source": "${source}", "type": "${type}", "name": ${value('name')}, "email": ${value('email')}, "payload": ${payload}}`,
		options: {},
	};
}

/** All persons by the HTTP Request node's own pagination: one item per page. */
export function httpListParameters(url: string, limit: number): JsonObject {
	return httpPages(`${url}/v0/persons`, limit);
}

/** All sessions of a page, in the same way. */
export function httpSessionsParameters(url: string, pageId: string): JsonObject {
	return httpPages(`${url}/v0/pages/${pageId}/audience_sessions`, 100);
}

/** What the visitor did in the session of each item. */
export function httpInteractionsParameters(url: string): JsonObject {
	return {
		url: `=${url}/v0/audience_sessions/{{ $json.audienceSessionId }}/interactions`,
		options: {},
	};
}

function httpPages(url: string, limit: number): JsonObject {
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
		queryParameters: { parameters: [{ name: 'limit', value: String(limit) }] },
		options: { pagination: { pagination } },
	};
}

/** People whose email address matches, for each contact: one item with a list. */
export function httpSearchParameters(url: string): JsonObject {
	return {
		url: `${url}/v0/persons/search`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'query', value: '={{ $json.email }}' }] },
		options: {},
	};
}

/** Only contacts whose search returned nobody go on. */
export const ifNobodyIsFound = node('Nobody is found', 'n8n-nodes-base.if', 2.2, {
	conditions: {
		options: { version: 2, caseSensitive: true, typeValidation: 'strict' },
		combinator: 'and',
		conditions: [
			{
				leftValue: '={{ $json.items.length }}',
				rightValue: 0,
				operator: { type: 'number', operation: 'equals' },
			},
		],
	},
	options: {},
});

/** A person for each contact that is left. */
export function httpCreateParameters(url: string): JsonObject {
	const value = (field: string): string => `"{{ $('Contacts').item.json.${field} }}"`;
	return {
		method: 'POST',
		url: `${url}/v0/persons`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={"name": ${value('name')}, "email": ${value('email')}}`,
		options: {},
	};
}

/** As many contacts as the webhook's body asks for in `count`, of as many `people`. */
export const manyContacts = node('Contacts', contactsType, 1, {});

/** Splits the webhook's body into one item per contact. */
export const splitContacts = node('Contacts', 'n8n-nodes-base.splitOut', 1, {
	fieldToSplitOut: 'body.contacts',
	options: {},
});

/** Splits the HTTP Request node's pages into records, which the other side outputs itself. */
export const splitPages = node('Records', 'n8n-nodes-base.splitOut', 1, {
	fieldToSplitOut: 'items',
	options: {},
});

/** Counts the received persons, and the distinct ones. */
export const countPersons = node('Count', 'n8n-nodes-base.summarize', 1.1, {
	fieldsToSummarize: {
		values: ['count', 'countUnique'].map((aggregation) => ({ aggregation, field: 'personId' })),
	},
	options: {},
});

/** Counts the received person logs, and the distinct ones. */
export const countLogs = node('Count', 'n8n-nodes-base.summarize', 1.1, {
	fieldsToSummarize: {
		values: ['count', 'countUnique'].map((aggregation) => ({ aggregation, field: 'personLogId' })),
	},
	options: {},
});

/** Counts the sessions that have a list of interactions. */
export const countSessions = node('Count', 'n8n-nodes-base.summarize', 1.1, {
	fieldsToSummarize: { values: [{ aggregation: 'count', field: 'interactions' }] },
	options: {},
});

/** The number of records in a file, as its item says. */
export const sumRecords = node('Sum', 'n8n-nodes-base.summarize', 1.1, {
	fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'records' }] },
	options: {},
});

/** Makes the probe read the memory while the execution holds the records. */
export function readMemory(probeUrl: string): WorkflowNode {
	const asking = node('Read memory', httpType, 4.5, { url: `${probeUrl}/held`, options: {} });
	return { ...asking, executeOnce: true };
}

/** The polling trigger on the sessions of a page: by default every minute, for new ones only. */
export function pollingWorkflow(
	name: string,
	pageId: string,
	credential: CredentialReference,
	more: { pollTimes?: JsonObject; startFrom?: string; next?: WorkflowNode } = {},
): Workflow {
	const { pollTimes = { item: [{ mode: 'everyMinute' }] }, startFrom = 'now', next } = more;
	const trigger = 'Polling';
	const main = next ? [[{ node: next.name, type: 'main' as const, index: 0 }]] : [];
	return {
		name,
		nodes: [
			{
				name: trigger,
				type: 'n8n-nodes-page-audience.pageAudiencePollingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					pollTimes,
					event: 'newSession',
					pageId: { __rl: true, mode: 'id', value: pageId },
					options: { startFrom },
				},
				credentials: { pageAudienceApi: credential },
			},
			...(next ? [{ ...next, position: [200, 0] as [number, number] }] : []),
		],
		connections: { [trigger]: { main } },
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	};
}

/**
 * A webhook that responds when the workflow has finished, followed by `steps`. A step of several nodes runs them one
 * after another on the same items, and continues from the last of them.
 */
export function chain(
	name: string,
	steps: Array<WorkflowNode | WorkflowNode[]>,
	settings: JsonObject = {},
): Workflow {
	const webhook = {
		...node('Webhook', 'n8n-nodes-base.webhook', 2, {
			httpMethod: 'POST',
			path: webhookPath(name),
			responseMode: 'lastNode',
			options: {},
		}),
		webhookId: webhookPath(name),
	};
	const workflow: Workflow = {
		name,
		nodes: [webhook],
		connections: {},
		settings: { executionOrder: 'v1', ...settings },
	};
	let before = webhook.name;
	for (const [column, step] of steps.entries()) {
		const beside = [step].flat();
		// n8n runs the topmost node first.
		beside.forEach((each, row) =>
			workflow.nodes.push({ ...each, position: [200 * (column + 1), 200 * row] }),
		);
		const main = [beside.map((each) => ({ node: each.name, type: 'main' as const, index: 0 }))];
		workflow.connections[before] = { main };
		before = beside.at(-1)?.name ?? before;
	}
	return workflow;
}
