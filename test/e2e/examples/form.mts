import type { Delivery, Sandbox } from '../../../sandbox/index.mts';
import type { N8nClient } from '../../../tools/n8n/client.mts';
import {
	itemsOf,
	listFailures,
	type Execution,
	type JsonObject,
} from '../../../tools/n8n/execution.mts';
import type { StoredWorkflow } from '../../../tools/n8n/workflow.mts';
import type { Workbench } from '../workbench.mts';
import { changeNode, findNode, importExample } from './importing.mts';

const trigger = 'When a form is submitted';

/** `open` gives the bench that all examples share. */
export const describeForm = (open: () => Workbench): void =>
	describe('a submitted form', () => {
		let bench: Workbench;
		const imported: StoredWorkflow[] = [];
		beforeAll(() => {
			bench = open();
			bench.sandbox.reset();
		});
		afterAll(async () => {
			for (const workflow of imported) {
				await bench.client.unpublish(workflow.id);
				await bench.client.deleteWorkflow(workflow.id);
			}
		});

		async function importForm(): Promise<StoredWorkflow> {
			const workflow = await importExample(bench, 'form');
			imported.push(workflow);
			return workflow;
		}

		test('a submitted form becomes a person log and a chat message', async () => {
			const workflow = await importForm();
			await bench.client.publish(workflow.id);
			const outcome = await submitForm(bench.client, bench.sandbox, workflow.id);
			expect(findFormDeviations(outcome)).toEqual([]);
			expect(readMessage(outcome)).toBe(
				'New form submission from Nora Lindgren, nora.lindgren@fjordfreight.example, Fjord Freight on ' +
					'"Product demo for logistics teams | Northwind": Can we see it with our own data?',
			);
			const [{ body }] = outcome.logs;
			expect(body.payload).toMatchObject({ delivery: { event: 'form.submitted' } });
		});

		test('two copies in one n8n have separate URLs and can both be published', async () => {
			const [first] = imported;
			const second = await importForm();
			const ids = [first, second].map(({ nodes }) => findNode(nodes, trigger).webhookId);
			expect(ids).toEqual([expect.any(String), expect.any(String)]);
			expect(ids[0]).not.toBe(ids[1]);
			const { store } = bench.sandbox;
			const other = store.subscriptions.all().find(({ events }) => events === null);
			const subscriptionId = { __rl: true, mode: 'id', value: other?.subscriptionId };
			await changeNode(bench, second, trigger, { subscriptionId });
			await bench.client.publish(second.id);
			const active = store.subscriptions
				.all()
				.filter(({ active: isActive, url }) => isActive && url.includes('/webhook'));
			expect(active.map(({ url }) => url.split('?')[0])).toEqual(
				ids.map((id) => expect.stringContaining(`/webhook/${id}/webhook`) as string),
			);
		});
	});

/** The nodes of the example that the check reads. */
const formNodes = { log: 'Write person log', message: 'Readable message' };

/** What a visitor enters into the form of the sandbox's page. */
const visitor = {
	name: 'Nora Lindgren',
	email: 'nora.lindgren@fjordfreight.example',
	company: 'Fjord Freight',
	message: 'Can we see it with our own data?',
};

/** Everything that one form led to. */
type FormOutcome = {
	executions: Execution[];
	deliveries: Delivery[];
	/** The person logs that the sandbox received. */
	logs: Array<{ body: JsonObject; status: number | undefined }>;
};

/** Submits the form of the sandbox's page, and waits for the executions. */
async function submitForm(
	client: N8nClient,
	sandbox: Sandbox,
	workflowId: string,
): Promise<FormOutcome> {
	const [page] = sandbox.store.pages.all();
	const before = { deliveries: sandbox.deliveries.length, requests: sandbox.requests.length };
	const executions = await client.collectExecutions(workflowId, async () => {
		const response = await fetch(`${sandbox.url}/sandbox/form`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ pageId: page?.pageId, ...visitor }),
		});
		if (!response.ok) throw new Error(`The sandbox responded ${response.status} to the form`);
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

const readMessage = ({ executions: [first] }: FormOutcome): string =>
	text(firstJson(first, formNodes.message).message);

/** Compares the form with the executions and the person logs. Returns the deviations. */
function findFormDeviations({ executions, deliveries, logs }: FormOutcome): string[] {
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
