import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { RunResult } from './engine.mts';
import { originOf } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();

type OnError = NonNullable<INode['onError']>;
const onErrors: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
/** Every pair of On Error and Retry On Fail. */
const pairs = onErrors.flatMap((onError) =>
	[1, 2, 3].map((maxTries): [OnError, number] => [onError, maxTries]),
);
const settingsOf = (maxTries: number): Partial<INode> =>
	maxTries === 1 ? {} : { retryOnFail: true, maxTries, waitBetweenTries: 1 };

const createPerson = (options: IDataObject = {}): INodeParameters => ({
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
	options: { concurrency: 1, maxRetries: 0, ...options },
});

const countNamed = (name: string) =>
	[...stage.sandbox.store.persons].filter((person) => person.name === name).length;

/** The items that came out, by their numbers, of both outputs. */
const itemsOf = ({ output, errors }: RunResult) => [...output, ...errors].map(originOf).sort();

describe.each(pairs)('On Error %s, %d tries', (onError, maxTries) => {
	const settings = settingsOf(maxTries);
	const continues = onError !== 'stopWorkflow';
	const people = ['Ada', 'Bea', 'Cleo'].map((name) => ({ name }));

	test('three good persons behind one without a name: each is created once', async () => {
		const run = await stage.run(createPerson(), [{ name: '' }, ...people], { onError, settings });
		expect(people.map(({ name }) => countNamed(name))).toEqual(continues ? [1, 1, 1] : [0, 0, 0]);
		if (continues) expect(itemsOf(run)).toEqual([0, 1, 2, 3]);
		else expect(run.error?.message).toContain('Name');
	});

	test('a response that is lost after the work: nobody is created twice', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
		const run = await stage.run(createPerson(), people, { onError, settings });
		for (const { name } of people) expect(countNamed(name)).toBeLessThanOrEqual(1);
		expect(countNamed('Ada')).toBe(1);
		if (continues) {
			expect(people.map(({ name }) => countNamed(name))).toEqual([1, 1, 1]);
			expect(itemsOf(run)).toEqual([0, 1, 2]);
		} else {
			expect(run.error).toBeDefined();
		}
	});

	test('a web page with status 200 in place of the first response: nobody is created twice', async () => {
		stage.sandbox.faults.add({
			operationId: 'createPerson',
			kind: 'status',
			status: 200,
			body: '<html>',
			afterWork: true,
		});
		await stage.run(createPerson(), people, { onError, settings });
		for (const { name } of people) expect(countNamed(name)).toBeLessThanOrEqual(1);
		expect(countNamed('Ada')).toBe(1);
	});

	test('503 without Retry-After after the work: nobody is created twice', async () => {
		stage.sandbox.faults.add({
			operationId: 'createPerson',
			kind: 'status',
			status: 503,
			afterWork: true,
		});
		const run = await stage.run(createPerson({ maxRetries: 3 }), people, { onError, settings });
		expect(countNamed('Ada')).toBe(1);
		if (continues && maxTries === 1) {
			const [first] = [...run.output, ...run.errors].filter((item) => originOf(item) === 0);
			expect(first.json.details).toMatchObject({ status: 503, maybeDone: true });
		}
	});

	test('a person who was refused is created by a later try', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422 });
		const run = await stage.run(createPerson(), people, { onError, settings });
		if (maxTries === 1) expect(countNamed('Ada')).toBe(0);
		else {
			expect(people.map(({ name }) => countNamed(name))).toEqual([1, 1, 1]);
			expect(run.output.map(originOf)).toEqual([0, 1, 2]);
		}
	});

	test('a log whose response was lost is stored once, with one key', async () => {
		stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter' });
		const log = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: '={{ $json.name }}@x.example' },
			options: { concurrency: 1, maxRetries: 0 },
		};
		await stage.run(log, people, { onError, settings });
		const keys = stage.sandbox.requests.map(
			({ body }) => (body as { idempotencyKey: string }).idempotencyKey,
		);
		expect(new Set(keys).size).toBe(continues || maxTries > 1 ? 3 : 1);
	});
});

test.each([401, 403, 404, 422])('a repeat that is refused with %d is in doubt', async (status) => {
	stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetBefore' });
	stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'status', status });
	const log = { resource: 'personLog', operation: 'create', source: '={{ $json.source }}' };
	const items = [{ source: 'first' }, { source: 'second' }];
	const run = await stage.run({ ...log, options: { concurrency: 1 } }, items, {
		onError: 'continueErrorOutput',
	});
	expect(run.output.filter(({ json }) => json.alreadyStored)).toEqual([]);
	expect(run.errors[0].json.details).toMatchObject({ status, maybeDone: true, repeated: true });
});

test.each<[names: string[], what: string, tries: number, onError: OnError, isKept: boolean]>([
	[['Ada', 'Bea'], 'succeeds', 2, 'stopWorkflow', false],
	[['Ada', ''], 'fails at a later item only', 2, 'continueRegularOutput', false],
	[['', 'Ada'], 'is not retried', 1, 'continueRegularOutput', false],
	[['Ada', 'refused'], 'stops', 2, 'stopWorkflow', true],
])(
	'of %j a run that %s keeps or forgets what was written',
	async (names, _, tries, onError, isKept) => {
		stage.sandbox.faults.add({ kind: 'status', status: 403, skip: 1, times: 2 });
		if (!isKept) stage.sandbox.faults.clear();
		const items = names.map((name) => ({ name }));
		const run = await stage.run(createPerson(), items, { onError, settings: settingsOf(tries) });
		expect(countNamed('Ada')).toBe(1);
		expect(JSON.stringify(run.contextData).includes('Ada')).toBe(isKept);
	},
);

test('nothing is kept of a list without records', async () => {
	stage.sandbox.faults.add({ kind: 'answer', body: { items: [] }, times: 2 });
	const list = { resource: 'person', operation: 'getAll' };
	const { output, error } = await stage.run(list, [{}, {}], { settings: settingsOf(2) });
	expect([output, error]).toEqual([[], undefined]);
});

test('a rejected key and a limit that is given up stop the requests, and every item says so', async () => {
	const items = Array.from({ length: 60 }, (_, i) => ({ name: `new ${i}` }));
	stage.sandbox.faults.add({
		operationId: 'createPerson',
		kind: 'status',
		status: 429,
		headers: { 'retry-after': '400' },
		times: 60,
	});
	const run = await stage.run(createPerson({ concurrency: 5, maxRetries: 3 }), items, {
		onError: 'continueErrorOutput',
	});
	expect(stage.sandbox.requests.length).toBeLessThanOrEqual(5);
	expect(run.errors).toHaveLength(60);
	for (const { json } of run.errors)
		expect(json.error).toMatch(/^Rate limit reached \(429\) \[item/);
});
