import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Case, describeCases } from './cases/index.mts';
import { entries, originOf, type Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
beforeEach(() => entries.empty());

const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const isWrite = ({ sends: [{ request }] }: Case) => !request.startsWith('GET ');
const rejected = { kind: 'status', status: 422 } as const;

const withReport = (parameters: INodeParameters, options: INodeParameters = {}) => ({
	...parameters,
	options: { concurrency: 1, maxRetries: 0, report: true, ...options },
});
const createPerson = withReport({
	resource: 'person',
	operation: 'create',
	name: '={{ $json.name }}',
});
const named = (...names: string[]) => names.map((name) => ({ name }));
const linkedToAll = (count: number) => Array.from({ length: count }, (_, item) => ({ item }));

/** What stands beside the counts. */
const rest = { failed: 0, waitedSeconds: 0, failures: [], moreFailures: 0 };

test('is one item for every operation that writes, linked to all input items', async () => {
	const writes = describeCases(stage.sandbox).filter(isWrite);
	expect(writes.length).toBeGreaterThan(10);
	for (const { parameters, items, sends, operation } of writes) {
		stage.sandbox.requests.length = 0;
		for (const dryRun of [true, false]) {
			const skipped = operation === 'personLog.create' && !dryRun ? { skipped: 0 } : {};
			const { output, error } = await stage.run(withReport(parameters, { dryRun }), items);
			expect(error).toBeUndefined();
			const counts = dryRun ? { dryRun, wouldWrite: 2 } : { written: 2 };
			expect(output).toEqual([
				{ json: { total: 2, ...counts, ...skipped, ...rest }, pairedItem: linkedToAll(2) },
			]);
			expect(stage.received).toEqual(dryRun ? [] : sends.map(({ request }) => request));
		}
	}
});

test('is off where it is stored so, or not there, and is not offered by operations that read', async () => {
	const plain = { ...createPerson, options: { report: false } };
	for (const parameters of [plain, { ...createPerson, options: {} }]) {
		const { output } = await stage.run(parameters, named('Ann', 'Bob'));
		expect(output.map(({ json }) => json.name)).toEqual(['Ann', 'Bob']);
	}
	const reads = describeCases(stage.sandbox).filter((each) => !isWrite(each));
	for (const { parameters, items } of reads) {
		const { output } = await stage.run(withReport(parameters), items);
		expect(output.every(({ json }) => !('waitedSeconds' in json))).toBe(true);
	}
});

test('is left out in an AI tool, whose model reads what became of its item', async () => {
	const { output } = await stage.run(createPerson, named('Ann'), { asTool: true });
	expect(output.map(({ json }) => json.name)).toEqual(['Ann']);
});

describe.each(onErrors)('with On Error: %s', (onError) => {
	const isStopped = onError === 'stopWorkflow';

	test('failures are in the report, in the error output, or stop the run', async () => {
		stage.sandbox.faults.add({ kind: 'status', status: 403, skip: 1 });
		const items = named('Ann', '', 'Cy', 'Dora');
		const { output, errors, error } = await stage.run(createPerson, items, { onError });
		if (isStopped) {
			expect([output, error?.message]).toEqual([[], 'Name is required [item 1]']);
			return;
		}
		const refused = 'The API key has no access to this (403)';
		const failures = [
			{ item: 1, message: 'Name is required', maybeDone: false },
			{ item: 2, message: refused, maybeDone: false },
		];
		const report = { total: 4, written: 2, ...rest, failed: 2, failures };
		expect(output).toEqual([{ json: report, pairedItem: linkedToAll(4) }]);
		const toErrors = onError === 'continueErrorOutput';
		expect(errors.map(originOf)).toEqual(toErrors ? [1, 2] : []);
		expect(errors.map(({ json }) => json.error)).toEqual(
			toErrors ? ['Name is required [item 1]', `${refused} [item 2]`] : [],
		);
	});

	test('is there when every item is invalid', async () => {
		const { output, errors } = await stage.run(createPerson, named('', ''), { onError });
		expect(output.map(({ json }) => json)).toMatchObject(
			isStopped ? [] : [{ total: 2, written: 0, failed: 2 }],
		);
		expect(errors).toHaveLength(onError === 'continueErrorOutput' ? 2 : 0);
		expect(stage.received).toEqual([]);
	});

	test('Retry On Fail runs the node again only for what stops it', async () => {
		stage.sandbox.faults.add({ operationId: 'createPerson', ...rejected });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const more: Partial<Run> = { onError, settings };
		const { output, contextData } = await stage.run(createPerson, named('Ann', 'Bob'), more);
		expect(stage.received).toHaveLength(isStopped ? 3 : 2);
		const written = isStopped ? 2 : 1;
		expect(output.map(({ json }) => json)).toMatchObject([{ written, failed: 2 - written }]);
		// What was written is not kept for a run that does not come.
		expect(contextData).toEqual({ 'node:Page Audience': { writes: {} } });
	});
});

test('says what may be done, and how long the run waited', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', kind: 'resetAfter' });
	stage.sandbox.faults.add({
		operationId: 'createPerson',
		kind: 'status',
		status: 429,
		skip: 1,
		headers: { 'retry-after': '1' },
	});
	const parameters = withReport(createPerson, { maxRetries: 1 });
	const { output, hints } = await stage.run(parameters, named('Ann', 'Bob', 'Cy'), {
		onError: 'continueRegularOutput',
	});
	const [{ json }] = output;
	expect(json).toMatchObject({ total: 3, written: 2, failures: [{ item: 0, maybeDone: true }] });
	expect(json.waitedSeconds).toBeGreaterThan(0);
	expect(hints.join()).toContain(`Waited ${String(json.waitedSeconds)} second`);
});

