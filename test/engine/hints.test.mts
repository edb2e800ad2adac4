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
	stage.sandbox.faults.add({ kind: 'answer', body: { items: [{}], hasMore: false }, times: 2 });
	expect(
		await hintsOf({ resource: 'person', operation: 'search', query: '={{ $json.q }}' }, [
			{ q: 'somebody' },
			{ q: 'somebody else' },
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
	[{ returnAll: true }, 3, 2, undefined],
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
	const told = (item: number) =>
		`The service did not find session s${item}. The output contains the interactions in its response, if any [item ${item}, counted from 0].`;
	const hints = [told(0), told(1), told(2) + more];
	expect(await hintsOf({ ...parameters, options: { concurrency: 1 } }, items)).toEqual(hints);
});
