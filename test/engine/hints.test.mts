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
