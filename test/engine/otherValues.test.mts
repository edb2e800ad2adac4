import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { entries, type Run } from './engine.mts';
import { runOffline } from './offline.mts';
import { openStage } from './stage.mts';

const stage = openStage();
beforeEach(() => entries.empty());

const people = ['Ada', 'Bertil', 'Cleo', 'Dora'].map((name) => ({ name }));

/** Each evaluation yields another name. */
const changing = '={{ $json.name }} {{ Math.random() }}';
const createPerson = (name: string, more: IDataObject = {}): INodeParameters => ({
	resource: 'person',
	operation: 'create',
	name,
	...more,
	options: { concurrency: 1, maxRetries: 0 },
});
const createLog = (payload: string): INodeParameters => ({
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	person: { email: '={{ $json.name }}@x.example' },
	payloadFields: { assignments: [{ id: '1', name: 'at', value: payload, type: 'string' }] },
	options: { concurrency: 1, maxRetries: 0 },
});

/** How often each person was created. */
const countCreated = () =>
	people.map(
		({ name }) =>
			[...stage.sandbox.store.persons].filter((person) => person.name.startsWith(name)).length,
	);

const retryOnFail: Partial<Run> = {
	settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
};
const loseOne = (operationId: string, skip = 0) =>
	stage.sandbox.faults.add({ operationId, kind: 'resetAfter', skip });

describe('a value that changes between two tries', () => {
	test('creates nobody twice', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 2 });
		const { status, hints } = await stage.run(createPerson(changing), people, retryOnFail);
		expect(status).toBe('success');
		expect(countCreated()).toEqual([1, 1, 1, 1]);
		expect(hints).toContain(
			'2 items were sent before with other values, which were kept (items 0 and 1, counted from 0)',
		);
	});

	test('gives one key one content', async () => {
		loseOne('createPersonLog', 2);
		const { status } = await stage.run(createLog('={{ Math.random() }}'), people, retryOnFail);
		expect(status).toBe('success');
		const bodies = stage.sandbox.requests.map(({ body }) => body as { idempotencyKey: string });
		expect(bodies).toHaveLength(5);
		const contents = Map.groupBy(bodies, ({ idempotencyKey }) => idempotencyKey);
		expect(contents.size).toBe(4);
		for (const same of contents.values())
			expect(new Set(same.map((body) => JSON.stringify(body))).size).toBe(1);
	});

	test('is not sent for a person who may have been created', async () => {
		loseOne('createPerson', 1);
		const { error } = await stage.run(createPerson(changing), people, retryOnFail);
		expect(error?.message).toContain('Not resent');
		expect(countCreated()).toEqual([1, 1, 0, 0]);
	});
});

test('300 executions in one millisecond, with equal items, have 300 keys for 300 people', async () => {
	const keys = new Set<unknown>();
	for (let person = 0; person < 300; person++) {
		const { exchanges } = await runOffline({
			answer: () => ({ status: 201, body: { personLogId: 'log', personId: 'person' } }),
			parameters: { ...createLog('won'), person: { email: `person.${person}@x.example` } },
			items: [{}],
		});
		for (const { request } of exchanges)
			keys.add((request.body as { idempotencyKey: string }).idempotencyKey);
	}
	expect(keys.size).toBe(300);
});

