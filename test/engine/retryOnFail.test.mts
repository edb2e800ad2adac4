import { originOf } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const people = [1, 2, 3, 4, 5].map((n) => ({
	name: `Person ${n}`,
	email: `person.${n}@retry.example`,
}));
const createPerson = {
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
	additionalFields: { email: '={{ $json.email }}' },
	options: { concurrency: 1, maxRetries: 0 },
};

const createLog = { resource: 'personLog', operation: 'create', source: 'crm' };
const typed = { type: '={{ $json.type }}' };

function countPersons(): number[] {
	return people.map(
		({ email }) =>
			[...stage.sandbox.store.persons].filter((person) => person.email === email).length,
	);
}

test('returns finished writes again without resending them', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 500, skip: 2 });
	// After a 500 the person may have been created, so item 2 is not resent.
	const run = await stage.run(createPerson, people, { settings: retryOnFail });
	expect(run.error).toMatchObject({
		message:
			'Not resent: an earlier attempt got no response and may have succeeded [item 2]. 2 of 5 items were written',
		description:
			'Look for it in the service. If it is missing, choose Retry in the Executions tab. n8n counts items from 0.',
	});
	expect(countPersons()).toEqual([1, 1, 0, 0, 0]);
	expect(stage.sandbox.requests).toHaveLength(3);
});

test('resends what the service did not process and returns every item', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 429, skip: 2 });
	const run = await stage.run(createPerson, people, { settings: retryOnFail });
	expect(run.error).toBeUndefined();
	expect(run.output.map(({ json }) => json.email)).toEqual(people.map(({ email }) => email));
	expect(run.output.map(({ pairedItem }) => pairedItem)).toEqual(
		people.map((_, item) => ({ item })),
	);
	expect(countPersons()).toEqual([1, 1, 1, 1, 1]);
	expect(stage.sandbox.requests).toHaveLength(6);
});

test('resends a person log of unknown outcome with its key and stores it once', async () => {
	stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter', skip: 1 });
	const run = await stage.run(
		{
			...createLog,
			person: { email: '={{ $json.email }}' },
			options: { concurrency: 1, maxRetries: 0 },
		},
		people,
		{ settings: retryOnFail },
	);
	expect(run.error).toBeUndefined();
	expect(run.output).toHaveLength(5);
	const keys = stage.sandbox.requests.map(
		({ body }) => (body as { idempotencyKey: string }).idempotencyKey,
	);
	expect(keys).toHaveLength(6);
	expect(keys[2]).toBe(keys[1]);
	expect(new Set(keys).size).toBe(5);
});

test('counts a conflict as stored when this run sent the key before', async () => {
	stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter' });
	stage.sandbox.faults.add({
		operationId: 'createPersonLog',
		kind: 'status',
		status: 409,
		skip: 1,
	});
	const run = await stage.run({ ...createLog, ...typed, options: { concurrency: 1 } }, [
		{ type: '' },
		{ type: 'second' },
	]);
	expect(run.error).toBeUndefined();
	expect(run.output.map(({ json }) => json)).toEqual([
		{
			source: 'crm',
			// Type was left blank.
			type: 'webhook',
			alreadyStored: true,
			idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/),
		},
		expect.objectContaining({ type: 'second', personLogId: expect.any(String) }),
	]);
});

describe('a Retry after a crash, at a service that responds 409 to a repeated key,', () => {
	const crash = async () => {
		stage.sandbox.guesses.repeatedKey = 'conflict';
		const fault = { kind: 'status', status: 500, skip: 2 } as const;
		stage.sandbox.faults.add({ operationId: 'createPersonLog', ...fault });
		const crashed = await stage.run(log, items);
		// n8n has stored nothing of the node.
		const data = structuredClone(crashed.data);
		data.executionData!.contextData = {};
		return { ...crashed, data };
	};
	const options = { concurrency: 1, maxRetries: 0 };
	const log = { ...createLog, ...typed, options };
	const items = ['first', 'second', 'third', 'fourth'].map((type) => ({ type }));

	test('stops at what was written, and sends the rest where it continues', async () => {
		const retryOf = await crash();
		const stopped = await stage.run(log, items, { retryOf });
		expect(stopped.error?.message).toContain('A conflicting record already exists (409) [item 0]');
		const onError = 'continueErrorOutput';
		const { output, errors } = await stage.run(log, items, { retryOf: stopped, onError });
		expect(errors.map(originOf)).toEqual([0, 1]);
		expect(output.map(({ json }) => json.type)).toEqual(['third', 'fourth']);
		const types = [...stage.sandbox.store.personLogs].map(({ type }) => type);
		expect(types.filter((type) => items.some((item) => item.type === type)).sort()).toEqual(
			items.map(({ type }) => type).sort(),
		);
	});
});

test('reports a conflict on the first attempt as an error', async () => {
	stage.sandbox.faults.add({
		operationId: 'createPersonLog',
		kind: 'status',
		status: 409,
		times: 2,
	});
	const run = await stage.run({ ...createLog, ...typed }, [{ type: 'first' }, { type: 'second' }], {
		onError: 'continueErrorOutput',
	});
	expect(run.output).toEqual([]);
	expect(run.errors.map(({ json }) => json.error)).toEqual([
		'A conflicting record already exists (409) [item 0]',
		'A conflicting record already exists (409) [item 1]',
	]);
});
