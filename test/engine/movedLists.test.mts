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

describe('a list whose count falls while it is read', () => {
	const list = { operation: 'getAll', returnAll: true };
	const told = expect.stringContaining(
		'the service counted 3 at first, and 2 at its end',
	) as string;

	test('is output as it was listed, and tells it', async () => {
		const { json, hints, asked } = await run(list, shrinking);
		expect(json).toEqual([ada, cleo]);
		expect(hints).toEqual([told]);
		expect(asked).toHaveLength(2);
	});

	test.each(['csv', 'jsonl'] as const)('is a whole %s file, and tells it', async (format) => {
		const { output, hints } = await run({ ...list, options: asFile(format) }, shrinking);
		const [{ json, binary }] = output;
		const text = Buffer.from(binary?.data.data ?? '', 'base64').toString();
		expect(json).toMatchObject({ records: 2, totalCount: 2 });
		expect(text).toMatch(/prospect_Ada[^]*prospect_Cleo/);
		expect(hints).toEqual([told]);
	});
});

test('a list of 200,000 records, of which one is deleted with each page, is exported', async () => {
	const pages = Array.from({ length: 200 }, (_, n) =>
		page(
			Array.from({ length: 1_000 }, (__, i) => ({ personId: `prospect_${n * 1_000 + i}` })),
			200_000 - n,
			n < 199 ? String(n + 1) : undefined,
		),
	);
	const parameters = { operation: 'getAll', returnAll: true, options: asFile('jsonl') };
	const { json, hints, error } = await run(parameters, pages);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ records: 200_000, totalCount: 199_801 }]);
	// All that the service listed were read, so there is nothing to tell.
	expect(hints).toEqual([]);
});

test.each<[what: string, pages: object[], read: object[], hints: number]>([
	['repeats a record brings it once', [...repeating.slice(0, 2), page([bob, cleo], 3)], people, 0],
	['is shorter than its count is whole, and tells both numbers', short, [ada, cleo], 1],
])('a list that %s', async (_, pages, read, hints) => {
	const result = await run({ operation: 'getAll', returnAll: true }, pages);
	expect(result.json).toEqual(read);
	expect(result.hints).toHaveLength(hints);
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

	test('does not search by a list that is whole', async () => {
		const { asked } = await run(ensure('auto'), [page([ada], 2, '1'), page([cleo], 2)], [eve, ada]);
		expect(asked).toEqual(['GET persons', 'GET persons 1', 'POST persons']);
	});
});
