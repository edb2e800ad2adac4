import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { entries } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
beforeEach(() => entries.empty());

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
		'The list has 300 records in total [items 0 and 2, counted from 0].',
		'The list has 7 records in total [item 1, counted from 0].',
		'The list has 2 records in total [item 3, counted from 0]. (And 2 more messages like this.)',
	]);
});

describe('that the same was read once per item', () => {
	const activity = {
		resource: 'account',
		operation: 'getActivity',
		accountId: '={{ $json.id }}',
		limit: 1,
	};
	/** The items, each with the ID of the same record. */
	const withId = ({ resource }: INodeParameters, items: IDataObject[]) => {
		const { accounts, pages, subscriptions } = stage.sandbox.store;
		const ids: Record<string, string> = {
			account: accounts.all()[0].accountId,
			page: pages.all()[0].pageId,
			webhookSubscription: subscriptions.all()[0].subscriptionId,
		};
		return items.map((item) => ({ ...item, id: ids[String(resource)] }));
	};
	const told = expect.stringMatching(
		/^The same data was read [23] times, once per item\. To read it once, turn on Execute Once in the node's settings\.$/,
	) as string;

	test.each<[what: string, parameters: INodeParameters, items: IDataObject[]]>([
		['two items', activity, [{}, {}]],
		['three items', activity, [{}, {}, {}]],
		['equal values', { ...activity, limit: '={{ $json.n }}' }, [{ n: 1 }, { n: 1 }]],
	])('is told of %s', async (_, parameters, items) => {
		const hints = await hintsOf(parameters, withId(parameters, items));
		expect(hints).toContainEqual(told);
		expect(hints.join()).toContain(`read ${items.length} times`);
	});

	test.each<[what: string, parameters: INodeParameters, items: IDataObject[]]>([
		['a single item', activity, [{}]],
		[
			'different reads',
			{ resource: 'person', operation: 'search', query: '={{ $json.q }}' },
			[{ q: 'a' }, { q: 'b' }],
		],
		['different limits', { ...activity, limit: '={{ $json.n }}' }, [{ n: 1 }, { n: 2 }]],
		[
			'different files',
			{ ...activity, outputAs: '={{ $json.as }}' },
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
		// n8n's editor says it of these itself.
		['Get Many', { resource: 'person', operation: 'getAll', limit: 1 }, [{}, {}]],
		['Search', { resource: 'account', operation: 'search', query: 'a', limit: 1 }, [{}, {}]],
		['equal writes', { resource: 'person', operation: 'create', name: 'Ada' }, [{}, {}]],
		['one valid item of two', { ...activity, limit: '={{ $json.n }}' }, [{ n: 1 }, { n: 'few' }]],
	])('is not told of %s', async (_, parameters, given) => {
		const { hints, output } = await stage.run(parameters, withId(parameters, given), {
			onError: 'continueRegularOutput',
		});
		expect(output.some(({ json }) => json.error === undefined)).toBe(true);
		expect(hints).not.toContainEqual(told);
	});

	test('counts what was read', async () => {
		stage.sandbox.faults.add({ kind: 'status', status: 403 });
		const { hints } = await stage.run(activity, withId(activity, [{}, {}, {}]), {
			onError: 'continueRegularOutput',
		});
		expect(hints.join()).toContain('The same data was read 2 times');
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
		const emails = ['ann', 'bob@b.example', 'c@c.example }}', 'd d@d.example', 'eve', 'fred'];
		const hints = await hintsOf(
			{ ...log, person, options: { concurrency: 1 } },
			emails.map((email) => ({ email })),
		);
		expect(hints).toEqual([
			'Email is not an address such as "ada@example.com". Check it: it was sent unchanged [items 0, 2, 3 and 2 more, counted from 0].',
		]);
		expect(sent('email')).toEqual(emails);
	});

	test('is told only of items that were sent, or would be', async () => {
		const person = {
			resource: 'person',
			operation: 'createOrGet',
			email: '={{ $json.email }}',
			name: 'Ann',
			additionalFields: { domain: 'https://example.com/' },
			options: { dryRun: '={{ $json.dry ?? false }}', concurrency: 1 },
		};
		const [{ email }] = stage.sandbox.store.persons.all().filter((each) => each.email);
		const items = [{ email }, { email: 'a@new.example' }, { email: 'b@new.example', dry: true }];
		const warning = 'Domain is not a domain such as "example.com"';
		expect(await hintsOf(person, items)).toEqual([
			'1 created, 1 would be created, 1 found',
			`${warning}. Check it: it was sent unchanged [item 1, counted from 0].`,
			`${warning}. Check it: it would be sent unchanged [item 2, counted from 0].`,
		]);
	});

	test('is not told of an item that failed, nor of one that was skipped', async () => {
		const sync = {
			resource: 'personLog',
			operation: 'create',
			source: 'crm',
			person: { email: '={{ $json.email }}' },
			write: 'changed',
			recordId: '={{ $json.email }}',
			options: { concurrency: 1, maxRetries: 0 },
		};
		const items = [{ email: 'ann' }, { email: 'bob' }];
		const fault = { operationId: 'createPersonLog', kind: 'status', status: 422 } as const;
		stage.sandbox.faults.add({ ...fault, skip: 1 });
		const warning =
			'Email is not an address such as "ada@example.com". Check it: it was sent unchanged';
		const first = await stage.run(sync, items, { onError: 'continueRegularOutput' });
		expect(first.hints).toEqual([
			'1 written, 1 failed (item 1, counted from 0)',
			`${warning} [item 0, counted from 0].`,
		]);
		expect(await hintsOf(sync, items)).toEqual([
			'1 written, 1 skipped',
			`${warning} [item 1, counted from 0].`,
		]);
		expect(await hintsOf(sync, items)).toEqual(['2 skipped']);
	});

	test('names no item when it holds for all of them', async () => {
		const person = { resource: 'person', operation: 'create', name: 'Ann' };
		const additionalFields = { domain: '={{ $json.domain }}' };
		const domains = ['https://example.com/', 'https://example.org/'];
		expect(
			await hintsOf(
				{ ...person, additionalFields },
				domains.map((domain) => ({ domain })),
			),
		).toEqual(['Domain is not a domain such as "example.com". Check it: it was sent unchanged.']);
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
			'Domain is not a domain such as "example.com". Check it: it was sent unchanged [item 0, counted from 0].',
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
			'Domain is not a domain such as "example.com". Check it: it was sent unchanged [item 0, counted from 0].',
		]);
		expect(sent('domain')).toEqual(domains);
	});
});

test('names the fields of rows that an update empties, and is silent about a new page', async () => {
	const rows = {
		actions: {
			action: [
				{
					actionId: '={{ $json.action }}',
					buttonTitle: 'Book a demo',
					purpose: 'demo',
					actionType: '',
					url: '={{ $json.url }}',
				},
			],
		},
	};
	const items = stage.sandbox.store.pages
		.all()
		.slice(0, 2)
		.map(({ pageId, actions }, index) => ({
			pageId,
			action: actions[0].actionId,
			url: index === 0 ? '' : 'https://example.com',
		}));
	const update = { resource: 'page', operation: 'update', pageId: '={{ $json.pageId }}', ...rows };
	expect(await hintsOf(update, items)).toEqual([
		'Actions > Action 1 has blank fields: Action Type and URL. Check it: it was sent unchanged [item 0, counted from 0].',
		'Actions > Action 1 has a blank field: Action Type. Check it: it was sent unchanged [item 1, counted from 0].',
	]);
	const create = {
		resource: 'page',
		operation: 'create',
		name: 'n',
		brandId: 'b',
		pageContext: 'c',
	};
	expect(await hintsOf({ ...create, ...rows }, items)).toEqual([]);
});
