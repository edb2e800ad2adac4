import { itemsOf, originOf, type Execution, type Item } from '../../tools/n8n/execution.mts';
import { findFreePort } from '../../tools/ports.mts';
import { credentialType, openStage, tested } from '../n8n/stage.mts';

const stage = openStage();
beforeEach(() => stage.sandbox.reset());

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
const [ada, ben, nameless, dora] = people;

const emails = (items: Item[]): unknown[] => items.map(({ json }) => json.email);
const sent = (): unknown[] =>
	stage.sandbox.requests.map(({ body }) => (body as { email: string }).email);

/** The third item has no name, and the service refuses the second. */
async function runWith(onError: string): Promise<Execution> {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 403, skip: 1 });
	return await stage.run(createPerson, people, { onError });
}

test('Stop Workflow shows the invalid field, and sends nothing', async () => {
	const execution = await runWith('stopWorkflow');
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(/Name .*\[item 2\]/);
	expect(sent()).toEqual([]);
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
	expect(items[2].json).toMatchObject({ error: expect.stringContaining('Name') as string });
});

test('Continue (using error output) returns the items that failed on the second output, with their input', async () => {
	const execution = await runWith('continueErrorOutput');
	expect(execution.status).toBe('success');
	const written = itemsOf(execution, tested);
	expect(emails(written)).toEqual([ada.email, dora.email]);
	const failed = itemsOf(execution, tested, 1);
	expect(emails(failed)).toEqual([ben.email, nameless.email]);
	expect(failed.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('(403)'),
		expect.stringContaining('Name'),
	]);
	expect(sent()).toEqual([ada.email, ben.email, dora.email]);
});

test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'])(
	'Retry On Fail with On Error "%s" sends each item once, and the refused one again',
	async (onError) => {
		const valid = [ada, ben, dora];
		// n8n retries when the node throws, and when its first item failed, whatever On Error says.
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 403 });
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const execution = await stage.run(createPerson, valid, { onError, ...retry });
		expect(execution.status).toBe('success');
		expect(emails(itemsOf(execution, tested))).toEqual(valid.map(({ email }) => email));
		expect(itemsOf(execution, tested, 1)).toEqual([]);
		const times = valid.map(({ email }) => sent().filter((each) => each === email).length);
		expect(times).toEqual([2, 1, 1]);
	},
);

// Each release of n8n hands over a lost connection in its own way.
test('a refused connection sent nothing, and one lost after the request may have', async () => {
	const data = { baseUrl: `http://127.0.0.1:${await findFreePort()}`, apiKey: 'any' };
	const nowhere = await stage.client.createCredential(credentialType, 'Nowhere', data);
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter', times: 2 });
	for (const [credential, code, maybeDone] of [
		[nowhere, 'ECONNREFUSED', false],
		[stage.credential, 'ECONNRESET', true],
	] as const) {
		const settings = { credentials: { [credentialType]: credential } };
		const execution = await stage.run(createPerson, [ada, ben], {
			onError: 'continueRegularOutput',
			...settings,
		});
		expect(itemsOf(execution, tested).map(({ json }) => json.details)).toEqual([
			expect.objectContaining({ code, maybeDone, itemIndex: 0 }),
			expect.objectContaining({ code, maybeDone, itemIndex: 1 }),
		]);
	}
	expect(sent()).toEqual([ada.email, ben.email]);
});
