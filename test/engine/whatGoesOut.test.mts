import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let page: string;
beforeEach(() => {
	page = [...stage.sandbox.store.pages][0].pageId;
});

/** The bodies sent for two items, then the messages of items that failed. */
async function send(
	parameters: INodeParameters,
	items: [IDataObject, IDataObject] = [{}, {}],
	more: Partial<Run> = {},
): Promise<unknown[]> {
	stage.sandbox.requests.length = 0;
	const { output, error } = await stage.run({ options: { concurrency: 1 }, ...parameters }, items, {
		onError: 'continueRegularOutput',
		...more,
	});
	if (error) throw error;
	const told = output.flatMap(({ json }) => (json.error === undefined ? [] : [json.error]));
	const sent = stage.sandbox.requests.map(({ body, rawQuery }) => body ?? rawQuery);
	return [...sent, ...told];
}

const log = (parameters: INodeParameters): INodeParameters => ({
	resource: 'personLog',
	operation: 'create',
	source: 'crm',
	idempotency: 'none',
	...parameters,
});

/** A record as a workflow holds it. */
const toJson = (record: object): IDataObject => JSON.parse(JSON.stringify(record)) as IDataObject;

describe('a person log', () => {
	test('has the documented defaults, and no person when none is added', async () => {
		const body = { source: 'crm', type: 'webhook', payload: {} };
		expect(await send(log({}))).toEqual([body, body]);
		expect(await send(log({ type: ' ', source: ' crm ' }))).toEqual([body, body]);
	});

	test('is rejected when every field of the person is blank', async () => {
		const person = { email: '={{ $json.email }}', name: '={{ $json.name }}', personId: '' };
		const items: [IDataObject, IDataObject] = [
			{ email: ' ', name: 'Ann' },
			{ email: ' bob@b.example ', name: ' Bob ' },
		];
		expect(await send(log({ person }), items)).toEqual([
			{ source: 'crm', type: 'webhook', payload: {}, email: 'bob@b.example', name: 'Bob' },
			"Person needs an email, phone number, LinkedIn URL or person ID. Otherwise, the entry isn't linked to anyone [item 0]",
		]);
	});

	test.each<[what: string, parameters: INodeParameters, payload: unknown]>([
		['the whole input item', { payloadMode: 'inputItem' }, { a: 0, b: [null, { c: '' }] }],
		['JSON text', { payloadMode: 'json', payload: '{"x":" y ","z":null}' }, { x: ' y ', z: null }],
		['an object', { payloadMode: 'json', payload: '={{ $json.b[1] }}' }, { c: '' }],
	])('holds %s', async (_, parameters, payload) => {
		const item = { a: 0, b: [null, { c: '' }] };
		const sent = await send(log(parameters), [item, item]);
		expect(sent).toEqual([
			expect.objectContaining({ payload }) as object,
			expect.objectContaining({ payload }) as object,
		]);
	});

	test('is rejected when a number in it would be sent as another one', async () => {
		const items: [IDataObject, IDataObject] = [{ lead: 23851234567890124 }, { lead: 7 }];
		const payloads: INodeParameters[] = [
			{ payloadMode: 'inputItem' },
			{ payloadMode: 'json', payload: '={{ $json }}' },
			{ payloadMode: 'json', payload: '={"lead": {{ $json.lead }}}' },
		];
		for (const payload of payloads)
			expect(await send(log(payload), items)).toEqual([
				expect.objectContaining({ payload: { lead: 7 } }),
				expect.stringContaining(
					'contains a number whose value would change when sent (23851234567890124): write it as text, in quotes [item 0]',
				),
			]);
		// What is not sent does not matter.
		expect(await send(log({ payloadMode: 'json', payload: '{"a":1}' }), items)).toEqual([
			expect.objectContaining({ payload: { a: 1 } }),
			expect.objectContaining({ payload: { a: 1 } }),
		]);
	});

	test('has a key per item and run, from its content, of your own, or none', async () => {
		const keys = async (parameters: INodeParameters, items?: [IDataObject, IDataObject]) =>
			(await send(log(parameters), items)).map((body) => (body as IDataObject).idempotencyKey);
		const same: [IDataObject, IDataObject] = [{ a: 1 }, { a: 1 }];
		const [first, second] = await keys({ idempotency: 'auto' }, same);
		expect(first).toMatch(/^[0-9a-f-]{36,64}$/);
		expect(second).not.toBe(first);
		expect(await keys({ idempotency: 'auto' }, same)).not.toContain(first);

		const content = { idempotency: 'content', payloadMode: 'inputItem' };
		const [one, two] = await keys(content, [
			{ a: 1, b: 2 },
			{ b: 2, a: 1 },
		]);
		expect(one).toBe(two);
		expect(
			await keys(content, [
				{ a: 1, b: 2 },
				{ a: 1, b: 3 },
			]),
		).toEqual([one, expect.not.stringMatching(String(one))]);

		const custom = { idempotency: 'custom', idempotencyKey: '={{ $json.key }}' };
		expect(await keys(custom, [{ key: ' k1 ' }, { key: 2 }])).toEqual(['k1', '2']);
		expect(await send(log(custom), [{ key: '' }, { key: 'x'.repeat(256) }])).toEqual([
			'Custom Idempotency Key is required [item 0]',
			expect.stringContaining('must have 1 to 255 characters'),
		]);
		expect(await keys({})).toEqual([undefined, undefined]);
	});
});

