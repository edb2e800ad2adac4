import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openStage } from './stage.mts';

/* What people, spreadsheets and other programs put into the fields, after reports of flows that broke on it. */

const stage = openStage({ validateResponses: false });

/** The path, query and body of each request, or why an item was not sent. */
async function send(parameters: INodeParameters, items: IDataObject[], timezone = 'Europe/Berlin') {
	stage.sandbox.requests.length = 0;
	const options = { concurrency: 1, maxRetries: 0, ...(parameters.options as IDataObject) };
	const { output, error } = await stage.run({ ...parameters, options }, items, {
		timezone,
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	const told = output.filter(
		({ json }) => json.error !== undefined && (json.details as IDataObject).status === undefined,
	);
	return {
		paths: stage.sandbox.requests.map(({ path }) => path),
		queries: stage.sandbox.requests.map(({ rawQuery }) =>
			Object.fromEntries(new URLSearchParams(rawQuery)),
		),
		bodies: stage.sandbox.requests.map(({ body }) => body as IDataObject),
		told: told.map(({ json }) => String(json.error)),
	};
}

describe('what nobody sees', () => {
	const invisible = (text: string) => `\ufeff${text}\u200b\u00a0`;

	test.each<[name: string, parameters: INodeParameters, path: string]>([
		[
			'page',
			{ resource: 'audience', operation: 'getAll', pageId: '={{ $json.id }}' },
			'/pages/ID/audiences',
		],
		[
			'audience',
			{
				resource: 'audience',
				operation: 'archive',
				pageId: 'p',
				audienceId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			'/pages/p/audiences/ID',
		],
		[
			'session',
			{
				resource: 'audienceSession',
				operation: 'getInteractions',
				audienceSessionId: '={{ $json.id }}',
			},
			'/audience_sessions/ID/interactions',
		],
		[
			'subscription',
			{ resource: 'webhookSubscription', operation: 'get', subscriptionId: '={{ $json.id }}' },
			'/webhook_subscriptions/ID',
		],
		[
			'page link',
			{
				resource: 'pageLink',
				operation: 'update',
				pageLinkId: '={{ $json.id }}',
				updateFields: { path: '/a' },
			},
			'/page_links/ID',
		],
	])('is removed from the ID of a %s', async (_, parameters, path) => {
		const { paths } = await send(parameters, [{ id: invisible('one') }, { id: 'two' }]);
		expect(paths).toEqual(['one', 'two'].map((id) => `/v0${path.replace('ID', id)}`));
	});

	test('is removed from IDs in a body and from names, and stays in texts', async () => {
		const create = {
			resource: 'page',
			operation: 'create',
			name: '={{ $json.text }}',
			brandId: '={{ $json.text }}',
			pageContext: '={{ $json.text }}',
			actions: { action: [{ actionId: '={{ $json.text }}', buttonTitle: '={{ $json.text }}' }] },
		};
		const { bodies } = await send(create, [{ text: invisible('one') }, { text: 'two' }]);
		expect(bodies).toMatchObject([
			{
				name: 'one',
				brandId: 'one',
				pageContext: invisible('one'),
				actions: [{ actionId: 'one', buttonTitle: invisible('one') }],
			},
			{ name: 'two', brandId: 'two', pageContext: 'two' },
		]);
	});

	test('is refused in a path', async () => {
		const parameters = { resource: 'pageLink', operation: 'update', pageLinkId: 'link' };
		const updateFields = { path: '={{ $json.path }}', tenantDomainId: '={{ $json.domain }}' };
		const { bodies, told } = await send({ ...parameters, updateFields }, [
			{ path: '/spring\u200b', domain: 'domain' },
			{ path: '/spring', domain: invisible('domain') },
		]);
		expect(bodies).toEqual([{ path: '/spring', tenantDomainId: 'domain' }]);
		expect(told).toEqual([
			'Update Fields > Path contains an invisible character (U+200B): type it again [item 0]',
		]);
	});

	test('makes no second record of a Record ID', async () => {
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: 'ada@a.example' },
			write: 'changed',
			recordId: '={{ $json.id }}',
			recordVersion: '={{ $json.version }}',
		};
		const ids = ['4711', '4711\u200b', '\ufeff4711', '47\u200b11', 4711];
		const { bodies } = await send(
			parameters,
			ids.map((id) => ({ id, version: '1' })),
		);
		expect(bodies).toHaveLength(1);
	});

	test('is told where it hides the first column of a CSV file', async () => {
		const parameters = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { personId: `prospect_${'a'.repeat(26)}`, email: "={{ $json['Email'] }}" },
		};
		const { bodies, told } = await send(parameters, [
			{ '\ufeffEmail': 'ada@a.example', Name: 'Ada' },
			{ Email: 'bob@b.example', Name: 'Bob' },
			{ Name: 'Cleo' },
		]);
		expect(bodies.map(({ email }) => email)).toEqual(['bob@b.example', undefined]);
		expect(told).toEqual([
			"{{ $json['Email'] }} has no value, because the name of this field begins with an invisible byte order mark: turn on Exclude Byte Order Mark (BOM) in the node that reads the file, or drag the field into the panel again [item 0]",
		]);
	});
});

