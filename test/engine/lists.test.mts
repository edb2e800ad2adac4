import { runOffline } from './offline.mts';
import { asFile, requestLimits } from '../groups.mts';

/* How the pages of a list follow one another is in test/unit/api/paginate.test.mts. */

const people = ['Ada', 'Bob', 'Cleo'].map((name) => ({
	personId: `prospect_${name}`,
	name,
	email: `${name}@x.example`.toLowerCase(),
}));
const [ada, bob, cleo] = people;

/** One page of a list; the list has pages until one without `next`. */
const page = (items: object[], totalCount: number | null = null, next?: string) => ({
	items,
	totalCount,
	hasMore: next !== undefined,
	nextCursor: next ?? null,
});
type Page = ReturnType<typeof page>;

/** Somebody of the first page is deleted before the second page is asked for: the cursors are positions, and Bob is missed. */
const shrinking = [page([ada], 3, '1'), page([cleo], 2)];
/** Somebody new is first, so that the second page begins with whom the first one ended with. */
const repeating = [page([ada], 3, '1'), page([ada], 3, '2'), page([bob, cleo], 3)];
/** The service counts somebody whom it does not list. */
const short = [page([ada], 3, '1'), page([cleo], 3)];

const deleted =
	'Records were deleted while the list was read: the service counted 3 at first, and 2 at its end. 2 were read. If none may be missing, run the node again.';
const counted = (count: number, total: string) =>
	`The list ended after ${count} records, although the service counts ${total}. It may count records that it does not list, such as deleted ones`;
const totalOf = (text: string) => `The list has ${text}`;

/** The only page of a list, or its first one. */
const list = (count: number, total: number | null = null, next?: string) => [
	page(
		Array.from({ length: count }, (_, i) => ({ personId: `p${i}` })),
		total,
		next,
	),
];
const twice = (each: Page[]) => [each, each];

/** The pages of the list of each item. */
type Row = [what: string, limit: number | undefined, lists: Page[][], hints: string[]];

test.each<Row>([
	['whose count falls', undefined, [shrinking], [deleted]],
	// All that the service listed were read.
	['whose count falls to what follows', undefined, [[page([ada, bob], 3, '1'), shrinking[1]]], []],
	['that repeats a record', undefined, [repeating], []],
	['shorter than its count', undefined, [short], [`${counted(2, '3')}.`]],
	['that a limit cuts', 2, twice(list(2, 1234, 'c')), [totalOf('1,234 records in total.')]],
	['whose page a limit cuts', 1, twice(list(3, 3, 'c')), [totalOf('3 records in total.')]],
	['that is cut, and has no total', 2, twice(list(3)), []],
	['no longer than its limit', 5, twice(list(3, 3)), []],
	['no longer than its limit, but longer than its total', 5, twice(list(3, 2)), []],
	['that is read whole', undefined, twice(list(3, 3)), []],
	['that is read whole, without a total', undefined, twice(list(3)), []],
	['that is read whole, and longer than its total', undefined, twice(list(3, 2)), []],
	[
		'that ends early, for two of three items',
		undefined,
		[list(3, 1234), list(3, 1234), list(2, 2)],
		[`${counted(3, '1,234')} [items 0 and 1, counted from 0].`],
	],
	[
		'of a search without a match',
		5,
		[list(0), list(1), list(0)],
		['The search found nothing [items 0 and 2, counted from 0].'],
	],
	...[
		{ more: [], end: '' },
		{ more: [41], end: ' (And 1 more message like this.)' },
		{ more: [41, 42], end: ' (And 2 more messages like this.)' },
	].map(
		({ more, end }): Row => [
			`with three totals, and ${more.length} more`,
			2,
			[300, 7, 300, 2, ...more].map((count) => list(2, count, 'c')),
			[
				totalOf('300 records in total [items 0 and 2, counted from 0].'),
				totalOf('7 records in total [item 1, counted from 0].'),
				totalOf(`2 records in total [item 3, counted from 0].${end}`),
			],
		],
	),
])(
	'a list %s comes out as it is listed, once, and what is told of it',
	async (_, limit, lists, hints) => {
		const wanted = lists.map((pages) =>
			[...new Set(pages.flatMap(({ items }) => items))].slice(0, limit),
		);
		// A file that a limit cuts has hints of its own.
		for (const isFile of limit ? [false] : [false, true]) {
			const pages = lists.flat();
			const { json, ...result } = await runOffline({
				parameters: {
					...{ resource: 'person', operation: 'search', query: '={{ $json.id }}' },
					...(limit ? { limit } : { returnAll: true }),
					options: { ...requestLimits({ concurrency: 1 }), ...(isFile && asFile('jsonl')) },
				},
				items: lists.map((_each, id) => ({ id: id + 1 })),
				answer: () => ({ status: 200, body: pages.shift() }),
			});
			expect(result).toMatchObject({ error: undefined, hints });
			expect(pages).toEqual([]);
			if (!isFile) expect(json).toEqual(wanted.flat());
			else expect(json.map(({ records }) => records)).toEqual(wanted.map(({ length }) => length));
		}
	},
);

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

// Whether a list is whole is in paginate, and lists that move in all ways are in properties/movingLists.
test.each(['auto', 'list'])('Create or Get (%s) searches whom a list may miss', async (lookup) => {
	const pages: Page[] = [...shrinking];
	const { json, exchanges } = await runOffline({
		parameters: {
			...{ resource: 'person', operation: 'createOrGet', matchOn: 'email' },
			...{ email: '={{ $json.email }}', name: '={{ $json.name }}' },
			options: { ...requestLimits({ concurrency: 1 }), lookup },
		},
		items: [bob, { name: 'Eve', email: 'eve@x.example' }],
		// What the process has written lately, with the same key, would be found.
		credential: { apiKey: `key of ${lookup}` },
		answer: ({ method, path, query, body }) => {
			if (method === 'POST') return { status: 201, body: { personId: 'new', ...(body as object) } };
			if (path.endsWith('/persons')) return { status: 200, body: pages.shift() };
			return { status: 200, body: page(people.filter(({ email }) => email === query.query)) };
		},
	});
	expect(json.map(({ outcome }) => outcome)).toEqual(['found', 'created']);
	const asked = exchanges.map(({ request: { method, query } }) => query.query ?? method);
	expect(asked).toEqual(['GET', 'GET', bob.email, 'eve@x.example', 'POST']);
});
