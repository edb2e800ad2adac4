import { DescribedError, RequestFailedError } from '../../../nodes/api/errors.ts';
import {
	type ListRequest,
	PageTooSlowError,
	type ReadPage,
	readPages,
	startLimit,
} from '../../../nodes/api/paginate.ts';
import type { QueryValue } from '../../../nodes/api/request.ts';
import { failure, getPersons, respond } from './responding.mts';

/** A status, or the code of a lost connection. */
const failing = (of: number | string) =>
	failure(typeof of === 'number' ? { status: of } : { code: of });

/** What all pages of a list come to. */
async function collect(list: ListRequest) {
	const records: unknown[] = [];
	let last: Partial<ReadPage> = {};
	for await (const page of readPages(list)) {
		for (const record of page.records) records.push(record);
		last = page;
	}
	const { count, totalCount, firstCount, isWhole, more: cut } = last;
	return { records, count, totalCount, firstCount, isWhole, cut };
}

/** A list with scripted pages. Each page is a body or an error to throw. */
async function read(pages: unknown[], list: Partial<Omit<ListRequest, 'request' | 'send'>> = {}) {
	const queries: Array<Record<string, QueryValue>> = [];
	const reading = collect({
		paging: 'cursor',
		wanted: Infinity,
		accepted: startLimit(),
		...list,
		request: getPersons,
		send: async ({ query }) => {
			const page = pages[queries.length];
			queries.push(JSON.parse(JSON.stringify(query)) as Record<string, QueryValue>);
			if (page instanceof Error) throw page;
			if (page === undefined) throw new Error('A page too many was fetched');
			return await Promise.resolve(respond({ body: page }));
		},
	});
	const result = await reading.catch((error: unknown) => error);
	return { result, queries };
}

const some = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ id: from + i }));

describe('the end of a list', () => {
	test.each<[what: string, last: object]>([
		['hasMore false with a position', { hasMore: false, nextCursor: 'c9', totalCount: 3 }],
		['hasMore false without a position', { hasMore: false }],
		['an empty text without hasMore', { nextCursor: '' }],
		['an absent position without hasMore', {}],
		['hasMore null', { hasMore: null, nextCursor: null }],
	])('%s', async (_, last) => {
		const first = { items: some(0, 2), hasMore: true, nextCursor: 'c1' };
		const { result, queries } = await read([first, { items: some(2, 3), ...last }]);
		expect(result).toMatchObject({ records: some(0, 3), cut: false });
		expect(queries).toEqual([{ limit: 1000 }, { cursor: 'c1', limit: 1000 }]);
	});

	test('continues after an empty page when there is more', async () => {
		const { result } = await read([
			{ items: [], hasMore: true, nextCursor: 'c1' },
			{ items: [], hasMore: true, nextCursor: 'c2' },
			{ items: some(0, 1), hasMore: false },
		]);
		expect(result).toMatchObject({ records: some(0, 1) });
	});
});

describe('a count that does not fit', () => {
	/** A page for each count, with one record each. */
	const counted = (...counts: unknown[]) =>
		counts.map((totalCount, n) => ({
			items: some(n, n + 1),
			hasMore: n < counts.length - 1,
			nextCursor: `c${n + 1}`,
			totalCount,
		}));

	test.each<[what: string, counts: unknown[], isWhole: boolean, list?: Partial<ListRequest>]>([
		['of more records than the list has', [3, 3], false],
		['that grows, of more records than the list has', [3, 4], false],
		['of fewer records', [1, 1], true],
		['that grows while the list is read', [2, 3], true],
		['that is missing at the end', [2, null], true],
		['that is missing', [null, null], false],
		['of more records than are wanted', [9, 9], false, { wanted: 1 }],
		['that falls', [2, 1], false],
		['that falls, of a list by offsets', [2, 1], false, { paging: 'offset' }],
	])('%s does not keep the list from its end', async (_, counts, isWhole, list = {}) => {
		const pages = counted(...counts).map((page, n) => ({ ...page, nextOffset: n + 1 }));
		const { result } = await read(pages, { id: 'id', ...list });
		const records = some(0, list.wanted ?? 2);
		expect(result).toMatchObject({ records, isWhole });
	});

	test('of a last page with more than is wanted says that there is more', async () => {
		const whole = { items: some(0, 3), hasMore: false, totalCount: 3 };
		const { result } = await read([whole], { id: 'id', wanted: 2 });
		const records = some(0, 2);
		expect(result).toMatchObject({ records, cut: true, firstCount: 3, isWhole: false });
	});

	test('that falls with each page of 200,000 records ends with all that are listed', async () => {
		const pages = 2_000;
		const each = Array.from({ length: pages }, (_, n) => ({
			items: some(n * 100, n * 100 + 100),
			hasMore: n < pages - 1,
			nextCursor: `c${n}`,
			totalCount: 200_000 - n,
		}));
		const { result } = await read(each, { id: 'id', pageSize: 100 });
		expect(result).toMatchObject({ count: 200_000, firstCount: 200_000, isWhole: false });
	});
});

