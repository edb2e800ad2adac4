import { DescribedError } from '../../../nodes/api/errors.ts';
import {
	type ListRequest,
	type PagePosition,
	PageTooSlowError,
	readPages,
	startLimit,
} from '../../../nodes/api/paginate.ts';
import type { QueryValue } from '../../../nodes/api/request.ts';
import { failure, getPersons, respond } from './responding.mts';

type Query = Record<string, QueryValue>;
type Settings = Partial<Omit<ListRequest, 'request' | 'send'>>;

/**
 * A list with scripted pages. Each page is a body or an error to throw.
 * @returns the queries, the records with all that the last page says, or the error, and when each page was handed over
 */
async function read(pages: unknown[], list: Settings = {}) {
	const queries: Query[] = [];
	const reading = readPages({
		...{ paging: 'cursor', wanted: Infinity, accepted: startLimit() },
		...list,
		request: getPersons,
		send: async ({ query }) => {
			const page = pages[queries.length];
			queries.push(JSON.parse(JSON.stringify(query)) as Query);
			if (page instanceof Error) throw page;
			if (page === undefined) throw new Error('A page too many was fetched');
			return await Promise.resolve(respond({ body: page }));
		},
	});
	const records: unknown[] = [];
	const handed: unknown[] = [];
	let last: object = {};
	try {
		for await (const page of reading) {
			records.push(...page.records);
			handed.push([page.records, page.more, queries.length]);
			last = page;
		}
	} catch (error) {
		return { result: error, queries, handed };
	}
	return { result: { ...last, records }, queries, handed };
}

const some = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ id: from + i }));

const more = { items: some(0, 2), hasMore: true, nextCursor: 'c1' };
const end = { items: some(2, 3), hasMore: false };
const empty = { items: [], hasMore: true };
const byTwo: Settings = { paging: 'offset', pageSize: 2 };
/** Pages, the last of which is the end. */
const offsets = [
	{ ...more, nextOffset: 2 },
	{ ...empty, nextOffset: 4 },
	{ ...end, nextOffset: null },
];
const cursors = [more, { ...empty, nextCursor: 'c2' }, { ...empty, nextCursor: 'c3' }, end];

test.each<[what: string, pages: object[], positions: PagePosition[], list?: Settings]>([
	['hasMore false with a position', [more, { ...end, nextCursor: 'c9' }], ['c1']],
	['hasMore false without a position', [more, end], ['c1']],
	['an empty position', [more, { items: end.items, nextCursor: '' }], ['c1']],
	['an absent position', [more, { items: end.items }], ['c1']],
	['hasMore null', [more, { ...end, hasMore: null, nextCursor: null }], ['c1']],
	['empty pages before the end', cursors, ['c1', 'c2', 'c3']],
	// It is the start of offsets alone.
	['a cursor of 0', [{ ...more, nextCursor: 0 }, end], [0]],
	['the offsets that the service names', offsets, [2, 4], byTwo],
])('a list is read to its end: %s', async (_, pages, positions, list = {}) => {
	const { result, queries } = await read(pages, list);
	expect(result).toMatchObject({ records: some(0, 3), count: 3, more: false });
	const { paging = 'cursor', pageSize: limit = 1000 } = list;
	expect(queries).toEqual([{ limit }, ...positions.map((each) => ({ [paging]: each, limit }))]);
});

test('goes on where it was read to before, with the limit of then', async () => {
	const pages = [{ ...more, nextCursor: 'c2' }, end];
	const { queries } = await read(pages, { resume: { position: 'c1', limit: 7 } });
	expect(queries).toEqual(['c1', 'c2'].map((cursor) => ({ cursor, limit: 7 })));
});

/** A page for each count, with one record each. */
const counted = (...counts: unknown[]) =>
	counts.map((totalCount, n) => ({
		items: some(n, n + 1),
		hasMore: n < counts.length - 1,
		...{ nextCursor: `c${n + 1}`, nextOffset: n + 1 },
		totalCount,
	}));

