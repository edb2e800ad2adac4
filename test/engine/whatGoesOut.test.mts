import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readTruth } from '../truth/truth.mts';
import { openIsolatedEngine } from '../unit/parameters/mapping/n8n.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { entries } from './engine.mts';
import { detectBy, onlyNewOrChanged, requestLimits } from '../groups.mts';

/*
 * What people, spreadsheets and other programs put into the fields, one of each kind. The tables of unit/parameters and
 * unit/resources have all values.
 */

const setup = setUpActionNode();

/** The bodies or queries that were sent, then what is told of items that were not. */
async function send(
	parameters: INodeParameters,
	items: IDataObject[] = [{}, {}],
): Promise<unknown[]> {
	setup.sandbox.requests.length = 0;
	const options = {
		...requestLimits({ concurrency: 1, maxRetries: 0 }),
		...(parameters.options as INodeParameters | undefined),
	};
	const { output, error } = await setup.run({ ...parameters, options }, items, {
		timezone: 'Europe/Berlin',
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	const told = output.flatMap(({ json }) =>
		json.error === undefined || (json.details as IDataObject).status ? [] : [json.error],
	);
	const sent = setup.sandbox.requests.map(
		({ body, rawQuery }) => body ?? Object.fromEntries(new URLSearchParams(rawQuery)),
	);
	return [...sent, ...told];
}

const log = (more: INodeParameters): INodeParameters => ({
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	person: {},
	options: detectBy('none'),
	...more,
});
const update = (more: INodeParameters): INodeParameters => ({
	resource: 'page',
	operation: 'update',
	pageId: '=page_{{ $itemIndex }}',
	...more,
});

test.each([
	{ payloadMode: 'inputItem' },
	{ payloadMode: 'json', payload: '={{ $json }}' },
	{ payloadMode: 'json', payload: '={ "lead": {{ $json.lead }}, "b": [null, { "c": "" }] }' },
])(
	'a log with %j holds the item, and no number that would be sent as another one',
	async (payload) => {
		const items = [23851234567890124, 7].map((lead) => ({ lead, b: [null, { c: '' }] }));
		expect(await send(log(payload), items)).toEqual([
			{ source: 'crm', type: 'webhook', payload: items[1] },
			expect.stringMatching(
				/^Payload\b.* contains a number whose value would change when sent \(23851234567890124\)/,
			),
		]);
		// A number that is not sent is no obstacle.
		expect(await send(log({ payloadMode: 'fields' }), items)).toMatchObject([
			{ payload: {} },
			{ payload: {} },
		]);
	},
);

test('invisible characters are removed from IDs and names, and stay in texts', async () => {
	const text = '={{ $json.text }}';
	const items = [{ text: '\ufeffone\u200b\u00a0' }, { text: 'two' }];
	const page = { resource: 'page', operation: 'create', name: text, brandId: text };
	const actions = { action: [{ actionId: text, buttonTitle: text }] };
	expect(await send({ ...page, pageContext: text, actions }, items)).toMatchObject(
		['one', 'two'].map((id, item) => ({
			name: id,
			brandId: id,
			pageContext: items[item].text,
			actions: [{ actionId: id, buttonTitle: items[item].text }],
		})),
	);
});

test('an invisible byte order mark in the name of the first column of a CSV file is told', async () => {
	const person = { personId: `prospect_${'a'.repeat(26)}`, email: "={{ $json['Email'] }}" };
	const items = [{ '\ufeffEmail': 'ada@a.example' }, { Email: 'bob@b.example' }];
	expect(await send(log({ person }), items)).toEqual([
		expect.objectContaining({ email: 'bob@b.example' }),
		"{{ $json['Email'] }} has no value, because the name of this field begins with an invisible byte order mark: turn on Exclude Byte Order Mark (BOM) in the node that reads the file, or drag the field into the panel again [item 0]",
	]);
});

test('a date is in the time zone of the workflow, and the last day of a period is whole', async () => {
	const list = { resource: 'audienceSession', operation: 'getAll', pageId: 'page', limit: 1 };
	const filters = { startDate: '={{ $json.date }}', endDate: '={{ $json.end }}' };
	const items = [
		{ date: '31.01.2026', end: '2026/1/31' },
		{ date: '2026-01-31 08:00', end: 1769929200000 },
		{ date: 46053, end: '' },
	];
	expect(await send({ ...list, filters }, items)).toEqual([
		expect.objectContaining({
			startDate: '2026-01-31T00:00:00+01:00',
			endDate: '2026-01-31T23:59:59.999+01:00',
		}),
		expect.objectContaining({
			startDate: '2026-01-31T08:00:00+01:00',
			endDate: '2026-02-01T07:00:00Z',
		}),
		expect.stringContaining("{{ $json.date.toDateTime('excel').toUTC().toISODate() }}"),
	]);
});

test('a year that is a typo is refused, and asks nobody for the whole history', async () => {
	const filters = { startDate: '={{ $json.from }}' };
	const list = { resource: 'audienceSession', operation: 'getAll', pageId: 'page_1', filters };
	const items = ['2026-01-31', '0026-01-31', '9999-12-31'].map((from) => ({ from }));
	const { error } = await setup.run(list, items);
	expect(setup.received).toEqual([]);
	expect(error?.message).toMatch(
		/^Filters > Start Date must be a date between 1970 and 2200 .* "0026-01-31" \[item 1\]; .* "9999-12-31" \[item 2\]$/,
	);
});

describe('a date that is an object, as those of a database are,', () => {
	const times = ['2026-01-31T08:00:00.000Z', '2026-02-15T08:00:00.000Z'];
	const dates = times.map((time): unknown => DateTime.fromISO(time, { zone: 'utc' }));
	const withDates = (all: unknown[]) => all.map((at, id) => ({ id, at }) as IDataObject);
	const logAt = (type: string, more: INodeParameters = {}) => {
		const assignments = [{ id: '1', name: 'at', type, value: '={{ $json.at }}' }];
		return log({ payloadMode: 'fields', payloadFields: { assignments }, ...more });
	};

	let n8n: Awaited<ReturnType<typeof openIsolatedEngine>>;
	beforeAll(async () => (n8n = await openIsolatedEngine()));
	afterAll(async () => await n8n.close());

	test('is sent as ISO text in a payload field', async () => {
		const items = withDates(times.map((time) => new Date(time)));
		expect(await send(logAt('object'), items)).toMatchObject(
			times.map((at) => ({ payload: { at } })),
		);
	});

	test('is accepted as the date of a filter', async () => {
		const filters = { startDate: '={{ $json.at }}' };
		const list = { resource: 'audienceSession', operation: 'getAll', pageId: 'page_1', limit: 1 };
		expect(await send({ ...list, filters }, withDates(dates))).toMatchObject([
			{ startDate: '2026-01-31T08:00:00Z' },
			{ startDate: '2026-02-15T08:00:00Z' },
		]);
	});

	test('and has changed is sent again by a sync', async () => {
		entries.empty();
		const person = { email: 'ann@crm.example' };
		const sync = logAt('string', { person, options: onlyNewOrChanged('={{ $json.id }}') });
		const [before, after] = dates;
		await setup.run(sync, withDates([before, before]));
		const { output } = await setup.run(sync, withDates([before, after]));
		expect(output.map(({ json }) => json.alreadyWritten)).toEqual([true, false]);
	});
});

test('rows that an expression yields in their place are refused', async () => {
	// n8n turns it into one blank row per character.
	const refusal = expect.stringContaining('Update Fields > Actions > Action 1 is blank') as string;
	const actions = { action: '={{ "typed" }}' };
	expect(await send(update({ updateFields: { actions } }))).toEqual([refusal, refusal]);
});

test('several texts come one by one, with commas between them, or as a list', async () => {
	const items = [
		{ id: 'page_1', list: ['a, b', 'c'], text: 'd, e' },
		{ id: 'page_2', list: ['f'], text: '' },
	];
	const keywords = async (list: INodeParameters[string]) =>
		(
			await send(
				update({ pageId: '={{ $json.id }}', updateFields: { metadata: { keywords: list } } }),
				items,
			)
		).map((body) => ((body as IDataObject).metadata as IDataObject).keywords);
	for (const list of ['={{ $json.list }}', ['={{ $json.list }}']])
		expect(await keywords(list)).toEqual([['a, b', 'c'], ['f']]);
	expect(await keywords(['a, b', '={{ $json.text }}'])).toEqual([
		['a', 'b', 'd', 'e'],
		['a', 'b'],
	]);
});

test('overrides of an audience are cleared, the metadata with an empty object', async () => {
	const [, first, second] = setup.sandbox.store.audiences.all();
	const clear = {
		resource: 'audience',
		operation: 'update',
		pageId: '={{ $json.pageId }}',
		audienceId: '={{ $json.audienceId }}',
		updateFields: { fieldsToClear: '={{ $json.clear }}' },
		simplify: false,
	};
	for (const each of [first, second])
		Object.assign(each, { metadataOverride: { title: 'T' }, customName: 'N' });
	const items = [
		{ ...first, clear: ['metadataOverride', 'customName'] },
		{ ...second, clear: ['customName'] },
	] as unknown as IDataObject[];
	const { output } = await setup.run(clear, items);
	expect(setup.sandbox.requests.map(({ body }) => body)).toEqual(
		expect.arrayContaining([{ metadataOverride: {}, customName: '' }, { customName: '' }]),
	);
	expect(output.map(({ json }) => json.metadataOverride)).toEqual([{}, { title: 'T' }]);
	const updateFields = { ...clear.updateFields, metadataOverride: { title: 'New' } };
	const both = { ...clear, updateFields };
	const { error } = await setup.run(both, items);
	expect(error?.message).toContain('Metadata Override is both set and cleared');
});

test.each<[file: string, parameters: INodeParameters, field: string]>([
	['domains', { resource: 'account', operation: 'create', domain: '={{ $json.value }}' }, 'domain'],
	['names', { resource: 'person', operation: 'create', name: '={{ $json.value }}' }, 'name'],
	...(
		[
			['emails', 'email'],
			['phones', 'phoneNumber'],
			['linkedin', 'linkedinProfileUrl'],
		] as const
	).map(([file, field]): [string, INodeParameters, string] => [
		file,
		log({ person: { [field]: '={{ $json.value }}' } }),
		field,
	]),
	['texts', update({ updateFields: { pageContext: '={{ $json.value }}' } }), 'pageContext'],
])('what people have goes to the wire as it is: ten of %s', async (file, parameters, field) => {
	const values = readTruth(file);
	const ten = Array.from({ length: 10 }, (_, n) => values[Math.floor((n * values.length) / 10)]);
	const bodies = await send(
		parameters,
		ten.map(({ value }) => ({ value })),
	);
	expect(bodies.map((body) => (body as IDataObject)[field])).toEqual(ten.map(({ sent }) => sent));
});
