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

/** Runs the node, which fails. */
async function run(parameters: JsonObject): Promise<{ workflowId: string; first: Execution }> {
	const { client, credential } = bench;
	const { id } = await client.createWorkflow(describeWorkflow(parameters, credential));
	const input = people.map((json) => ({ json }));
	const executionId = await client.runWorkflow(id, trigger, input);
	return { workflowId: id, first: await client.waitForExecution(executionId) };
}

/** Chooses Retry in the list of executions: "with original workflow", or "with currently saved workflow". */
async function retry(workflowId: string, { id }: Execution, isCorrected = false) {
	const { client } = bench;
	const before = (await client.listExecutions(workflowId)).map((execution) => execution.id);
	await client.session.request('POST', `/rest/executions/${id}/retry`, {
		loadWorkflow: isCorrected,
	});
	const after = await client.listExecutions(workflowId);
	const [added] = after.filter((execution) => !before.includes(execution.id));
	return await client.waitForExecution(added.id);
}

async function runAndRetry(parameters: JsonObject) {
	const { workflowId, first } = await run(parameters);
	return { first, second: await retry(workflowId, first) };
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
	expect(first.error?.message).toContain('2 of 5 items were written');
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

const createPerson = (name: string): JsonObject => ({
	resource: 'person',
	operation: 'create',
	name,
	additionalFields: { email: '={{ $json.email }}' },
	options: once,
});

/** How often each person was created. */
const countCreated = () =>
	people.map(
		({ email }) =>
			[...bench.sandbox.store.persons].filter((person) => person.email === email).length,
	);

test('Retry of a corrected workflow leaves what was created', async () => {
	const { client, credential } = bench;
	bench.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 2 });
	const { workflowId, first } = await run(createPerson('={{ $json.name }}'));
	const corrected = describeWorkflow(createPerson('={{ $json.name }} Corrected'), credential);
	await client.updateWorkflow(workflowId, corrected);
	const second = await retry(workflowId, first, true);
	expect(second.status).toBe('success');
	expect(countCreated()).toEqual([1, 1, 1, 1, 1]);
	expect(itemsOf(second, tested).map(({ json }) => json.name)).toEqual([
		...['Person 1', 'Person 2'],
		...['Person 3', 'Person 4', 'Person 5'].map((name) => `${name} Corrected`),
	]);
});