describe('a list without a valid next page is an error', () => {
	const [one, two] = [1, 2].map((count) => ({ items: some(0, count), hasMore: true }));

	test.each<[what: string, pages: object[], told: string]>([
		['more without a position', [two], 'nextCursor'],
		['a position that is an object', [{ ...two, nextCursor: { after: 'a' } }], 'nextCursor'],
		['a position again', [1, 2].map(() => ({ ...one, nextCursor: 'c1' })), 'c1'],
		['positions in a circle', [1, 2, 1].map((n) => ({ ...one, nextCursor: `c${n}` })), 'c1'],
	])('%s', async (_, pages, told) => {
		const { result } = await read(pages);
		expect(result).toBeInstanceOf(DescribedError);
		expect((result as Error).message).toContain(told);
		expect((result as Error).message).not.toMatch(/error|problem|failure|mistake/i);
		expect((result as DescribedError).description).toContain('set Limit to the number');
	});

	test('an offset that goes back', async () => {
		const page = { items: some(0, 2), hasMore: true, nextOffset: 0 };
		const { result } = await read([page], { paging: 'offset' });
		expect(result).toBeInstanceOf(DescribedError);
	});

	test('shortens an endless cursor in the message', async () => {
		const page = { items: [], hasMore: true, nextCursor: 'x'.repeat(100_000) };
		const { result } = await read([page, page]);
		expect((result as Error).message.length).toBeLessThan(300);
	});

	test('is no error when the limit is reached first', async () => {
		const { result } = await read([{ items: some(0, 2), hasMore: true }], { wanted: 2 });
		expect(result).toMatchObject({ records: some(0, 2), cut: true });
	});
});

describe('a limit', () => {
	const pages = [0, 1, 2, 3, 4].map((i) => ({
		items: some(i * 10, i * 10 + 10),
		hasMore: i < 4,
		nextCursor: i < 4 ? `c${i + 1}` : null,
		totalCount: 50,
	}));

	test.each<[wanted: number, pageSize: number | undefined, limits: number[]]>([
		[1, undefined, [1]],
		[10, undefined, [10]],
		[11, undefined, [11, 11]],
		[25, 10, [10, 10, 10]],
		[30, 10, [10, 10, 10]],
		[50, 200, [50, 50, 50, 50, 50]],
		[500, undefined, [500, 500, 500, 500, 500]],
		[Infinity, undefined, [1000, 1000, 1000, 1000, 1000]],
		[Infinity, 5000, [5000, 5000, 5000, 5000, 5000]],
	])('of %d with pages of %p keeps its page size', async (wanted, pageSize, limits) => {
		const { result, queries } = await read(pages, { wanted, pageSize });
		expect(queries.map(({ limit }) => limit)).toEqual(limits);
		const count = Math.min(wanted, 50);
		expect(result).toMatchObject({
			records: some(0, count),
			count,
			totalCount: 50,
			cut: wanted < 50,
		});
	});

	test('cuts a page that is larger than the limit', async () => {
		const { result } = await read([{ items: some(0, 10), hasMore: false }], { wanted: 3 });
		expect(result).toMatchObject({ records: some(0, 3), cut: true });
	});
});

