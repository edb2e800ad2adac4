import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from './engine.mts';
import { runOffline } from './offline.mts';
import { openStage } from './stage.mts';

const stage = openStage();

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
		const { status } = await stage.run(createPerson(changing), people, retryOnFail);
		expect(status).toBe('success');
		expect(countCreated()).toEqual([1, 1, 1, 1]);
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
	test('leaves what was created as it is', async () => {
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
