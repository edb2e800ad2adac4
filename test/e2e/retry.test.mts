import { itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import { describeWorkflow, openStage, tested } from '../n8n/stage.mts';

const stage = openStage();
beforeEach(() => stage.sandbox.reset());

const people = [1, 2, 3, 4, 5].map((n) => ({
	name: `Person ${n}`,
	email: `person.${n}@again.example`,
}));
const createPerson = (name: string): JsonObject => ({
	resource: 'person',
	operation: 'create',
	name,
	additionalFields: { email: '={{ $json.email }}' },
	options: { concurrency: 1, maxRetries: 0 },
});

test.each([
	['as it was', ''],
	['that was corrected', ' Corrected'],
])('Retry with the workflow %s sends the rest, and returns every item', async (_, correction) => {
	const { client, credential, sandbox } = stage;
	sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 2 });
	const id = await stage.create(createPerson('={{ $json.name }}'));
	const first = await stage.finish(id, people);
	expect(first.error?.message).toContain('2 of 5 items were written');
	const corrected = createPerson(`={{ $json.name }}${correction}`);
	await client.updateWorkflow(id, describeWorkflow(corrected, credential));
	const retried = await stage.retry(id, first.id, { withSaved: correction !== '' });
	const second = await client.waitForExecution(retried);
	expect(second.status).toBe('success');
	expect(itemsOf(second, tested).map(({ json }) => json.name)).toEqual(
		people.map(({ name }, index) => (index < 2 ? name : name + correction)),
	);
	const sent = sandbox.requests.map(({ body }) => (body as { email: string }).email);
	const times = people.map(({ email }) => sent.filter((each) => each === email).length);
	expect(times).toEqual([1, 1, 2, 1, 1]);
});