describe('Retry of a corrected workflow', () => {
	test('leaves what was created as it is, and says how much that is', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 2 });
		const failed = await stage.run(createPerson('={{ $json.name }}'), people);
		expect(countCreated()).toEqual([1, 1, 0, 0]);
		const corrected = createPerson('={{ $json.name }} Corrected');
		const retry = await stage.run(corrected, people, { retryOf: failed });
		expect(retry.status).toBe('success');
		expect(countCreated()).toEqual([1, 1, 1, 1]);
		expect(retry.output.map(({ json }) => json.name)).toEqual([
			'Ada',
			'Bertil',
			'Cleo Corrected',
			'Dora Corrected',
		]);
		expect(retry.hints).toContain(
			'2 items were sent before with other values, which were kept (items 0 and 1, counted from 0)',
		);
	});

	test('sends an update with its corrected values', async () => {
		const [account] = stage.sandbox.store.accounts;
		const update = (name: string): INodeParameters => ({
			resource: 'account',
			operation: 'update',
			accountId: { __rl: true, mode: 'id', value: account.accountId },
			name,
			options: { concurrency: 1, maxRetries: 0 },
		});
		stage.sandbox.faults.add({
			operationId: 'updateAccount',
			kind: 'status',
			status: 422,
			skip: 1,
		});
		const failed = await stage.run(update('={{ $json.name }}'), people.slice(0, 2));
		await stage.run(update('={{ $json.name }} Inc.'), people.slice(0, 2), { retryOf: failed });
		expect(stage.sandbox.requests.map(({ body }) => (body as IDataObject).name)).toEqual([
			'Ada',
			'Bertil',
			'Ada Inc.',
			'Bertil Inc.',
		]);
	});

	test('looks for somebody else in place of who was only found', async () => {
		const [{ email: one }, { personId, email: other }] = stage.sandbox.store.persons
			.all()
			.filter(({ email }) => email !== null);
		const createOrGet = (email: string): INodeParameters => ({
			resource: 'person',
			operation: 'createOrGet',
			email,
			name: 'x',
			options: { concurrency: 1, maxRetries: 0 },
		});
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422 });
		const items = [
			{ wrong: one, right: other },
			{ wrong: 'a@new.example', right: 'b@new.example' },
		];
		const failed = await stage.run(createOrGet('={{ $json.wrong }}'), items);
		expect(failed.error).toBeDefined();
		const retry = await stage.run(createOrGet('={{ $json.right }}'), items, { retryOf: failed });
		expect(retry.output.map(({ json }) => json)).toMatchObject([
			{ personId, outcome: 'found' },
			{ email: 'b@new.example', outcome: 'created' },
		]);
	});
});

describe('the same execution retried twice', () => {
	const create = createPerson('={{ $json.name }}');
	const retryTheLatest =
		'n8n starts each Retry from the execution that it retries. Retry the latest execution instead, or check in the service whether the record exists and run the workflow again with this item only.';

	test('creates nobody twice, and says what to do', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 1 });
		const failed = await stage.run(create, people);
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422, skip: 1 });
		const first = await stage.run(create, people, { retryOf: failed });
		expect(countCreated()).toEqual([1, 1, 0, 0]);

		const second = await stage.run(create, people, { retryOf: failed });
		expect(second.error).toMatchObject({
			message:
				'Not sent: another Retry of this execution may have written it [item 1]. 1 of 4 items were written, none from item 2 on',
			description: `${retryTheLatest} n8n counts items from 0.`,
		});
		expect(countCreated()).toEqual([1, 1, 0, 0]);

		const third = await stage.run(create, people, { retryOf: first });
		expect(third.status).toBe('success');
		expect(countCreated()).toEqual([1, 1, 1, 1]);
	});

	test('sends what is in doubt when a person asks for it, once for each time', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetBefore' });
		const failed = await stage.run(create, people);
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetBefore' });
		const first = await stage.run(create, people, { retryOf: failed });
		expect(first.error).toBeDefined();
		const second = await stage.run(create, people, { retryOf: first });
		expect(second.status).toBe('success');
		const third = await stage.run(create, people, { retryOf: first });
		expect(third.error?.message).toContain('another Retry');
		expect(countCreated()).toEqual([1, 1, 1, 1]);
	});

	test('keeps from the Retry of a Retry that was not allowed to send', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
		const failed = await stage.run(create, people.slice(0, 1));
		const first = await stage.run(create, people.slice(0, 1), { retryOf: failed });
		expect(first.status).toBe('success');
		const second = await stage.run(create, people.slice(0, 1), { retryOf: failed });
		const third = await stage.run(create, people.slice(0, 1), { retryOf: second });
		for (const { error } of [second, third]) expect(error?.message).toContain('another Retry');
		// The first attempt, and the Retry of what was told as in doubt.
		expect(countCreated()).toEqual([2, 0, 0, 0]);
	});

	describe('of log entries', () => {
		const countLogs = () => stage.sandbox.store.personLogs.size;

		test.each(['conflict', 'returned'] as const)(
			'sends the same entries with the same keys (a repeated key: %s)',
			async (repeatedKey) => {
				stage.sandbox.guesses.repeatedKey = repeatedKey;
				const before = countLogs();
				stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'status', status: 422 });
				const failed = await stage.run(createLog('won'), people);
				await stage.run(createLog('won'), people, { retryOf: failed });
				const second = await stage.run(createLog('won'), people, { retryOf: failed });
				expect(second.status).toBe('success');
				expect(countLogs() - before).toBe(4);
			},
		);

		test.each(['auto', 'content'])(
			'writes nothing twice after two corrections (key: %s)',
			async (idempotency) => {
				const correct = (payload: string) => ({ ...createLog(payload), idempotency });
				const before = countLogs();
				stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'status', status: 422 });
				const failed = await stage.run(correct('won'), people);
				await stage.run(correct('corrected'), people, { retryOf: failed });
				const second = await stage.run(correct('corrected again'), people, { retryOf: failed });
				expect(second.error?.message).toContain('another Retry');
				const third = await stage.run(correct('corrected again'), people, { retryOf: failed });
				expect(third.error?.message).toContain('another Retry');
				expect(countLogs() - before).toBe(4);
			},
		);
	});

	test('sends nothing when n8n cannot note it', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422 });
		const failed = await stage.run(create, people);
		entries.onAccess = () => {
			throw new Error('The database is locked');
		};
		const retry = await stage.run(create, people, {
			retryOf: failed,
			onError: 'continueRegularOutput',
		});
		expect(retry.output.map(({ json }) => json)).toEqual(
			people.map((_, itemIndex) => ({
				error: `Not sent: another Retry of this execution may have written it. n8n could not look it up: Error: The database is locked [item ${itemIndex}]`,
				details: { maybeDone: true, itemIndex, description: retryTheLatest },
			})),
		);
		expect(retry.hints).toEqual([]);
		expect(countCreated()).toEqual([0, 0, 0, 0]);
	});
});