describe('a page size that the service rejects', () => {
	const rest = { items: some(0, 2), hasMore: true, nextCursor: 'c1' };
	const end = { items: some(2, 3), hasMore: false };

	test.each([400, 408, 413, 422, 500, 502, 504, 'ECONNABORTED', 'ECONNRESET', 'ETIMEDOUT'])(
		'with %s: 100 for the list, and for all lists after it',
		async (problem) => {
			const accepted = startLimit();
			const { result, queries } = await read([failing(problem), rest, end], { accepted });
			expect(result).toMatchObject({ records: some(0, 3) });
			expect(queries).toEqual([{ limit: 1000 }, { limit: 100 }, { cursor: 'c1', limit: 100 }]);
			const next = await read([end], { accepted });
			expect(next.queries).toEqual([{ limit: 100 }]);
		},
	);

	test('is left to the service when 100 is refused too', async () => {
		const accepted = startLimit();
		const { result, queries } = await read([failing(422), failing(400), rest, end], { accepted });
		expect(result).toMatchObject({ records: some(0, 3) });
		expect(queries).toEqual([{ limit: 1000 }, { limit: 100 }, {}, { cursor: 'c1' }]);
		expect((await read([end], { accepted, wanted: 5 })).queries).toEqual([{}]);
	});

	test('that was left to the service is sent where it is set', async () => {
		const { queries } = await read([end], { accepted: startLimit(0), pageSize: 5 });
		expect(queries).toEqual([{ limit: 5 }]);
	});

	test('is not what a small limit teaches', async () => {
		const accepted = startLimit();
		await read([end], { accepted, wanted: 5 });
		expect((await read([end], { accepted })).queries).toEqual([{ limit: 1000 }]);
	});

	test('is not blamed when nothing else helps: the last refusal is shown', async () => {
		const accepted = startLimit();
		const last = failing(422);
		const { result, queries } = await read([failing(400), failing(400), last], { accepted });
		expect(result).toBe(last);
		expect(queries).toEqual([{ limit: 1000 }, { limit: 100 }, {}]);
		expect(accepted).toEqual(startLimit());
	});

	test.each([
		[400, 500],
		[413, 'ECONNRESET'],
		[400, 401],
		[500, 500],
	])('with %s is not blamed where the smaller page fails with %s', async (first, then) => {
		const last = failing(then);
		const { result, queries } = await read([failing(first), last]);
		expect(result).toBe(last);
		expect(queries).toEqual([{ limit: 1000 }, { limit: 100 }]);
	});

	test.each([50, 100])('of %d is left to the service when it is refused', async (wanted) => {
		const { queries } = await read([failing(400), end], { wanted });
		expect(queries).toEqual([{ limit: wanted }, {}]);
	});

	test('is smaller where the reader cannot wait, and the last failure is shown', async () => {
		const last = failing(503);
		const { result, queries } = await read([new PageTooSlowError(), last]);
		expect(result).toBe(last);
		expect(queries).toEqual([{ limit: 1000 }, { limit: 100 }]);
	});

	test('is not blamed for a cancelled execution', async () => {
		const cancelled = new Error('cancelled');
		const { result } = await read([failing(422), cancelled]);
		expect(result).toBe(cancelled);
	});

	test.each<
		[what: string, pages: unknown[], list: { pageSize?: number; wanted?: number }, requests: number]
	>([
		['that was set', [failing(400)], { pageSize: 500 }, 1],
		['of 100 that meets a 500', [failing(500)], { wanted: 100 }, 1],
		['on a later page', [rest, failing(400)], {}, 2],
		['is not what a 404 is about', [failing(404)], {}, 1],
		['is not why a connection is refused', [failing('ECONNREFUSED')], {}, 1],
		['of 100 that takes too long', [failing('ECONNABORTED')], { wanted: 100 }, 1],
		['is not what a 401 is about', [failing(401)], {}, 1],
		['is not what a 429 is about', [failing(429)], {}, 1],
	])('%s', async (_, pages, list, requests) => {
		const { result, queries } = await read(pages, list);
		expect(result).toBeInstanceOf(RequestFailedError);
		expect(queries).toHaveLength(requests);
	});
});

