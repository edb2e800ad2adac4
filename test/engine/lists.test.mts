import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { entries } from './engine.mts';
import type { NetworkRequest } from './fakeNetwork.mts';
import { runOffline } from './offline.mts';
import { asFile, requestLimits } from '../groups.mts';

const people = ['Ada', 'Bob', 'Cleo'].map((name) => ({
	personId: `prospect_${name}`,
	name,
	email: `${name}@x.example`.toLowerCase(),
}));
const [ada, bob, cleo] = people;

/** One page of a list; the list has pages until one without `next`. */
const page = (items: object[], totalCount: number | null, next?: string) => ({
	items,
	totalCount,
	hasMore: next !== undefined,
	nextCursor: next ?? null,
});

/** Somebody of the first page is deleted before the second page is asked for: the cursors are positions, and Bob is missed. */
const shrinking = [page([ada], 3, '1'), page([cleo], 2)];
/** Somebody new is first, so that the second page begins with whom the first one ended with. */
const repeating = [page([ada], 3, '1'), page([ada], 3, '2'), page([cleo], 3)];
/** As with `shrinking`, but the service does not count. */
const uncounted = [page([ada], null, '1'), page([cleo], null)];
/** The service counts somebody whom it does not list. */
const short = [page([ada], 3, '1'), page([cleo], 3)];

let runs = 0;

/** Reads the pages of the list of people one after another, whatever is asked for. */
async function run(
	parameters: INodeParameters,
	pages: object[],
	items: IDataObject[] = [{}],
	created = 201,
) {
	entries.empty();
	const left = [...pages];
	const asked: string[] = [];
	const result = await runOffline({
		parameters: { resource: 'person', ...parameters },
		items,
		// What the process has written lately, with the same key, would be found.
		credential: { apiKey: `key-${++runs}` },
		answer: ({ method, path, query, body }: NetworkRequest) => {
			asked.push(`${method} ${path.split('/').at(-1)} ${query.cursor ?? query.query ?? ''}`.trim());
			if (method === 'POST')
				return { status: created, body: { personId: 'prospect_new', ...(body as object) } };
			if (path.endsWith('/persons')) return { status: 200, body: left.shift() ?? page([], 0) };
			const isMatch = ({ email }: (typeof people)[number]) => email === query.query;
			return { status: 200, body: page(people.filter(isMatch), null) };
		},
	});
	return { ...result, asked, json: result.output.map(({ json }) => json) };
}

const all = { operation: 'getAll', returnAll: true };

test.each<[what: string, pages: object[], read: object[], hints: number]>([
	['whose count falls is output as it was listed, and tells it', shrinking, [ada, cleo], 1],
	[
		'that repeats a record brings it once',
		[...repeating.slice(0, 2), page([bob, cleo], 3)],
		people,
		0,
	],
	['that is shorter than its count is whole, and tells both numbers', short, [ada, cleo], 1],
])('a list %s', async (_, pages, read, hints) => {
	const result = await run(all, pages);
	expect(result.json).toEqual(read);
	expect(result.asked).toHaveLength(pages.length);
	expect(result.hints).toHaveLength(hints);
});

test.each(['csv', 'jsonl'] as const)(
	'of which the count falls, it is a whole %s file',
	async (format) => {
		const { output, hints } = await run({ ...all, options: asFile(format) }, shrinking);
		const [{ json, binary }] = output;
		const text = Buffer.from(binary?.data.data ?? '', 'base64').toString();
		expect(json).toMatchObject({ records: 2, totalCount: 2 });
		expect(text).toMatch(/prospect_Ada[^]*prospect_Cleo/);
		const told = 'the service counted 3 at first, and 2 at its end';
		expect(hints).toEqual([expect.stringContaining(told)]);
	},
);

test('a list of 20,000 records, of which one is deleted with each page, is exported', async () => {
	const pages = Array.from({ length: 20 }, (_, n) => {
		const items = Array.from({ length: 1_000 }, (__, i) => ({ personId: `p_${n * 1_000 + i}` }));
		return page(items, 20_000 - n, n < 19 ? String(n + 1) : undefined);
	});
	const { json, hints, error } = await run({ ...all, options: asFile('jsonl') }, pages);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ records: 20_000, totalCount: 19_981 }]);
	// All that the service listed were read, so there is nothing to tell.
	expect(hints).toEqual([]);
});

