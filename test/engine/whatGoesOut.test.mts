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

const sessions = (filters: INodeParameters): INodeParameters => ({
	...{ resource: 'audienceSession', operation: 'getAll', pageId: 'page_1', limit: 1, filters },
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
			expect.stringMatching(/^Payload\b.* would change when sent \(23851234567890124\)/),
		]);
	},
);

test('such a number is no obstacle where it is not sent', async () => {
	const bodies = await send(log({ payloadMode: 'fields' }), [{ lead: 23851234567890124 }, {}]);
	expect(bodies).toMatchObject([{ payload: {} }, { payload: {} }]);
});

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
	const filters = { startDate: '={{ $json.date }}', endDate: '={{ $json.end }}' };
	const items = [
		{ date: '31.01.2026', end: '2026/1/31' },
		{ date: '2026-01-31 08:00', end: 1769929200000 },
		{ date: 46053, end: '' },
	];
	expect(await send(sessions(filters), items)).toMatchObject([
		{ startDate: '2026-01-31T00:00:00+01:00', endDate: '2026-01-31T23:59:59.999+01:00' },
		{ startDate: '2026-01-31T08:00:00+01:00', endDate: '2026-02-01T07:00:00Z' },
		expect.stringContaining("{{ $json.date.toDateTime('excel').toUTC().toISODate() }}"),
	]);
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
		const bodies = await send(logAt('object'), items);
		expect(bodies).toMatchObject(times.map((at) => ({ payload: { at } })));
	});

	test('is accepted as the date of a filter', async () => {
		const queries = await send(sessions({ startDate: '={{ $json.at }}' }), withDates(dates));
		const sent = times.map((time) => ({ startDate: time.replace('.000', '') }));
		expect(queries).toMatchObject(sent);
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

/** Each keyword stands between bars. */
test.each<[keywords: string[] | string, first: string, second: string]>([
	['={{ $json.list }}', 'a, b|c', 'f'],
	[['={{ $json.list }}'], 'a, b|c', 'f'],
	[['a, b', '={{ $json.text }}'], 'a|b|d|e', 'a|b'],
])(
	'several texts come one by one, with commas between them, or as a list: %j',
	async (keywords, ...sent) => {
		const items = [
			{ list: ['a, b', 'c'], text: 'd, e' },
			{ list: ['f'], text: '' },
		];
		const bodies = await send(update({ updateFields: { metadata: { keywords } } }), items);
		expect(bodies).toEqual(sent.map((all) => ({ metadata: { keywords: all.split('|') } })));
	},
);

test('a field that is both set and cleared is refused', async () => {
	const updateFields = { customName: 'New', fieldsToClear: '={{ $json.clear }}' };
	const audience = { resource: 'audience', audienceId: 'audience_1', updateFields };
	const items = [{ clear: ['customName'] }, { clear: ['supplementaryContext'] }];
	expect(await send(update(audience), items)).toEqual([
		{ customName: 'New', supplementaryContext: '' },
		expect.stringContaining('Custom Name is both set and cleared'),
	]);
});

const value = '={{ $json.value }}';
const logOf = (field: string) => log({ person: { [field]: value } });

test.each<[file: string, field: string, parameters: INodeParameters]>([
	['domains', 'domain', { resource: 'account', operation: 'create', domain: value }],
	['names', 'name', { resource: 'person', operation: 'create', name: value }],
	['emails', 'email', logOf('email')],
	['phones', 'phoneNumber', logOf('phoneNumber')],
	['linkedin', 'linkedinProfileUrl', logOf('linkedinProfileUrl')],
	['texts', 'pageContext', update({ updateFields: { pageContext: value } })],
])('what people have goes to the wire as it is: ten of %s', async (file, field, parameters) => {
	const values = readTruth(file);
	const ten = Array.from({ length: 10 }, (_, n) => values[Math.floor((n * values.length) / 10)]);
	const items = ten.map(({ value }) => ({ value }));
	const bodies = await send(parameters, items);
	expect(bodies.map((body) => (body as IDataObject)[field])).toEqual(ten.map(({ sent }) => sent));
});
