import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setUpActionNode } from './actionNodeSetup.mts';
import { entries } from './engine.mts';
import { nightlySync } from './sync/nightlySync.mts';
import { detectBy, onlyNewOrChanged } from '../groups.mts';

/* What is blank, or says nothing, for some items only. A value that is missing for all of them is in acrossItems. */

const setup = setUpActionNode();
/** Without the look-up of the tenant, which the first run of a sync needs. */
const written = () => setup.received.filter((request) => request.startsWith('POST'));

beforeEach(() => entries.empty());

describe('a blank Query', () => {
	const search = (query: string, resource = 'person'): INodeParameters => ({
		...{ resource, operation: 'search', query },
	});
	const byItem = '={{ $json.query }}';
	const itemsOf = (...queries: unknown[]) => queries.map((query) => ({ query })) as IDataObject[];
	const onError = 'continueRegularOutput';

	test('by expression is refused, and nobody is read', async () => {
		const { error } = await setup.run(search(byItem), itemsOf('a', '', null, ' \u200b', 'e'));
		expect(setup.received).toEqual([]);
		expect(error?.message).toBe(
			'Query is blank, which would find everything: remove such items with a Filter node before this one, or clear the field to list all [items 1, 2 and 3]',
		);
	});

	test('by a part of the expression is refused, and costs the other items nothing', async () => {
		const parameters = search('=  {{ $json.query ? $json.query + "a" : "" }}');
		const { output } = await setup.run(parameters, itemsOf('', 'a'), { onError });
		expect(setup.sandbox.requests).toMatchObject([{ query: { query: '  aa' } }]);
		expect(output[0].json.error).toContain('Query is blank');
	});

	test('is no search for everything: a text without letters and digits is refused', async () => {
		const everything = itemsOf('*', '%', '@', '-', 'null', '{{email}}');
		const { output } = await setup.run(search(byItem), everything, { onError });
		expect(setup.received).toEqual([]);
		for (const { json } of output)
			expect(json.error).toMatch(/^Query is ".*", which says that there is none/);
	});

	test('that is empty in the panel lists all, and one may be a price, a name or a mark', async () => {
		const panel = await setup.run(search(''), [{ n: 1 }, { n: 2 }]);
		const { error } = await setup.run(search(byItem), itemsOf('$100', 'Null', 'C++'));
		expect([panel.error, error]).toEqual([undefined, undefined]);
		expect(setup.received).toHaveLength(5);
	});

	test.each([
		['person', 'or use Person > Get Many to list all people'],
		['account', 'enter the name or domain of an account'],
		['page', 'enter a text that the page contains'],
	])('of %s tells a model what to do', async (resource, advice) => {
		const parameters = search(byItem, resource);
		const { error } = await setup.run(parameters, itemsOf(''), { asTool: true });
		expect(setup.received).toEqual([]);
		expect(error?.message).toMatch(/^Query is blank: enter /);
		expect(error?.message).toContain(advice);
	});
});

describe('a filter that is blank', () => {
	const days = ['2026-01-31', '', null].map((day) => ({ day, end: day && '2026-02-01' }));
	const sessions = (filters: INodeParameters): INodeParameters => ({
		resource: 'audienceSession',
		operation: 'getAll',
		pageId: setup.sandbox.store.pages.all()[0].pageId,
		filters,
	});
	const start = '={{ $json.day }}';
	const both = 'Start Date and End Date are blank, so these filters were not applied';

	test.each<[how: string, filters: INodeParameters, hint: string, sent: boolean[]]>([
		[
			'by expression',
			{ startDate: start },
			'Start Date is blank, so this filter was not applied [items 1 and 2, counted from 0].',
			[true, false, false],
		],
		[
			'like another one',
			{ startDate: start, endDate: '={{ $json.end }}' },
			`${both} [items 1 and 2, counted from 0].`,
			[true, false, false],
		],
		// Because it was added there.
		['in the panel', { startDate: '', endDate: '' }, `${both}.`, [false, false, false]],
	])('%s is told, and not sent', async (_, filters, hint, expected) => {
		const { error, hints } = await setup.run(sessions(filters), days);
		expect(error).toBeUndefined();
		expect(hints.filter((each) => each.includes('blank'))).toEqual([hint]);
		const sent = setup.sandbox.requests.map(({ query }) => 'startDate' in query);
		expect(sent).toEqual(expected);
	});
});

describe('what tells records apart', () => {
	const custom = { ...nightlySync, options: detectBy('custom', '={{ $json.id }}') };
	const run = async (name: string, values: unknown[]) => {
		const items = values.map((value, id) =>
			name === 'recordVersion' ? { id, version: value } : { id: value, version: id },
		);
		const parameters = name === 'key' ? custom : nightlySync;
		return await setup.run(parameters, items as IDataObject[], {
			onError: 'continueRegularOutput',
		});
	};
	const names = [
		['recordId', 'Options > Only New or Changed Records > Record ID'],
		['recordVersion', 'Options > Only New or Changed Records > Record Version'],
		['key', 'Options > Duplicate Detection > Event or Record ID'],
	] as const;

	test.each(names)('is refused as %s where it says nothing', async (name, label) => {
		const nothings = [
			...['Invalid DateTime', 'Invalid date', 'NaN', 'NaT', ' null', 'undefined', '#N/A', '#WERT!'],
			...['{{id}}', '{id}', 'contact-undefined', 'keine Angabe', 'unknown', '-'],
			...['0000-00-00 00:00:00', '0001-01-01T00:00:00', '1899-12-30', '1970-01-01T00:00:00.000Z'],
		];
		const { output } = await run(name, ['good', ...nothings, 'better']);
		expect(written()).toHaveLength(2);
		expect(output.map(({ json }) => json.error)).toEqual([
			undefined,
			...nothings.map((text, i) =>
				expect.stringMatching(
					new RegExp(
						`^${label} is "${text.trim().replace(/[{}]/g, '\\$&')}", which.*item ${i + 1}`,
					),
				),
			),
			undefined,
		]);
	});

	test.each(names)(
		'is sent as %s where people try forms with it, or it has braces',
		async (name) => {
			const values = [
				...['1111', 'test', 'abc', 0, 'x', 'v0', 'form-none-1', 'W/"2026%3A30"'],
				...['{3F2504E0-4F89-11D3-9A0C-0305E82C3301}', '"{3f2504e0-4f89-11d3-9a0c-0305e82c3301},4"'],
			];
			const { output } = await run(name, values);
			expect(output.map(({ json }) => json.error)).toEqual(values.map(() => undefined));
			expect(written()).toHaveLength(values.length);
		},
	);

	test.each(['={{ DateTime.fromISO($json.version) }}', '={{ new Date($json.version) }}'])(
		'is refused as the invalid date of %s',
		async (recordVersion) => {
			const items = ['2026-01-31', 'soon', 'never'].map((version, id) => ({ id, version }));
			const options = onlyNewOrChanged('={{ $json.id }}', { recordVersion });
			const { output } = await setup.run({ ...nightlySync, options }, items, {
				onError: 'continueRegularOutput',
			});
			expect(written()).toHaveLength(1);
			expect(output.map(({ json }) => json.error)).toEqual([
				undefined,
				...[1, 2].map(
					(n) =>
						`Options > Only New or Changed Records > Record Version must be text, but is an invalid date [item ${n}]`,
				),
			]);
		},
	);
});