test('says how far it read when a page fails, and returns nothing', async () => {
	const { result } = await read([
		{ items: some(0, 7), hasMore: true, nextCursor: 'c1' },
		failing(500),
	]);
	expect(result).toMatchObject({ details: { recordsRead: 7, lastPosition: 'c1' } });
});

test('continues at a cursor of 0, which is the start of offsets alone', async () => {
	const { result, queries } = await read([
		{ items: some(0, 2), hasMore: true, nextCursor: 0 },
		{ items: some(2, 3), hasMore: false },
	]);
	expect(queries).toEqual([{ limit: 1000 }, { cursor: 0, limit: 1000 }]);
	expect(result).toMatchObject({ records: some(0, 3) });
});

const [a, c] = ['a', 'c'].map((id) => ({ id }));
const nameless = [{ id: '' }, { id: null }];

test.each<[what: string, later: object[], read: object[], isWhole: boolean]>([
	['comes again on a later page is read once', [c, a, { id: 1 }], [c], false],
	['comes again on one page is read once', [c, c], [c], false],
	['has no ID is no repeat of another', nameless, nameless, true],
])('a record that %s', async (_, later, fresh, isWhole) => {
	const items = [a, { id: 1 }, ...nameless];
	const first = { items, hasMore: true, nextCursor: 'c1', totalCount: 0 };
	const { result } = await read([first, { items: later, hasMore: false }], { id: 'id' });
	const records = [...items, ...fresh];
	expect(result).toMatchObject({ records, count: records.length, isWhole });
});

test('goes on where it was read to before, with the limit of then', async () => {
	const { result, queries } = await read(
		[
			{ items: some(2, 4), hasMore: true, nextCursor: 'c2' },
			{ items: some(4, 5), hasMore: false },
		],
		{ resume: { position: 'c1', limit: 7 } },
	);
	expect(queries).toEqual([
		{ cursor: 'c1', limit: 7 },
		{ cursor: 'c2', limit: 7 },
	]);
	expect(result).toMatchObject({ records: some(2, 5) });
});

test('continues at the offset that the service names', async () => {
	const { result, queries } = await read(
		[
			{ items: some(0, 2), hasMore: true, nextOffset: 2, totalCount: 5 },
			{ items: some(2, 4), hasMore: true, nextOffset: 4, totalCount: 5 },
			{ items: some(4, 5), hasMore: false, nextOffset: null, totalCount: 5 },
		],
		{ paging: 'offset', pageSize: 2 },
	);
	expect(queries).toEqual([{ limit: 2 }, { offset: 2, limit: 2 }, { offset: 4, limit: 2 }]);
	expect(result).toMatchObject({ records: some(0, 5), count: 5, totalCount: 5, cut: false });
});

test('hands over each page before it asks for the next, and as many records as are wanted', async () => {
	const steps: unknown[] = [];
	const pages = readPages({
		paging: 'offset',
		wanted: 5,
		accepted: startLimit(),
		request: getPersons,
		send: async () => {
			const at = steps.filter((step) => step === 'asked').length * 2;
			steps.push('asked');
			const body = { items: some(at, at + 2), hasMore: at < 9, nextOffset: at + 2, totalCount: 9 };
			return await Promise.resolve(respond({ body }));
		},
	});
	for await (const { records, more } of pages) steps.push([records, more]);
	expect(steps).toEqual([
		...['asked', [some(0, 2), true]],
		...['asked', [some(2, 4), true]],
		...['asked', [some(4, 5), true]],
	]);
});

test('reads 100,000 records in one page', async () => {
	const { result } = await read([{ items: some(0, 100_000), hasMore: false }]);
	expect(result).toMatchObject({ count: 100_000 });
});