test('lists a hundred failures and counts the rest', async () => {
	const items = named(...Array<string>(102).fill(''), 'Ann');
	const { output } = await stage.run(createPerson, items, { onError: 'continueRegularOutput' });
	const [{ json }] = output;
	expect(json).toMatchObject({ total: 103, written: 1, failed: 102, moreFailures: 2 });
	expect((json.failures as IDataObject[]).map(({ item }) => item)).toEqual(
		items.slice(0, 100).map((_, item) => item),
	);
});

describe('of a nightly sync', () => {
	const sync = withReport({
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		payloadMode: 'inputItem',
		write: 'changed',
		recordId: '={{ $json.id }}',
		person: { email: '={{ $json.email }}' },
	});
	const contacts: IDataObject[] = [
		{ id: 'a', email: 'a@x.example' },
		{ id: 'b', email: '' },
		{ id: ' c ', email: 'c@x.example' },
		{ email: 'd@x.example' },
	];
	const night = async (more: INodeParameters = {}) => {
		const { output, hints } = await stage.run(withReport(sync, more), contacts, {
			onError: 'continueErrorOutput',
		});
		expect(output).toHaveLength(1);
		return { ...output[0].json, hints };
	};

	test('names the records that failed, and counts those that were skipped', async () => {
		stage.sandbox.faults.add({ operationId: 'createPersonLog', ...rejected, skip: 1 });
		const first = await night();
		expect(first).toMatchObject({ total: 4, written: 1, skipped: 0, failed: 3 });
		expect(first).toMatchObject({
			failures: [
				{ item: 1, recordId: 'b', maybeDone: false },
				{ item: 2, recordId: 'c', maybeDone: false },
				{ item: 3, message: 'Record ID is required' },
			],
		});
		expect(JSON.stringify(first)).not.toContain('"recordId":""');
		expect(await night({ dryRun: true })).toMatchObject({
			dryRun: true,
			total: 4,
			wouldWrite: 2,
			failed: 2,
			hints: [
				'Dry run, nothing was changed: 2 would be written, 2 failed (items 1 and 3, counted from 0)',
				'A dry run does not look up what earlier runs have written',
			],
		});
		expect(await night()).toMatchObject({
			written: 1,
			skipped: 1,
			failed: 2,
			hints: ['1 written, 1 skipped, 2 failed (items 1 and 3, counted from 0)'],
		});
	});

	test('counts a repeat that the service refuses as written', async () => {
		stage.sandbox.guesses.repeatedKey = 'conflict';
		stage.sandbox.faults.add({ operationId: 'createPersonLog', kind: 'resetAfter' });
		expect(await night({ maxRetries: 1 })).toMatchObject({ written: 2, failed: 2 });
	});
});

test.each<[INodeParameters, INodeParameters, string[]]>([
	[
		{ resource: 'person', operation: 'createOrGet', email: '={{ $json.at }}' },
		{},
		['created', 'found'],
	],
	[
		{ resource: 'account', operation: 'upsert', domain: '={{ $json.at }}' },
		{},
		['created', 'updated', 'unchanged'],
	],
])('of %j has the counts that the operation can have', async (parameters, options, real) => {
	const items = [{ at: 'ann@one.example' }, { at: 'bob@two.example' }];
	const run = async (dryRun: boolean) => {
		const all = withReport({ ...parameters, name: 'Ann' }, { ...options, dryRun });
		const { output } = await stage.run(all, items);
		expect(output).toHaveLength(1);
		const { total, failed, waitedSeconds, failures, moreFailures, ...counts } = output[0].json;
		expect([total, failed]).toEqual([2, 0]);
		return counts;
	};
	const none = (names: string[]) => Object.fromEntries(names.map((name) => [name, 0]));
	expect(await run(true)).toEqual({ dryRun: true, wouldCreate: 2 });
	expect(await run(false)).toEqual({ ...none(real), created: 2 });
	const left = real.at(-1) ?? '';
	expect(await run(true)).toEqual({ dryRun: true, [left]: 2 });
	expect(await run(false)).toEqual({ ...none(real), [left]: 2 });
});

test('after n8n runs the node again counts what was written before as written', async () => {
	stage.sandbox.faults.add({ operationId: 'createPerson', ...rejected, skip: 1 });
	const items = named('Ann', 'Bob');
	const failed = await stage.run(createPerson, items);
	expect(failed.error?.message).toContain('1 of 2 items were written');
	const { output } = await stage.run(createPerson, items, { retryOf: failed });
	expect(output[0].json).toEqual({ total: 2, written: 2, ...rest });
	expect(stage.received).toHaveLength(3);
});