describe('a response without the record', () => {
	const overQuota = { kind: 'status', status: 200, body: { error: 'quota exceeded' } } as const;
	const bodies: unknown[] = [
		{ error: 'quota exceeded' },
		{},
		[],
		'quota exceeded',
		'',
		{ name: 'Ada' },
	];
	test.each(bodies)('%j leaves it in doubt, and is not told as written', async (body) => {
		const operations = { createPerson, createPersonLog: createLog } as const;
		for (const [operationId, make] of Object.entries(operations)) {
			stage.sandbox.reset();
			stage.sandbox.faults.add({ operationId, kind: 'status', status: 200, body });
			const { output, errors } = await stage.run(make('x'), people.slice(0, 2), {
				onError: 'continueErrorOutput',
			});
			expect(output).toHaveLength(1);
			expect(errors).toHaveLength(1);
			const [{ json }] = errors;
			expect(json.details).toMatchObject({ maybeDone: true, status: 200 });
			if (JSON.stringify(body).includes('quota'))
				expect(JSON.stringify(json.details)).toContain('quota exceeded');
		}
	});

	test('is sent again by Create or Get, which looks first', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', ...overQuota });
		const { output } = await stage.run(
			{
				resource: 'person',
				operation: 'createOrGet',
				email: '={{ $json.name }}@new.example',
				name: '={{ $json.name }}',
				options: { concurrency: 1 },
			},
			people,
		);
		expect(output.map(({ json }) => json.outcome)).toEqual(Array(4).fill('created'));
		expect(countCreated()).toEqual([1, 1, 1, 1]);
	});

	test('patches no account without an ID', async () => {
		stage.sandbox.faults.add({ operationId: 'createAccount', ...overQuota, times: 9 });
		const { errors } = await stage.run(
			{
				resource: 'account',
				operation: 'upsert',
				domain: '={{ $json.name }}.example',
				name: 'x',
				options: { concurrency: 1 },
			},
			people.slice(0, 2),
			{ onError: 'continueErrorOutput' },
		);
		expect(errors).toHaveLength(2);
		expect(stage.received.filter((each) => each.startsWith('PATCH'))).toEqual([]);
	});
});