describe('a date', () => {
	const list = (filters: INodeParameters): INodeParameters => ({
		resource: 'audienceSession',
		operation: 'getAll',
		pageId: 'page',
		limit: 1,
		filters,
	});
	const dayInBerlin = {
		startDate: '2026-01-31T00:00:00+01:00',
		endDate: '2026-01-31T23:59:59.999+01:00',
	};

	test.each<[what: string, date: unknown, expression?: string]>([
		['of the date picker', '2026-01-31T00:00:00'],
		['in ISO 8601', '2026-01-31'],
		['as n8n gives $today', '2026-01-31T00:00:00.000+01:00'],
		['as a date of Luxon', '2026-01-31', '={{ DateTime.fromISO($json.date) }}'],
		['with dots', '31.01.2026'],
		['with slashes and the year first', '2026/1/31'],
		['with dots and the year first', '2026.01.31'],
		['of a SQL table', '2026-01-31 00:00:00'],
		['of a week', '2026-W05-6'],
		['in digits', 20260131],
		[
			'as a day of Excel, by the remedy of the message',
			46053,
			"={{ $json.date.toDateTime('excel').toUTC().toISODate() }}",
		],
		[
			'in American order, by the remedy of the message',
			'1/31/2026',
			"={{ DateTime.fromFormat($json.date, 'M/d/yyyy') }}",
		],
	])('%s is the whole day', async (_, date, expression = '={{ $json.date }}') => {
		const parameters = list({ startDate: expression, endDate: expression });
		const { queries, told } = await send(parameters, [{ date }, { date }] as IDataObject[]);
		expect(told).toEqual([]);
		expect(queries).toEqual([dayInBerlin, dayInBerlin].map((day) => ({ limit: '1', ...day })));
	});

	test('of today is the same from the picker and from $today', async () => {
		const day = DateTime.now().setZone('Europe/Berlin');
		const parameters = list({
			startDate: day.toFormat("yyyy-MM-dd'T'00:00:00"),
			endDate: '={{ $today }}',
		});
		const { queries, told } = await send(parameters, [{}, {}]);
		expect(told).toEqual([]);
		expect(queries[0].startDate).toBe(day.startOf('day').toISO({ suppressMilliseconds: true }));
		expect(queries[0].endDate).toBe(day.endOf('day').toISO());
	});

	test.each<[what: string, date: unknown]>([
		['with a space', '2026-11-26 08:00'],
		['with a space and one digit', '2026-11-26 8:00'],
		['with dots', '26.11.2026 08:00'],
		['with dots and a comma', '26.11.2026, 08:00:00'],
		['with an offset without a colon', '2026-11-26T08:00:00+0100'],
		['with slashes and the year first', '2026/11/26 8:00'],
		['with the narrow space that browsers write', '2026-11-26\u202f08:00'],
		['of PostgreSQL', '2026-11-26 08:00:00+01'],
		['in seconds', 1_795_676_400],
		['in milliseconds', 1_795_676_400_000],
		['in milliseconds of a spreadsheet', '1795676400000.0'],
		['of JavaScript', new Date('2026-11-26T07:00:00Z')],
	])('%s is one moment', async (_, date) => {
		const filters = { startDate: '={{ $json.date }}', endDate: '={{ $json.end }}' };
		const { queries, told } = await send(list(filters), [
			{ date, end: '2026-12-01' },
			{ date, end: '2026-12-02' },
		] as IDataObject[]);
		expect(told).toEqual([]);
		for (const { startDate } of queries)
			expect(Date.parse(startDate)).toBe(Date.parse('2026-11-26T07:00:00Z'));
		expect(queries.map(({ endDate }) => endDate.slice(0, 10))).toEqual([
			'2026-12-01',
			'2026-12-02',
		]);
	});

	test.each([
		[
			46053,
			"a day number of a spreadsheet: use {{ $json.date.toDateTime('excel').toUTC().toISODate() }}",
		],
		[
			'11/26/2026',
			"which countries read in different ways: use {{ DateTime.fromFormat($json.date, 'M/d/yyyy') }}, or 'd/M/yyyy' if the day comes first",
		],
		['26-11-2026', 'which countries read in different ways'],
	])('%j is refused with what makes one of it', async (date, remedy) => {
		const { paths, told } = await send(list({ startDate: '={{ $json.date }}' }), [
			{ date },
			{ date },
		]);
		expect(paths).toEqual([]);
		expect(told).toEqual([expect.stringContaining(remedy), expect.stringContaining(remedy)]);
	});

	test('that ends a period of no length is refused', async () => {
		const filters = { startDate: '={{ $json.start }}', endDate: '={{ $json.end }}' };
		const noon = '2026-01-31T12:00:00';
		const { queries, told } = await send(list(filters), [
			{ start: noon, end: noon },
			{ start: '2026-01-31', end: '2026-01-31' },
		]);
		expect(queries).toEqual([{ limit: '1', ...dayInBerlin }]);
		expect(told).toEqual([
			'Filters > Start Date (2026-01-31T12:00:00+01:00) must be before End Date (2026-01-31T12:00:00+01:00) [item 0]',
		]);
	});
});

