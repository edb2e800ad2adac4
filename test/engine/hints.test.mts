import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { openStage } from './stage.mts';

const stage = openStage();

async function hintsOf(parameters: INodeParameters, items: IDataObject[]): Promise<string[]> {
	const { error, hints } = await stage.run(parameters, items);
	expect(error).toBeUndefined();
	return hints;
}

test('says nothing about a list that was returned whole', async () => {
	expect(
		await hintsOf({ resource: 'person', operation: 'search', query: '={{ $json.q }}' }, [
			{ q: 'nobody is called this' },
			{ q: 'nor this' },
		]),
	).toEqual([]);
});

test.each<[limit: INodeParameters, count: number, total?: number, hint?: string]>([
	[{ limit: 2 }, 2, 1234, 'The list has 1,234 records in total.'],
	[{ limit: 1 }, 1, 3, 'The list has 3 records in total.'],
	[{ limit: 2 }, 3, undefined, undefined],
	[{ limit: 5 }, 3, 3, undefined],
	[{ limit: 5 }, 3, 2, undefined],
	[{ returnAll: true }, 3, 3, undefined],
	[{ returnAll: true }, 3, undefined, undefined],
	[
		{ returnAll: true },
		1,
		0,
		'The list ended after 1 record, but the service counts 0. It may have changed during the run.',
	],
	[
		{ returnAll: true },
		1,
		2,
		'The list ended after 1 record, but the service counts 2. It may have changed during the run.',
	],
])('of %j a list that returns %d of %p says %p', async (limit, count, totalCount, hint) => {
	const items = Array.from({ length: count }, (_, i) => ({ personId: `p${i}` }));
	const hasMore = hint?.includes('in total') === true;
	const body = { items, hasMore, nextCursor: hasMore ? 'c' : null, totalCount };
	stage.sandbox.faults.add({ kind: 'answer', body, times: Infinity });
	const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}' };
	expect(await hintsOf({ ...search, ...limit }, [{ q: 'a' }, { q: 'b' }])).toEqual(
		hint === undefined ? [] : [hint],
	);
});

test('names the lists that say something else than the others', async () => {
	const totals = [300, 7, 300, 2, 41, 42];
	for (const totalCount of totals)
		stage.sandbox.faults.add({
			kind: 'answer',
			body: { items: [{}, {}], hasMore: true, nextCursor: 'c', totalCount },
		});
	const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}', limit: 2 };
	const hints = await hintsOf(
		{ ...search, options: { concurrency: 1 } },
		totals.map((_, q) => ({ q })),
	);
	expect(hints).toEqual([
		'The list has 300 records in total [items 0 and 2].',
		'The list has 7 records in total [item 1].',
		'The list has 2 records in total [item 3]. (And 2 more messages like this.)',
	]);
});

describe('that the same was read once per item', () => {
	const persons = { resource: 'person', operation: 'getAll', limit: 1 };
	const told = expect.stringMatching(
		/^The same was read [23] times, once per item\. To read it once, turn on Execute Once in the node's settings\.$/,
	) as string;

	test.each<[what: string, parameters: INodeParameters, items: IDataObject[]]>([
		['two items', persons, [{}, {}]],
		['three items', persons, [{}, {}, {}]],
		['equal values', { ...persons, limit: '={{ $json.n }}' }, [{ n: 1 }, { n: 1 }]],
	])('is told of %s', async (_, parameters, items) => {
		const hints = await hintsOf(parameters, items);
		expect(hints).toContainEqual(told);
		expect(hints.join()).toContain(`read ${items.length} times`);
	});

	test.each<[what: string, parameters: INodeParameters, items: IDataObject[]]>([
		['a single item', persons, [{}]],
		[
			'different reads',
			{ resource: 'person', operation: 'search', query: '={{ $json.q }}' },
			[{ q: 'a' }, { q: 'b' }],
		],
		['different limits', { ...persons, limit: '={{ $json.n }}' }, [{ n: 1 }, { n: 2 }]],
		[
			'different files',
			{ ...persons, outputAs: '={{ $json.as }}' },
			[{ as: 'csv' }, { as: 'jsonl' }],
		],
		[
			'different windows',
			{
				resource: 'page',
				operation: 'getAnalyticsSummary',
				pageId: '={{ $json.id }}',
				splitBy: '={{ $json.by }}',
				filters: { startDate: '2026-01-05', endDate: '2026-01-11' },
			},
			[{ by: 'day' }, { by: 'week' }],
		],
		[
			'different expectations',
			{
				resource: 'webhookSubscription',
				operation: 'check',
				subscriptionId: '={{ $json.id }}',
				expected: { url: '={{ $json.url }}' },
			},
			[{ url: 'https://a.example' }, { url: 'https://b.example' }],
		],
		['equal writes', { resource: 'person', operation: 'create', name: 'Ada' }, [{}, {}]],
		['one valid item of two', { ...persons, limit: '={{ $json.n }}' }, [{ n: 1 }, { n: 'few' }]],
	])('is not told of %s', async (_, parameters, given) => {
		const { pages, subscriptions } = stage.sandbox.store;
		const [[page], [subscription]] = [pages.all(), subscriptions.all()];
		const id = parameters.resource === 'page' ? page.pageId : subscription.subscriptionId;
		const items = given.map((item) => ({ ...item, id }));
		const { hints, output } = await stage.run(parameters, items, {
			onError: 'continueRegularOutput',
		});
		expect(output.some(({ json }) => json.error === undefined)).toBe(true);
		expect(hints).not.toContainEqual(told);
	});

	test('counts what was read', async () => {
		stage.sandbox.faults.add({ kind: 'status', status: 403 });
		const { hints } = await stage.run(persons, [{}, {}, {}], { onError: 'continueRegularOutput' });
		expect(hints.join()).toContain('The same was read 2 times');
	});
});

