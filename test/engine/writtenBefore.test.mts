import type { IDataObject } from 'n8n-workflow';
import { entries, originOf, type Run, type RunResult } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
beforeEach(() => entries.empty());

const parameters = {
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	type: 'contact',
	payloadMode: 'inputItem',
	person: { email: '={{ $json.email }}' },
	write: 'changed',
	recordId: '={{ $json.id }}',
	recordVersion: '={{ $json.modified }}',
	options: { concurrency: 1, maxRetries: 0 },
};

const makeContacts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, id) => ({
		id,
		email: `contact.${id}@sync.example`,
		modified: '2026-01-01T00:00:00Z',
	}));

/** Runs the node on these contacts. Returns the IDs of those that it sent, too. */
async function night(
	contacts: IDataObject[],
	more: Partial<Run> = {},
): Promise<RunResult & { sent: unknown[] }> {
	const before = stage.sandbox.requests.length;
	const { parameters: changed, ...settings } = more;
	const result = await stage.run({ ...parameters, ...changed }, contacts, settings);
	const sent = stage.sandbox.requests
		.slice(before)
		.map(({ body }) => (body as { payload: IDataObject }).payload.id);
	return { ...result, sent };
}

const storedIds = () => [...stage.sandbox.store.personLogs].map(({ payload }) => payload.id).sort();

test('a second night sends what changed, whatever the number of requests at once', async () => {
	const contacts = makeContacts(120);
	const options = { concurrency: 100 };
	const first = await night(contacts, { parameters: { options } });
	expect(first.sent).toHaveLength(120);
	contacts[7].modified = '2026-01-02T00:00:00Z';
	const second = await night(contacts, { parameters: { options } });
	expect(second.sent).toEqual([7]);
	expect(second.output.map(originOf)).toEqual(contacts.map((_, item) => item));
	expect(second.output[8].json).toEqual({
		recordId: '8',
		source: 'crm',
		type: 'contact',
		idempotencyKey: first.output[8].json.idempotencyKey,
		alreadyWritten: true,
	});
	expect(second.hints).toEqual(['1 written, 119 skipped']);
});

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'after failures with %s',
	(onError) => {
		test('the next night sends the failures and what was not reached, with the same keys', async () => {
			const fault = { operationId: 'createPersonLog', kind: 'status', status: 422 } as const;
			stage.sandbox.faults.add({ ...fault, skip: 1 });
			stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter', skip: 3 });
			const contacts = makeContacts(6);
			const first = await night(contacts, { onError });
			const isStopped = onError === 'stopWorkflow';
			expect(first.sent).toEqual(isStopped ? [0, 1] : [0, 1, 2, 3, 4, 5]);
			stage.sandbox.faults.clear();
			const second = await night(contacts, { onError });
			expect(second.sent).toEqual(isStopped ? [1, 2, 3, 4, 5] : [1, 3]);
			expect(second.output.map(originOf)).toEqual([0, 1, 2, 3, 4, 5]);
			expect(storedIds()).toEqual([0, 1, 2, 3, 4, 5]);
			expect((await night(contacts, { onError })).sent).toEqual([]);
		});

		test('Retry On Fail sends each record until it is confirmed, and the next night none', async () => {
			stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter' });
			const contacts = makeContacts(4);
			const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
			const first = await night(contacts, { onError, settings });
			expect(first.error).toBeUndefined();
			expect(first.output.map(({ json }) => typeof json.personLogId)).toEqual(
				Array(4).fill('string'),
			);
			expect(storedIds()).toEqual([0, 1, 2, 3]);
			expect((await night(contacts, { onError, settings })).sent).toEqual([]);
		});

		test('an execution that is cancelled remembers what was confirmed', async () => {
			const controller = new AbortController();
			stage.sandbox.latencyMs = 20;
			const contacts = makeContacts(30);
			const timer = setInterval(() => {
				if (stage.sandbox.requests.length >= 5) controller.abort();
			}, 2);
			const first = await night(contacts, { onError, signal: controller.signal });
			clearInterval(timer);
			expect(first.status).toBe('canceled');
			stage.sandbox.latencyMs = 0;
			const second = await night(contacts, { onError });
			// The requests under way when it was cancelled are in doubt.
			expect(first.sent.length + second.sent.length).toBeLessThanOrEqual(31);
			expect(storedIds()).toHaveLength(30);
			expect((await night(contacts, { onError })).sent).toEqual([]);
		});
	},
);

test('two executions that start at the same moment both remember what they wrote', async () => {
	const contacts = makeContacts(20);
	await Promise.all([night(contacts.slice(0, 10)), night(contacts.slice(10))]);
	expect((await night(contacts)).sent).toEqual([]);
});

test('a run that stops does not count what it skipped', async () => {
	const contacts = makeContacts(4);
	await night(contacts.slice(0, 2));
	stage.sandbox.faults.add({
		operationId: 'createPersonLog',
		kind: 'status',
		status: 422,
		skip: 1,
	});
	const { error } = await night(contacts);
	expect(error?.message).toMatch(/\[item 3\]\. 1 of 4 items were written$/);
});