test('a list by offsets keeps its filters on every page', async () => {
	const { exchanges } = await runOffline({
		parameters: {
			...{ resource: 'account', operation: 'getActivity', returnAll: true },
			accountId: `account_${'a'.repeat(26)}`,
			options: { ...requestLimits({ pageSize: 2 }), includeDeleted: 'true' },
		},
		answer: (_, sent) => {
			const items = [0, 1].map((n) => ({ activityId: `a${2 * sent + n}` }));
			return { status: 200, body: { items, hasMore: sent === 0, nextOffset: sent ? null : 2 } };
		},
	});
	expect(exchanges.map(({ request }) => request.query)).toEqual([
		{ includeDeleted: 'true', limit: '2' },
		{ includeDeleted: 'true', offset: '2', limit: '2' },
	]);
});

describe('of lists of several items,', () => {
	/** The first page of a list. */
	const list = (count: number, total: number | null = null, hasMore = false) =>
		page(
			Array.from({ length: count }, (_, i) => ({ personId: `p${i}` })),
			total,
			hasMore ? 'c' : undefined,
		);
	const twice = (each: object) => [each, each];
	const total = (text: string) => `The list has ${text}`;

	const counted =
		'The list ended after 3 records, although the service counts 1,234. It may count records that it does not list, such as deleted ones [items 0 and 1, counted from 0].';
	type Row = [what: string, limit: number | undefined, lists: object[], hints: string[]];

	test.each<Row>([
		['those that a limit cuts', 2, twice(list(2, 1234, true)), [total('1,234 records in total.')]],
		['pages that a limit cuts', 1, twice(list(3, 3, true)), [total('3 records in total.')]],
		['none that is cut, and has no total', 2, twice(list(3)), []],
		['none shorter than its limit', 5, twice(list(3, 3)), []],
		['none shorter than its limit, but longer than its total', 5, twice(list(3, 2)), []],
		['none that is read whole', undefined, twice(list(3, 3)), []],
		['none that is read whole, without a total', undefined, twice(list(3)), []],
		['none that is read whole, and longer than its total', undefined, twice(list(3, 2)), []],
		['two that end early', undefined, [list(3, 1234), list(3, 1234), list(2, 2)], [counted]],
		...[
			{ more: [], end: '' },
			{ more: [41], end: ' (And 1 more message like this.)' },
			{ more: [41, 42], end: ' (And 2 more messages like this.)' },
		].map(
			({ more, end }): Row => [
				`three totals, with ${more.length} more`,
				2,
				[300, 7, 300, 2, ...more].map((count) => list(2, count, true)),
				[
					total('300 records in total [items 0 and 2, counted from 0].'),
					total('7 records in total [item 1, counted from 0].'),
					total(`2 records in total [item 3, counted from 0].${end}`),
				],
			],
		),
	])('%s are told', async (_, limit, lists, hints) => {
		const search = { operation: 'search', query: '={{ $json.id }}' };
		const { error, hints: told } = await runOffline({
			parameters: {
				...{ resource: 'person', ...search, ...(limit ? { limit } : { returnAll: true }) },
				options: requestLimits({ concurrency: 1 }),
			},
			items: lists.map((_, id) => ({ id })),
			answer: (_, sent) => ({ status: 200, body: lists[sent] }),
		});
		expect(error).toBeUndefined();
		expect(told).toEqual(hints);
	});
});

describe('Create or Get', () => {
	const ensure = (lookup: string) => ({
		operation: 'createOrGet',
		matchOn: 'email',
		email: '={{ $json.email }}',
		name: '={{ $json.name }}',
		options: { ...requestLimits({ concurrency: 1 }), lookup },
	});
	const eve = { name: 'Eve', email: 'eve@x.example' };

	const moved: Array<[what: string, pages: object[]]> = [
		['whose count fell', shrinking],
		['that repeated somebody', repeating],
		['that is shorter than its count', short],
		['of several pages without a count', uncounted],
	];
	test.each(moved)('searches before it creates by a list %s', async (_, pages) => {
		for (const lookup of ['auto', 'list']) {
			const { json, asked } = await run(ensure(lookup), pages, [bob, eve]);
			expect(json.map(({ outcome }) => outcome)).toEqual(['found', 'created']);
			const sent = asked.filter((each) => !/^GET persons/.test(each));
			expect(sent).toEqual([`GET search ${bob.email}`, `GET search ${eve.email}`, 'POST persons']);
		}
	});

	test.each([...moved, ['that is whole', [page([ada], 1)]] as const])(
		'after a lost response and a list %s, creates once more who is not found',
		async (_, pages) => {
			const options = {
				...ensure('list').options,
				...requestLimits({ concurrency: 1, maxRetries: 1 }),
			};
			const lists = [page([ada], 1), ...pages, ...pages];
			const { error, asked } = await run({ ...ensure('list'), options }, lists, [eve, ada], 504);
			expect(error?.message).toContain('504');
			expect(asked.filter((each) => each.startsWith('POST'))).toHaveLength(2);
		},
	);
});