test.each<[what: string, counts: unknown[], isWhole: boolean, list?: Settings]>([
	['of more records than the list has', [3, 3], false],
	['that grows, of more records than the list has', [3, 4], false],
	['of fewer records', [1, 1], true],
	['that grows while the list is read', [2, 3], true],
	['that is missing at the end', [2, null], true],
	['that is missing', [null, null], false],
	['of more records than are wanted', [9, 9], false, { wanted: 1 }],
	['that falls', [2, 1], false],
	['that falls, of a list by offsets', [2, 1], false, { paging: 'offset' }],
])('a count %s does not keep the list from its end', async (_, counts, isWhole, list = {}) => {
	const { result } = await read(counted(...counts), { id: 'id', ...list });
	expect(result).toMatchObject({ records: some(0, list.wanted ?? 2), isWhole });
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

const repeating = ['c1', 'c2', 'c1'].map((nextCursor) => ({ ...more, nextCursor }));
const endless = { ...empty, nextCursor: 'x'.repeat(100_000) };

test.each<[what: string, pages: object[], told: string, list?: Settings]>([
	['more without a position', [{ ...more, nextCursor: undefined }], 'nextCursor'],
	['a position that is an object', [{ ...more, nextCursor: { after: 'a' } }], 'nextCursor'],
	['a position again', [more, more], 'c1'],
	['positions in a circle', repeating, 'c1'],
	['a long position again, which is shortened', [endless, endless], 'xxx'],
	['an offset that goes back', [{ ...more, nextOffset: 0 }], '0', { paging: 'offset' }],
])('%s is an error', async (_, pages, told, list = {}) => {
	const { result } = await read(pages, list);
	expect(result).toBeInstanceOf(DescribedError);
	const { message, description } = result as DescribedError;
	expect(message).toContain(told);
	expect(message.length).toBeLessThan(300);
	expect(message).not.toMatch(/error|problem|failure|mistake/i);
	expect(description).toContain('set Limit to the number');
});

const fifty = [0, 1, 2, 3, 4].map((i) => ({
	...{ items: some(i * 10, i * 10 + 10), totalCount: 50 },
	...{ hasMore: i < 4, nextCursor: i < 4 ? `c${i + 1}` : null },
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
])('a limit of %d with pages of %p keeps its page size', async (wanted, pageSize, limits) => {
	const { result, queries } = await read(fifty, { wanted, pageSize });
	expect(queries.map(({ limit }) => limit)).toEqual(limits);
	const count = Math.min(wanted, 50);
	const isWhole = wanted >= 50;
	expect(result).toMatchObject({ records: some(0, count), count, more: !isWhole, isWhole });
	expect(result).toMatchObject({ firstCount: 50, totalCount: 50 });
});

describe('a page size that fails', () => {
	type Reply = number | string | object;
	type Limits = Array<number | undefined>;
	const whole = { ...end, items: some(0, 3) };

	/** A status, the code of a lost connection, a page, or another error. */
	const make = (reply: Reply) => {
		if (typeof reply === 'object') return reply;
		return failure(typeof reply === 'number' ? { status: reply } : { code: reply });
	};

	test.each<[what: string, replies: Reply[], limits: Limits, list?: Settings]>([
		...[400, 408, 413, 422, 500, 502, 504, 'ECONNABORTED', 'ECONNRESET', 'ETIMEDOUT'].map(
			(each): [string, Reply[], Limits] => [`with ${each}`, [each, more, end], [1000, 100, 100]],
		),
		['and 100, too', [422, 400, more, end], [1000, 100, undefined, undefined]],
		['and was that of a limit of 50', [400, whole], [50, undefined], { wanted: 50 }],
		['and was that of a limit of 100', [400, whole], [100, undefined], { wanted: 100 }],
	])('%s is made smaller, or left to the service, for all lists', async (...given) => {
		const [, replies, limits, list = {}] = given;
		const accepted = startLimit();
		const { result, queries } = await read(replies.map(make), { accepted, ...list });
		expect(queries.map(({ limit }) => limit)).toEqual(limits);
		expect(result).toMatchObject({ records: some(0, 3) });
		const next = await read([end], { accepted });
		expect(next.queries.map(({ limit }) => limit)).toEqual(limits.slice(-1));
		// One that is set is sent all the same.
		expect((await read([end], { accepted, pageSize: 5 })).queries).toEqual([{ limit: 5 }]);
	});

	test('is not learned from a small limit', async () => {
		const accepted = startLimit();
		await read([end], { accepted, wanted: 5 });
		expect((await read([end], { accepted })).queries).toEqual([{ limit: 1000 }]);
	});

	test.each<[what: string, replies: Reply[], list?: Settings]>([
		['nothing else helps', [400, 400, 422]],
		['the smaller page fails in another way', [400, 500]],
		['the smaller page is lost', [413, 'ECONNRESET']],
		['the key is rejected then', [400, 401]],
		['the smaller page fails in the same way', [500, 500]],
		['the reader cannot wait', [new PageTooSlowError(), 503]],
		['the execution is cancelled', [422, new Error('cancelled')]],
		['it was set', [400], { pageSize: 500 }],
		['100 meets a 500', [500], { wanted: 100 }],
		['100 takes too long', ['ECONNABORTED'], { wanted: 100 }],
		['the first page had it', [more, 400]],
		...[401, 404, 429, 'ECONNREFUSED'].map((each): [string, Reply[]] => [`it met ${each}`, [each]]),
	])('is not blamed where %s, and the last failure is shown', async (_, replies, list = {}) => {
		const script = replies.map(make);
		const accepted = startLimit();
		const { result, queries } = await read(script, { accepted, ...list });
		expect(result).toBe(script.at(-1));
		expect(queries).toHaveLength(script.length);
		// The next poll has time for the smaller page, even if this one has not.
		const isSlow = replies[0] instanceof PageTooSlowError;
		expect(accepted).toEqual(startLimit(isSlow ? 100 : undefined));
	});
});

test('says how far it read when a page fails, and returns nothing', async () => {
	const { result } = await read([more, failure({ status: 500 })]);
	expect(result).toMatchObject({ details: { recordsRead: 2, lastPosition: 'c1' } });
});

test('hands over each page before it asks for the next, and needs no next one where as many are read as are wanted', async () => {
	const [first, second] = [0, 2].map((at) => ({ items: some(at, at + 2), nextOffset: at + 2 }));
	const last = { items: some(4, 6), hasMore: true };
	const pages = [first, second, last];
	const { result, handed } = await read(pages, { paging: 'offset', wanted: 5 });
	expect(result).toMatchObject({ records: some(0, 5), more: true });
	expect(handed).toEqual([
		[some(0, 2), true, 1],
		[some(2, 4), true, 2],
		[some(4, 5), true, 3],
	]);
});
