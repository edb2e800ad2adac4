import type { Delivery, Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../n8n/client.mts';
import { itemsOf, listFailures, type Execution, type JsonObject } from '../n8n/execution.mts';
import { formatTable } from '../table.mts';
import { collectExecutions } from './publishing.mts';

/** The nodes of the example that the check reads. */
const formNodes = { log: 'Write person log', message: 'Readable message' };

/** What a visitor of the sandbox's page enters. */
const visitor = {
	name: 'Nora Lindgren',
	email: 'nora.lindgren@fjordfreight.example',
	company: 'Fjord Freight',
	message: 'Can we see it with our own data?',
};

/** Everything that one form led to. */
export type FormOutcome = {
	executions: Execution[];
	deliveries: Delivery[];
	/** The person logs that the sandbox received. */
	logs: Array<{ body: JsonObject; status: number | undefined }>;
};

/** Submits the form of the sandbox's page as a browser would, and waits for the executions. */
export async function submitForm(
	client: N8nClient,
	sandbox: Sandbox,
	workflowId: string,
): Promise<FormOutcome> {
	const [page] = sandbox.store.pages.all();
	const before = { deliveries: sandbox.deliveries.length, requests: sandbox.requests.length };
	const executions = await collectExecutions(client, workflowId, async () => {
		const response = await fetch(`${sandbox.url}/sandbox/form`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ pageId: page?.pageId, ...visitor }),
		});
		if (!response.ok) throw new Error(`The sandbox responded ${response.status} to its form`);
	});
	const logs = sandbox.requests
		.slice(before.requests)
		.filter(({ operationId }) => operationId === 'createPersonLog')
		.map(({ body, status }) => ({ body: body as JsonObject, status }));
	return { executions, deliveries: sandbox.deliveries.slice(before.deliveries), logs };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const firstJson = (execution: Execution | undefined, node: string): JsonObject =>
	(execution && itemsOf(execution, node)[0]?.json) ?? {};

export const readMessage = ({ executions: [first] }: FormOutcome): string =>
	text(firstJson(first, formNodes.message).message);

export function formatFormOutcome({ executions, deliveries, logs }: FormOutcome): string {
	const log = firstJson(executions[0], formNodes.log);
	const answered = deliveries.find(({ status }) => status !== undefined);
	const cells = [
		visitor.name,
		visitor.email,
		String(answered?.status ?? ''),
		executions.map(({ status }) => status).join(' '),
		String(logs.length),
		text(log.personLogId),
		log.createdPerson ? 'yes' : 'no',
	];
	const head = ['form', 'email', 'delivery', 'execution', 'logs', 'person log', 'new person'];
	return formatTable(head, [cells]);
}

/** Compares the form with the executions and the person logs. Returns the deviations. */
export function findFormDeviations({ executions, deliveries, logs }: FormOutcome): string[] {
	const found: string[] = [];
	const taken = deliveries.filter(({ status }) => status === 200);
	if (taken.length !== 1) found.push(`${taken.length} deliveries got the response 200`);
	if (executions.length !== 1) found.push(`one form led to ${executions.length} executions`);
	found.push(...executions.flatMap(listFailures));
	if (logs.length !== 1) found.push(`one form led to ${logs.length} person logs`);
	for (const { body, status } of logs) {
		if (status !== 201) found.push(`the person log got the response ${status}`);
		const { company, message } = (body.payload ?? {}) as JsonObject;
		const arrived: JsonObject = { name: body.name, email: body.email, company, message };
		for (const [field, typed] of Object.entries(visitor)) {
			if (arrived[field] !== typed)
				found.push(`${field} was sent as ${JSON.stringify(arrived[field])}`);
		}
	}
	return found;
}
