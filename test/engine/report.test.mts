import type { INodeParameters } from 'n8n-workflow';
import { describeCases } from './cases/index.mts';
import { entries, originOf } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { onlyNewOrChanged, requestLimits } from '../groups.mts';

const setup = setUpActionNode();
beforeEach(() => entries.empty());

const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const withReport = (parameters: INodeParameters, more: INodeParameters = {}) => {
	const limits = requestLimits({ concurrency: 1, maxRetries: 0 });
	const own = parameters.options as INodeParameters | undefined;
	return { ...parameters, options: { ...limits, report: true, ...own, ...more } };
};
const name = '={{ $json.name }}';
const createPerson = withReport({ resource: 'person', operation: 'create', name });
const named = (...names: string[]) => names.map((name) => ({ name }));

/** What stands beside the counts. */
const rest = { failed: 0, waitedSeconds: 0, failures: [], moreFailures: 0 };

test('a report is one item for every operation that writes, linked to all input items', async () => {
	for (const { parameters, items, sends, operation } of describeCases(setup.sandbox)) {
		if (sends[0].request.startsWith('GET ')) continue;
		setup.sandbox.requests.length = 0;
		for (const dryRun of [true, false]) {
			const { output, error } = await setup.run(withReport(parameters, { dryRun }), items);
			expect(error).toBeUndefined();
			const counts = {
				...(dryRun ? { dryRun, wouldWrite: 2 } : { written: 2 }),
				...(/^person(?:Log)?\./.test(operation) && { leftOut: 0 }),
				...(operation === 'personLog.create' && !dryRun && { skipped: 0 }),
			};
			expect(output).toEqual([
				{ json: { total: 2, ...counts, ...rest }, pairedItem: [{ item: 0 }, { item: 1 }] },
			]);
			expect(setup.received).toEqual(dryRun ? [] : sends.map(({ request }) => request));
		}
	}
});

test.each<[operation: string, parameters: INodeParameters, counts: object]>([
	[
		'createOrGet',
		{ resource: 'person', email: '={{ $json.at }}' },
		{ created: 2, found: 0, leftOut: 0 },
	],
	[
		'upsert',
		{ resource: 'account', domain: '={{ $json.at }}' },
		{ created: 2, updated: 0, unchanged: 0 },
	],
])('a report of %s has the counts that it can have', async (operation, parameters, counts) => {
	const items = [{ at: 'ann@one.example' }, { at: 'bob@two.example' }];
	const given = withReport({ ...parameters, operation, name: 'Ann' });
	const { output } = await setup.run(given, items);
	expect(output.map(({ json }) => json)).toEqual([{ total: 2, ...counts, ...rest }]);
});

test('no report is made where it is off, in an operation that reads, and in an AI tool', async () => {
	const items = named('Ann', 'Bob');
	const off = { ...createPerson, options: { report: false } };
	const asTool = await setup.run(createPerson, items, { asTool: true });
	for (const { output } of [await setup.run(off, items), asTool])
		expect(output.map(({ json }) => json.name)).toEqual(['Ann', 'Bob']);
	const read = withReport({ resource: 'webhookSubscription', operation: 'getAll' });
	const { output } = await setup.run(read, [{}, {}]);
	expect(output.every(({ json }) => !('waitedSeconds' in json))).toBe(true);
});

test.each(onErrors)(
	'with On Error: %s, Retry On Fail runs again only what stops',
	async (onError) => {
		setup.sandbox.faults.add({ operationId: 'createPerson', kind: 'status', status: 422 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const items = named('Ann', 'Bob');
		const { output, contextData } = await setup.run(createPerson, items, { onError, settings });
		const written = onError === 'stopWorkflow' ? 2 : 1;
		expect(setup.received).toHaveLength(written + 1);
		expect(output.map(({ json }) => json)).toMatchObject([{ written, failed: 2 - written }]);
		// What was written is not kept for a run that does not come.
		expect(contextData).toEqual({ 'node:Page Audience': { writes: {} } });
	},
);

test('a report says what may be done, and how long the run waited, beside the error output', async () => {
	setup.sandbox.faults.add({ kind: 'resetAfter' });
	setup.sandbox.faults.add({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
	const parameters = withReport(createPerson, requestLimits({ concurrency: 1, maxRetries: 1 }));
	const more = { onError: 'continueErrorOutput' } as const;
	const { output, errors } = await setup.run(parameters, named('Ann', 'Bob', 'Cy'), more);
	const failures = [{ item: 0, maybeDone: true }];
	expect(output[0].json).toMatchObject({ total: 3, written: 2, waitedSeconds: 1, failures });
	expect(errors.map(originOf)).toEqual([0]);
});

test('a report lists a hundred failures and counts the rest', async () => {
	const items = named(...Array<string>(102).fill(''), 'Ann');
	const { output } = await setup.run(createPerson, items, { onError: 'continueRegularOutput' });
	const failures = items
		.slice(0, 100)
		.map((_, item) => expect.objectContaining({ item }) as object);
	const counts = { total: 103, written: 1, failed: 102, moreFailures: 2 };
	expect(output).toMatchObject([{ json: { ...counts, failures } }]);
});

test('a report of a nightly sync names the records that failed, and counts what was skipped', async () => {
	const sync = withReport({
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		payloadMode: 'inputItem',
		options: onlyNewOrChanged('={{ $json.id }}'),
		person: { email: '={{ $json.email }}' },
	});
	const contacts = [
		{ id: 'a', email: 'a@x.example' },
		{ id: ' b ', email: '' },
		{ email: 'd@x.example' },
	];
	const night = async () => {
		const { output, hints } = await setup.run(sync, contacts, { onError: 'continueErrorOutput' });
		return [...output.map(({ json }) => json), ...hints];
	};
	const [first] = await night();
	expect(first).toMatchObject({
		...{ total: 3, written: 1, skipped: 0, failed: 2 },
		failures: [
			{ item: 1, recordId: 'b', maybeDone: false },
			{
				item: 2,
				message:
					'Options > Only New or Changed Records > Record ID is required, but its expression is blank',
			},
		],
	});
	expect(JSON.stringify(first)).not.toContain('"recordId":""');
	expect(await night()).toMatchObject([
		{ written: 0, skipped: 1, failed: 2 },
		'1 skipped, 2 failed (items 1 and 2, counted from 0)',
	]);
});