describe('a JSON template', () => {
	const log = (payload: string): INodeParameters => ({
		resource: 'personLog',
		operation: 'create',
		source: 'form',
		person: { email: 'ada@a.example' },
		payloadMode: 'json',
		payload,
	});
	const messages = ['He said "hi"', 'two\nlines', 'C:\\users', 'plain'];
	const items = messages.map((message) => ({ message }));

	test('that a value breaks is refused with the place and what to do', async () => {
		const { bodies, told } = await send(log('={ "note": "{{ $json.message }}" }'), items);
		expect(bodies.map(({ payload }) => payload)).toEqual([{ note: 'plain' }]);
		const near = [
			', near "{ "note": "He said "hi"" }"',
			', near "{ "note": "two\nlines" }"',
			', near "{ "note": "C:\\users" }"',
		];
		const start = /^Payload JSON must be valid JSON, but is not: /;
		const remedy =
			'. In a template, write {{ JSON.stringify($json.message) }} without quotes around it, or choose Using Fields Below';
		for (const [item, place] of near.entries()) {
			expect(told[item]).toMatch(start);
			expect(told[item]).toContain(`${place}${remedy} [item ${item}]`);
		}
		expect(told).toHaveLength(near.length);
	});

	test.each([
		['a text without quotes', '={ "note": {{ $json.message }} }', 'plain', '"{ "note": plain }"'],
		['an object', '={ "note": {{ $json.object }} }', 'plain', '" "note": [object Obj'],
		['JavaScript', '={ note: "{{ $json.message }}" }', 'plain', ', near "{ note: '],
		['curly quotes', '={ “note”: "{{ $json.message }}" }', 'plain', '"{ “note”: '],
		['prose of a model', '={{ $json.message }}', 'Here it is: {}', '"Here it is'],
	])('of %s is refused', async (_, payload, message, near) => {
		const item = { message, object: { a: 1 } };
		const { paths, told } = await send(log(payload), [item, item]);
		expect(paths).toEqual([]);
		expect(told).toEqual(Array(2).fill(expect.stringContaining(near)));
	});

	test('in a block of Markdown, as models write it, is read', async () => {
		const text = '```json\n{ "note": "a ``` b" }\n```';
		const { bodies } = await send(log('={{ $json.output }}'), [{ output: text }, { output: '{}' }]);
		expect(bodies.map(({ payload }) => payload)).toEqual([{ note: 'a ``` b' }, {}]);
	});

	test('of a model with a number of 19 digits is refused', async () => {
		const parameters = log('{ "id": 2512292042121000001 }');
		const { error } = await stage.run(parameters, [{}], { asTool: true });
		expect(error?.message).toContain('whose value would change when sent');
		expect(stage.sandbox.requests).toEqual([]);
	});

	test.each<[remedy: string, parameters: INodeParameters]>([
		['JSON.stringify of all', log('={{ JSON.stringify({ note: $json.message }) }}')],
		['JSON.stringify', log('={ "note": {{ JSON.stringify($json.message) }} }')],
		['an object', log('={{ { note: $json.message } }}')],
		[
			'fields',
			{
				...log(''),
				payloadMode: 'fields',
				payloadFields: {
					assignments: [{ id: '1', name: 'note', type: 'string', value: '={{ $json.message }}' }],
				},
			},
		],
	])('is safe with %s', async (_, parameters) => {
		const { bodies, told } = await send(parameters, items);
		expect(told).toEqual([]);
		expect(bodies.map(({ payload }) => payload)).toEqual(messages.map((note) => ({ note })));
	});
});

describe('a key', () => {
	const log = (more: INodeParameters): INodeParameters => ({
		resource: 'personLog',
		operation: 'create',
		source: 'form',
		person: { email: '={{ $json.email }}' },
		...more,
	});
	const custom = log({
		idempotency: 'custom',
		idempotencyKey: '=form-{{ $json.submission }}',
	});
	const sync = log({ write: 'changed', recordId: '={{ $json.submission }}' });
	const items = (first: unknown, second: unknown) =>
		[
			{ email: 'ada@a.example', submission: first },
			{ email: 'bob@b.example', submission: second },
		] as IDataObject[];

	test('of an object is refused, not shared by all items', async () => {
		const { paths, told } = await send(custom, items({ id: 1 }, { id: 2 }));
		expect(paths).toEqual([]);
		expect(told).toEqual(
			[0, 1].map(
				(item) => expect.stringMatching(`contains \\[object Object\\].*${item}\\]$`) as string,
			),
		);
	});

	test('that a spreadsheet has rounded is refused, and the number itself is taken', async () => {
		const { paths, told } = await send(sync, items('4.93012E+11', '4,93012E+11'));
		expect(paths).toEqual([]);
		expect(told).toEqual(Array(2).fill(expect.stringContaining('that a spreadsheet has rounded')));
		expect((await send(sync, items(493_012_345_678, '493012345679'))).told).toEqual([]);
	});
});