test.each([
	[3, ''],
	[4, ' (And 1 more message like this.)'],
	[5, ' (And 2 more messages like this.)'],
])('of one kind, %d are shown as three%s', async (count, more) => {
	const body = { found: false };
	stage.sandbox.faults.add({ kind: 'answer', body, times: Infinity });
	const parameters = {
		resource: 'audienceSession',
		operation: 'getInteractions',
		audienceSessionId: '={{ $json.id }}',
	};
	const items = Array.from({ length: count }, (_, i) => ({ id: `s${i}` }));
	const told = (id: string) =>
		`The service did not find session ${id}. The output contains the interactions in its response, if any.`;
	const hints = [told('s0'), told('s1'), told('s2') + more];
	expect(await hintsOf({ ...parameters, options: { concurrency: 1 } }, items)).toEqual(hints);
});

describe('a value that is sent although it looks wrong', () => {
	const sent = (field: string) =>
		stage.sandbox.requests.map(({ body }) => (body as IDataObject)[field]);

	test('is told with its items for a log', async () => {
		stage.sandbox.requests.length = 0;
		const log = { resource: 'personLog', operation: 'create', source: 'crm' };
		const person = { email: '={{ $json.email }}' };
		const emails = ['ann', 'bob@b.example', 'cem', 'dora', 'eve', 'fred'];
		const hints = await hintsOf(
			{ ...log, person, options: { concurrency: 1 } },
			emails.map((email) => ({ email })),
		);
		expect(hints).toEqual([
			'Email has no "@" [items 0, 2, 3 and 2 more]. Check it: it was sent unchanged.',
		]);
		expect(sent('email')).toEqual(emails);
	});

	test('is told only of items that were sent, or would be', async () => {
		const person = {
			resource: 'person',
			operation: 'createOrGet',
			email: '={{ $json.email }}',
			name: 'Ann',
			additionalFields: { domain: 'Example' },
			options: { dryRun: '={{ $json.dry ?? false }}', concurrency: 1 },
		};
		const [{ email }] = stage.sandbox.store.persons.all().filter((each) => each.email);
		const items = [{ email }, { email: 'a@new.example' }, { email: 'b@new.example', dry: true }];
		const warning = 'Domain is not a domain such as "example.com"';
		expect(await hintsOf(person, items)).toEqual([
			'1 created, 1 found, 1 would be created',
			`${warning} [item 1]. Check it: it was sent unchanged.`,
			`${warning} [item 2]. Check it: it would be sent unchanged.`,
		]);
	});

	test('is told for a person and an account', async () => {
		const person = { resource: 'person', operation: 'create', name: 'Ann' };
		const additionalFields = { domain: '={{ $json.domain }}' };
		expect(
			await hintsOf({ ...person, additionalFields }, [
				{ domain: 'https://example.com/' },
				{ domain: 'example.com' },
			]),
		).toEqual([
			'Domain is not a domain such as "example.com" [item 0]. Check it: it was sent unchanged.',
		]);
		stage.sandbox.requests.length = 0;
		const account = { resource: 'account', operation: 'create', domain: '={{ $json.domain }}' };
		const domains = ['https://example.com/', 'sub.example.co'];
		expect(
			await hintsOf(
				{ ...account, options: { concurrency: 1 } },
				domains.map((domain) => ({ domain })),
			),
		).toEqual([
			'Domain is not a domain such as "example.com" [item 0]. Check it: it was sent unchanged.',
		]);
		expect(sent('domain')).toEqual(domains);
	});
});
