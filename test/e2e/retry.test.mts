import type { Execution, JsonObject } from '../../tools/n8n/execution.mts';
import { itemsOf } from '../../tools/n8n/execution.mts';
import { describeWorkflow, openWorkbench, tested, trigger, type Workbench } from './workbench.mts';

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

const people = [1, 2, 3, 4, 5].map((n) => ({
	name: `Person ${n}`,
	email: `person.${n}@again.example`,
}));
const once = { concurrency: 1, maxRetries: 0 };

/** Runs the node, which fails, then chooses "Retry with original workflow" in the list of executions. */
async function runAndRetry(
	parameters: JsonObject,
): Promise<{ first: Execution; second: Execution }> {
	const { client, credential } = bench;
	const { id } = await client.createWorkflow(describeWorkflow(parameters, credential));
	const input = people.map((json) => ({ json }));
	const firstId = await client.runWorkflow(id, trigger, input);
	const first = await client.waitForExecution(firstId);
	await client.session.request('POST', `/rest/executions/${firstId}/retry`, {
		loadWorkflow: false,
	});
	const retries = (await client.listExecutions(id)).filter((execution) => execution.id !== firstId);
	expect(retries).toHaveLength(1);
	return { first, second: await client.waitForExecution(retries[0].id) };
}

test('Retry of a failed execution sends the rest and returns every item', async () => {
	bench.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 429, skip: 2 });
	const { first, second } = await runAndRetry({
		resource: 'person',
		operation: 'create',
		name: '={{ $json.name }}',
		additionalFields: { email: '={{ $json.email }}' },
		options: once,
	});
	expect(first.status).toBe('error');
	expect(first.error?.message).toContain('2 of 5 items were written, none from item 3 on');
	expect(second.status).toBe('success');
	expect(itemsOf(second, tested).map(({ json }) => json.email)).toEqual(
		people.map(({ email }) => email),
	);
	const sent = bench.sandbox.requests.map(({ body }) => (body as { email: string }).email);
	expect(sent.map((email) => people.findIndex((one) => one.email === email))).toEqual([
		0, 1, 2, 2, 3, 4,
	]);
});

test('Retry resends a person log that may be stored with the same key', async () => {
	bench.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter', skip: 1 });
	const { first, second } = await runAndRetry({
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		person: { email: '={{ $json.email }}' },
		options: once,
	});
	expect(first.status).toBe('error');
	expect(second.status).toBe('success');
	expect(itemsOf(second, tested)).toHaveLength(5);
	const keys = bench.sandbox.requests.map(
		({ body }) => (body as { idempotencyKey: string }).idempotencyKey,
	);
	expect(keys).toHaveLength(6);
	expect(keys[2]).toBe(keys[1]);
	expect(new Set(keys).size).toBe(5);
});
