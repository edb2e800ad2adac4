import { itemsOf, originOf, type Execution, type Item } from '../../tools/n8n/execution.mts';
import { openWorkbench, tested, type Workbench } from './workbench.mts';

let bench: Workbench;
beforeAll(async () => {
	bench = await openWorkbench();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

const createPerson = {
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
	additionalFields: { email: '={{ $json.email }}' },
	options: { concurrency: 1, maxRetries: 0 },
};
const people = ['Ada', 'Ben', '', 'Dora'].map((name, index) => ({
	name,
	email: `person.${index}@onerror.example`,
}));
const [ada, , , dora] = people;

const emails = (items: Item[]): unknown[] => items.map(({ json }) => json.email);
const sent = (): unknown[] =>
	bench.sandbox.requests.map(({ body }) => (body as { email: string }).email);

/** The third item has no name, and the service refuses the second. */
async function runWith(onError: string): Promise<Execution> {
	bench.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 403, skip: 1 });
	return await bench.runNode(createPerson, people, { onError });
}

test('Stop Workflow names the invalid field and sends nothing', async () => {
	const execution = await runWith('stopWorkflow');
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(/Name .*\[item 2\]/);
	expect(sent()).toEqual([]);
});

test('Stop Workflow says what was written before the service refused an item', async () => {
	bench.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 403, skip: 1 });
	const valid = people.filter(({ name }) => name);
	const execution = await bench.runNode(createPerson, valid, { onError: 'stopWorkflow' });
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(/\(403\) \[item 1\]\. 1 of 3 items were written/);
	expect(sent()).toEqual(emailsOf(valid.slice(0, 2)));
});

test('Continue returns every item in its place, those that failed with error and details', async () => {
	const execution = await runWith('continueRegularOutput');
	expect(execution.status).toBe('success');
	const items = itemsOf(execution, tested);
	expect(items.map(originOf)).toEqual([0, 1, 2, 3]);
	expect(emails(items)).toEqual([ada.email, undefined, undefined, dora.email]);
	expect(items[1].json).toEqual({
		error: expect.stringContaining('(403)') as string,
		details: expect.objectContaining({ itemIndex: 1, status: 403 }) as object,
	});
	expect(items[2].json).toEqual({
		error: expect.stringContaining('Name') as string,
		details: expect.objectContaining({ itemIndex: 2 }) as object,
	});
});

test('Continue (using error output) returns the items that failed on the second output, with their input', async () => {
	const execution = await runWith('continueErrorOutput');
	expect(execution.status).toBe('success');
	const written = itemsOf(execution, tested);
	expect(emails(written)).toEqual([ada.email, dora.email]);
	expect(written.map(originOf)).toEqual([0, 3]);
	const failed = itemsOf(execution, tested, 1);
	expect(failed.map(originOf)).toEqual([1, 2]);
	expect(emails(failed)).toEqual(emailsOf(people.slice(1, 3)));
	expect(failed.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('(403)'),
		expect.stringContaining('Name'),
	]);
	expect(sent()).toEqual(emailsOf([people[0], people[1], people[3]]));
});

test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'])(
	'Retry On Fail with On Error "%s" sends each item once, and the refused one again',
	async (onError) => {
		const valid = people.filter(({ name }) => name);
		// n8n retries when the node throws, and when its first item failed, whatever On Error says.
		bench.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 403 });
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const execution = await bench.runNode(createPerson, valid, { onError, ...retry });
		expect(execution.status).toBe('success');
		expect(emails(itemsOf(execution, tested))).toEqual(emailsOf(valid));
		expect(itemsOf(execution, tested, 1)).toEqual([]);
		const times = valid.map(({ email }) => sent().filter((each) => each === email).length);
		expect(times).toEqual([2, 1, 1]);
	},
);

const emailsOf = (input: typeof people): string[] => input.map(({ email }) => email);
