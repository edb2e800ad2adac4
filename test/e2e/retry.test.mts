import { type Execution, itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { describeWorkflow, openStage, tested } from '../n8n/stage.mts';

const stage = openStage();
beforeEach(() => stage.sandbox.reset());

const people = [1, 2, 3, 4, 5].map((n) => ({
	name: `Person ${n}`,
	email: `person.${n}@again.example`,
}));
const options = { concurrency: 1, maxRetries: 0 };
const createPerson = (name: string): JsonObject => ({
	resource: 'person',
	operation: 'create',
	name,
	additionalFields: { email: '={{ $json.email }}' },
	options,
});

/** Runs the node, which fails, and retries the execution: with the workflow as it was, or with one that was saved. */
async function runAndRetry(parameters: JsonObject, saved?: JsonObject): Promise<Execution[]> {
	const { client, credential } = stage;
	const id = await stage.create(parameters);
	const first = await stage.finish(id, people);
	expect(first.status).toBe('error');
	if (saved) await client.updateWorkflow(id, describeWorkflow(saved, credential));
	const retried = await stage.retry(id, first.id, { withSaved: saved !== undefined });
	const second = await client.waitForExecution(retried);
	expect(second.status).toBe('success');
	expect(itemsOf(second, tested)).toHaveLength(people.length);
	return [first, second];
}

const countSent = (): number[] => {
	const sent = stage.sandbox.requests.map(({ body }) => (body as { email: string }).email);
	return people.map(({ email }) => sent.filter((each) => each === email).length);
};

test('Retry of a failed execution sends the rest, and returns every item', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 429, skip: 2 });
	const [first, second] = await runAndRetry(createPerson('={{ $json.name }}'));
	expect(first.error?.message).toContain('2 of 5 items were written');
	expect(itemsOf(second, tested).map(({ json }) => json.email)).toEqual(
		people.map(({ email }) => email),
	);
	expect(countSent()).toEqual([1, 1, 2, 1, 1]);
});

test('Retry of a corrected workflow leaves what was created', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 2 });
	const [, second] = await runAndRetry(
		createPerson('={{ $json.name }}'),
		createPerson('={{ $json.name }} Corrected'),
	);
	expect(countSent()).toEqual([1, 1, 2, 1, 1]);
	expect(itemsOf(second, tested).map(({ json }) => json.name)).toEqual(
		people.map(({ name }, index) => (index < 2 ? name : `${name} Corrected`)),
	);
});

test('Retry resends a person log that may be stored with the same key', async () => {
	stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter', skip: 1 });
	await runAndRetry({
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		person: { email: '={{ $json.email }}' },
		options,
	});
	const keys = stage.sandbox.requests.map(
		({ body }) => (body as { idempotencyKey: string }).idempotencyKey,
	);
	expect(keys).toHaveLength(6);
	expect(keys[2]).toBe(keys[1]);
	expect(new Set(keys).size).toBe(5);
});
