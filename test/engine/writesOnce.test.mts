import type { IDataObject } from 'n8n-workflow';
import { entries } from './engine.mts';
import { type OfflineRun, runOffline } from './offline.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

/* Faults that were met. Random runs meet them in every order, and the tables of unit/run/ledger say what is kept. */

const setup = setUpActionNode();
const elsewhere = setUpActionNode();
beforeEach(() => entries.empty());

const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const tries = (maxTries: number) => ({ retryOnFail: true, maxTries, waitBetweenTries: 1 });

const people = ['Ada', 'Bertil', 'Cleo', 'Dora'].map((name) => ({
	name,
	type: name.toLowerCase(),
}));
const optionsWith = (maxRetries: number) => requestLimits({ concurrency: 1, maxRetries });
const options = optionsWith(0);
const name = '={{ $json.name }}';
const createPerson = { resource: 'person', operation: 'create', name, options };
const createLog = {
	...{ resource: 'personLog', operation: 'create', source: 'crm', type: '={{ $json.type }}' },
	person: { email: '={{ $json.name }}@x.example' },
	options,
};

test('Retry with another Base URL writes there what was written before', async () => {
	setup.sandbox.faults.add({ kind: 'status', status: 422, skip: 2 });
	const failed = await setup.run(createPerson, people);
	expect(failed.error).toBeDefined();
	const { credential } = elsewhere;
	await setup.run(createPerson, people, { retryOf: failed, credential });
	expect(setup.received).toHaveLength(3);
	expect(elsewhere.received).toEqual(people.map(() => 'POST /v0/persons'));
});

test.each([
	['resent the request', 1, {}],
	['sent it in an earlier try', 0, tries(2)],
])('an entry that is refused with 409 is stored, if the node %s', async (...given) => {
	const [, maxRetries, settings] = given;
	setup.sandbox.guesses.repeatedKey = 'conflict';
	setup.sandbox.faults.add({ kind: 'resetAfter' });
	const parameters = { ...createLog, options: optionsWith(maxRetries) };
	// The first one's Type is blank.
	const items = [{ name: 'Ada', type: '' }, people[1]];
	const { output } = await setup.run(parameters, items, { settings });
	const idempotencyKey = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
	expect(output.map(({ json }) => json)).toEqual([
		{ source: 'crm', type: 'webhook', alreadyStored: true, idempotencyKey },
		expect.objectContaining({ type: 'bertil', personLogId: expect.any(String) as string }),
	]);
});

describe('a nightly sync', () => {
	const sync = {
		...createLog,
		payloadMode: 'inputItem',
		options: { ...options, ...onlyNewOrChanged('={{ $json.name }}', { recordVersion: 'v1' }) },
	};
	test.each(onErrors)(
		'with Retry On Fail and %s sends each record until it is confirmed',
		async (onError) => {
			setup.sandbox.faults.add({ kind: 'resetAfter', path: /person_logs/ });
			const logsBefore = setup.sandbox.store.personLogs.size;
			const more = { onError, settings: tries(2) };
			const { error, output } = await setup.run(sync, people, more);
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => typeof json.personLogId)).toEqual(Array(4).fill('string'));
			const { length } = setup.received;
			await setup.run(sync, people, more);
			expect(setup.received.slice(length)).toEqual(['GET /v0/persons']);
			expect(setup.sandbox.store.personLogs.size).toBe(logsBefore + 4);
		},
	);

	const contacts = Array.from({ length: 30 }, (_, i) => ({ name: `c${i}`, type: 'contact' }));

	test('that is cancelled remembers what was confirmed', async () => {
		const controller = new AbortController();
		const sent: unknown[] = [];
		const answer: OfflineRun['answer'] = ({ method, body }) => {
			if (method === 'GET') return { status: 200, body: { items: [], hasMore: false } };
			sent.push((body as { payload: IDataObject }).payload.name);
			if (sent.length === 5) controller.abort();
			return { status: 201, body: { personLogId: 'log' } };
		};
		const run = { parameters: sync, items: contacts, answer };
		expect((await runOffline({ ...run, signal: controller.signal })).status).toBe('canceled');
		await runOffline(run);
		// The request under way when it was cancelled is in doubt.
		expect(sent.length).toBeLessThanOrEqual(31);
		expect(new Set(sent).size).toBe(30);
	});

	test('beside another one that starts at the same moment remembers what it wrote', async () => {
		const halves = [contacts.slice(0, 15), contacts.slice(15)];
		const logsBefore = setup.sandbox.store.personLogs.size;
		await Promise.all(halves.map((half) => setup.run(sync, half)));
		await setup.run(sync, contacts);
		expect(setup.received.filter((each) => each.startsWith('POST'))).toHaveLength(30);
		expect(setup.sandbox.store.personLogs.size).toBe(logsBefore + 30);
	});
});
