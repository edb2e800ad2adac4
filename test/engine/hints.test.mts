import type { IDataObject } from 'n8n-workflow';
import { runOffline } from './offline.mts';

/** The hints of one item for each list or session that the service returns, in their order. */
async function hintsOf(operation: 'search' | 'getInteractions', bodies: object[], limit?: number) {
	const own: IDataObject =
		operation === 'search'
			? { resource: 'person', query: '={{ $json.id }}' }
			: { resource: 'audienceSession', audienceSessionId: '={{ $json.id }}' };
	const { error, hints } = await runOffline({
		parameters: {
			...{ operation, ...own, ...(limit ? { limit } : { returnAll: true }) },
			options: { concurrency: 1 },
		},
		items: bodies.map((_, i) => ({ id: `s${i}` })),
		answer: (_, sent) => ({ status: 200, body: bodies[sent] }),
	});
	expect(error).toBeUndefined();
	return hints;
}

const list = (count: number, totalCount?: number, hasMore = false) => ({
	items: Array.from({ length: count }, (_, i) => ({ personId: `p${i}` })),
	nextCursor: hasMore ? 'c' : null,
	hasMore,
	totalCount,
});

test.each<[limit: number | undefined, body: object, hint: string | undefined]>([
	[2, list(2, 1234, true), 'The list has 1,234 records in total.'],
	[1, list(3, 3, true), 'The list has 3 records in total.'],
	[2, list(3), undefined],
	[5, list(3, 3), undefined],
	[5, list(3, 2), undefined],
	[undefined, list(3, 3), undefined],
	[undefined, list(3), undefined],
	[undefined, list(3, 2), undefined],
])('with the limit %p, of the lists %j is told: %p', async (limit, body, hint) => {
	expect(await hintsOf('search', [body, body], limit)).toEqual(hint ? [hint] : []);
});

test('names the lists that say something else than the others', async () => {
	const bodies = [300, 7, 300, 2, 41, 42].map((total) => list(2, total, true));
	expect(await hintsOf('search', bodies, 2)).toEqual([
		'The list has 300 records in total [items 0 and 2, counted from 0].',
		'The list has 7 records in total [item 1, counted from 0].',
		'The list has 2 records in total [item 3, counted from 0]. (And 2 more messages like this.)',
	]);
});

test.each([
	[3, ''],
	[4, ' (And 1 more message like this.)'],
])('of one kind, %d are shown as three%s', async (count, more) => {
	const bodies = Array.from({ length: count }, () => ({ found: false }));
	const told = [0, 1, 2].map(
		(item) =>
			`The service did not find session s${item}. The output contains the interactions in its response, if any [item ${item}, counted from 0].`,
	);
	expect(await hintsOf('getInteractions', bodies)).toEqual([told[0], told[1], told[2] + more]);
});