test('leaves out blank optional values, and sends false and 0', async () => {
	const updateFields = {
		active: '={{ $json.active }}',
		url: '={{ $json.url }}',
		events: '={{ $json.events }}',
	};
	const parameters = {
		resource: 'webhookSubscription',
		operation: 'update',
		subscriptionId: [...stage.sandbox.store.subscriptions][0].subscriptionId,
		updateFields,
	};
	expect(
		await send(parameters, [
			{ active: false, url: '', events: [] },
			{ active: '', url: ' https://a.example/x ', events: [['form.enriched'], ' form.submitted'] },
		]),
	).toEqual([
		{ active: false },
		{ url: 'https://a.example/x', events: ['form.enriched', 'form.submitted'] },
	]);
});

describe('an update of a page', () => {
	const update = (parameters: INodeParameters): INodeParameters => ({
		resource: 'page',
		operation: 'update',
		pageId: page,
		...parameters,
	});

	test('is rejected when it changes nothing', async () => {
		const refused = [
			'The update changes nothing: fill in a field [item 0]',
			'The update changes nothing: fill in a field [item 1]',
		];
		expect(await send(update({}))).toEqual(refused);
		expect(await send(update({ updateFields: { name: '' }, metadata: { title: '' } }))).toEqual(
			refused,
		);
		const json = update({ specifyBody: 'json', jsonBody: '={{ $json }}' });
		expect(await send(json, [{}, { pageId: 'p', status: 'draft' }])).toEqual(refused);
	});

	test('is rejected when it sets and clears the same field', async () => {
		const parameters = {
			updateFields: { headerActionId: 'a' },
			fieldsToClear: '={{ $json.clear }}',
		};
		expect(
			await send(update(parameters), [
				{ clear: 'headerActionId' },
				{ clear: 'actions, footerLinks' },
			]),
		).toEqual([
			{ headerActionId: 'a', actions: [], footerLinks: [] },
			expect.stringMatching(/^Header Action ID is both set and cleared/),
		]);
	});

	test('accepts a page from the output as JSON, and sends null', async () => {
		const { status: _, ...record } = [...stage.sandbox.store.pages][1];
		const whole: IDataObject = { ...toJson(record), status: 'draft', headerActionId: null };
		const parameters = update({ specifyBody: 'json', jsonBody: '={{ $json.page }}' });
		const [first, second] = await send(parameters, [{ page: whole }, { page: { name: 'x' } }]);
		expect(second).toEqual({ name: 'x' });
		const outOnly =
			/^(pageId|tenantId|title|status|audiencesCount|createdAt|updatedAt|archivedAt|deletedAt)$/;
		expect(Object.keys(first as object).filter((name) => outOnly.test(name))).toEqual([]);
		expect(first).toMatchObject({ name: whole.name, headerActionId: null, scripts: whole.scripts });
		expect(stage.sandbox.requests.map(({ status }) => status)).toEqual([200, 200]);
	});
});

test('rejects a new page without an action, and sends its parts unchanged', async () => {
	const parameters = {
		resource: 'page',
		operation: 'create',
		name: ' n ',
		brandId: ' b ',
		pageContext: ' c ',
		actions: { action: '={{ $json.none ?? [] }}' },
		scripts: { script: [{ content: ' x ' }] },
	};
	const row = { buttonTitle: ' b ', purpose: '={{ $json.p }}' };
	expect(await send({ ...parameters, actions: {} })).toEqual([
		'Actions is empty: add at least one action [item 0]',
		'Actions is empty: add at least one action [item 1]',
	]);
	expect(
		await send({ ...parameters, actions: { action: [row] } }, [{ p: ' 1 ' }, { p: '' }]),
	).toEqual(
		[' 1 ', ''].map((purpose) => ({
			name: 'n',
			brandId: 'b',
			pageContext: ' c ',
			pageType: 'inbound',
			actions: [{ purpose, buttonTitle: ' b ', actionType: '', url: '' }],
			actionCardWidgets: [],
			scripts: [{ content: ' x ', description: '', enabled: true, injectionPoint: '', name: '' }],
		})),
	);
});

