import { runOffline } from './offline.mts';
import { requestLimits } from '../groups.mts';

const list = (count: number, totalCount?: number, hasMore = false) => ({
	items: Array.from({ length: count }, (_, i) => ({ personId: `p${i}` })),
	nextCursor: hasMore ? 'c' : null,
	hasMore,
	totalCount,
});

/** The hints of one item for each list that the service returns, in their order. */
async function hintsOf(lists: object[], limit?: number) {
	const search = { resource: 'person', operation: 'search', query: '={{ $json.id }}' };
	const wanted = limit ? { limit } : { returnAll: true };
	const { error, hints } = await runOffline({
		parameters: { ...search, ...wanted, options: requestLimits({ concurrency: 1 }) },
		items: lists.map((_, id) => ({ id })),
		answer: (_, sent) => ({ status: 200, body: lists[sent] }),
	});
	expect(error).toBeUndefined();
	return hints;
}

test.each<[what: string, limit: number, body: object, hint: string]>([
	['a limit that cuts a list', 2, list(2, 1234, true), 'The list has 1,234 records in total.'],
	['a limit that cuts a page', 1, list(3, 3, true), 'The list has 3 records in total.'],
])('%s is told with the total', async (_, limit, body, hint) => {
	expect(await hintsOf([body, body], limit)).toEqual([hint]);
});

test('a list that ends before the total of the service is told with both numbers, once', async () => {
	expect(await hintsOf([list(3, 1234), list(3, 1234), list(2, 2)])).toEqual([
		'The list ended after 3 records, although the service counts 1,234. It may count records that it does not list, such as deleted ones [items 0 and 1, counted from 0].',
	]);
});

test('an entry that names no person is told', async () => {
	const { hints } = await runOffline({
		parameters: { resource: 'personLog', operation: 'create', source: 'form', person: {} },
		items: [{}, {}],
		answer: () => ({ status: 201, body: { personLogId: 'log_1' } }),
	});
	expect(hints).toEqual([
		"The entry isn't linked to anyone, because nothing is added under Person.",
	]);
});

test.each<[what: string, limit: number | undefined, body: object]>([
	['that is cut, but whose total is unknown', 2, list(3)],
	['that is shorter than the limit', 5, list(3, 3)],
	['that is longer than its total, but shorter than the limit', 5, list(3, 2)],
	['that is read whole', undefined, list(3, 3)],
	['that is read whole, and whose total is unknown', undefined, list(3)],
	['that is read whole, and longer than its total', undefined, list(3, 2)],
])('nothing is told of a list %s', async (_, limit, body) => {
	expect(await hintsOf([body, body], limit)).toEqual([]);
});

test.each([
	[[300, 7, 300, 2], ''],
	[[300, 7, 300, 2, 41], ' (And 1 more message like this.)'],
	[[300, 7, 300, 2, 41, 42], ' (And 2 more messages like this.)'],
])('of lists with %j records in total, three totals are told%s', async (totals, more) => {
	const lists = totals.map((total) => list(2, total, true));
	expect(await hintsOf(lists, 2)).toEqual([
		'The list has 300 records in total [items 0 and 2, counted from 0].',
		'The list has 7 records in total [item 1, counted from 0].',
		`The list has 2 records in total [item 3, counted from 0].${more}`,
	]);
});