test('completes a new page from JSON with what the API requires', async () => {
	const page = { name: 'n', brandId: 'b', pageContext: 'c', actions: [{ purpose: 'p' }] };
	const own = { actionCardWidgets: [{ type: 't' }], scripts: [{ name: 's' }], pageType: 'custom' };
	const parameters = {
		resource: 'page',
		operation: 'create',
		specifyBody: 'json',
		jsonBody: '={{ $json }}',
	};
	expect(await send(parameters, [page, { ...page, ...own }])).toEqual([
		{ ...page, actionCardWidgets: [], scripts: [], pageType: 'inbound' },
		{ ...page, ...own },
	]);
});

test('takes several texts one by one, with commas between them, or as a list', async () => {
	const items: [IDataObject, IDataObject] = [
		{ list: ['a, b', 'c'], text: 'd, e' },
		{ list: ['f'], text: '' },
	];
	const send = async (metadata: INodeParameters[string]) => {
		const page = { resource: 'page', operation: 'update', pageId: 'page_1', metadata };
		const { output, error } = await stage.run({ ...page, options: { dryRun: true } }, items);
		expect(error).toBeUndefined();
		return output.map(({ json }) => (json.request as IDataObject).body);
	};
	const both = [['a', 'b', 'c'], ['f']].map((keywords) => ({ metadata: { keywords } }));
	expect(await send({ keywords: '={{ $json.list }}' })).toEqual(both);
	expect(await send({ keywords: ['={{ $json.list }}'] })).toEqual(both);
	expect(
		await send({ keywords: ['a, b', '={{ $json.text }}'], robots: '={{ $json.text || "x,y" }}' }),
	).toEqual([
		{ metadata: { keywords: ['a', 'b', 'd', 'e'], robots: ['d', 'e'] } },
		{ metadata: { keywords: ['a', 'b'], robots: ['x', 'y'] } },
	]);
});

test('never replaces a list with blank rows', async () => {
	// n8n turns an expression in place of the rows into one blank row per character.
	const update = { resource: 'page', operation: 'update', pageId: '={{ $json.id }}' };
	const actions = { action: '={{ $json.actions }}' };
	const [first, second] = await send({ ...update, actions }, [{ id: 'page_1' }, { id: 'page_2' }]);
	expect(first).toMatch(/Actions > Action 1 is blank/);
	expect(second).toMatch(/Actions > Action 1 is blank/);
});

test.each<[timezone: string, value: string, query: string]>([
	['Europe/Berlin', '2026-01-01T00:00:00', '2026-01-01T00:00:00+01:00'],
	['America/New_York', '2026-07-01', '2026-07-01T00:00:00-04:00'],
	['Europe/Berlin', '={{ DateTime.fromISO("2026-01-01T00:00:00Z") }}', '2026-01-01T01:00:00+01:00'],
	['Europe/Berlin', '={{ new Date(0) }}', '1970-01-01T00:00:00Z'],
	['Europe/Berlin', '={{ $json.ms }}', '2026-01-01T00:00:00Z'],
])('reads a date in %s: %s', async (timezone, startDate, query) => {
	const parameters = {
		resource: 'audienceSession',
		operation: 'getAll',
		pageId: page,
		limit: 1,
		filters: { startDate },
	};
	const ms = 1_767_225_600_000;
	const sent = await send(parameters, [{ ms }, { ms }], { timezone });
	const start = new URLSearchParams(String(sent[0])).get('startDate') ?? '';
	expect(Date.parse(start)).toBe(Date.parse(query));
	if (!startDate.startsWith('=')) expect(start).toBe(query);
	expect(sent[1]).toBe(sent[0]);
});

test('a locator accepts plain text, a list entry, and an ID within a link', async () => {
	const [{ accountId }] = stage.sandbox.store.accounts;
	for (const value of [
		accountId,
		` https://app.example/${accountId}/edit `,
		{ __rl: true, mode: 'list', value: accountId, cachedResultName: 'Name' },
		{ __rl: true, mode: 'id', value: '={{ "see " + $json.id }}' },
		'={{ $json.id }}',
	]) {
		const parameters = { resource: 'account', operation: 'update', accountId: value, name: 'x' };
		await send(parameters as INodeParameters, [{ id: accountId }, { id: accountId }]);
		expect(stage.sandbox.requests.map(({ path }) => path)).toEqual([
			`/v0/accounts/${accountId}`,
			`/v0/accounts/${accountId}`,
		]);
	}
});
