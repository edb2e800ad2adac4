import { ExpressionError, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { type Reply, type Request, runNode, type Situation } from './running.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Runs the node with all waits passing at once. */
async function run(situation: Situation) {
	let isDone = false;
	const running = runNode(situation).finally(() => (isDone = true));
	while (!isDone) await jest.advanceTimersByTimeAsync(1_000);
	return await running;
}

const once = { concurrency: 1, maxRetries: 0 };
const createPerson = ({ name }: IDataObject) => ({
	resource: 'person',
	operation: 'create',
	name: name as string,
	options: once,
});
const named = (...names: string[]) => names.map((name) => ({ name }));
const echo = ({ body }: Request): Reply => ({ status: 201, body });
const failing =
	(reply: Reply, ...which: number[]) =>
	(request: Request, sent: number): Reply =>
		which.includes(sent) ? reply : echo(request);

const account = (n: number) => `account_${String(n).repeat(26)}`;
const getActivity = (more: INodeParameters) => (json: IDataObject) => ({
	resource: 'account',
	operation: 'getActivity',
	accountId: { __rl: true, mode: 'id', value: account(Number(json.n ?? 1)) },
	...more,
});
const activities = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, i) => ({ activityId: `a${from + i}`, extra: 1 }));

describe('an operation', () => {
	test.each([
		['person', 'getNothing'],
		['nothing', 'create'],
		['page', 'search '],
	])('%s > %s that does not exist is named', async (resource, operation) => {
		const { error, requests } = await run({
			parameters: () => ({ resource, operation }),
			items: [{}, {}],
		});
		expect(error?.message).toBe(
			operation === 'create'
				? `The operation '' of the resource 'nothing' does not exist`
				: `The operation '${operation}' of the resource '${resource}' does not exist`,
		);
		expect(error?.description).toBe("Choose a resource and an operation in the node's panel.");
		expect(requests).toEqual([]);
	});

	test('is the chosen one of several with its name', async () => {
		const { requests } = await run({
			parameters: ({ resource }) => ({ resource: resource as string, operation: 'search' }),
			items: [{ resource: 'page' }, { resource: 'page' }],
			reply: () => ({ body: [] }),
		});
		expect(requests.map(({ url }) => url.split('?')[0])).toEqual([
			'/v0/pages/search',
			'/v0/pages/search',
		]);
	});
});

test('links each record to its item, in input order', async () => {
	const { output } = await run({
		parameters: createPerson,
		items: named('Ada', 'Bea', 'Cleo'),
		reply: echo,
	});
	expect(output).toEqual(
		['Ada', 'Bea', 'Cleo'].map((name, item) => ({ json: { name }, pairedItem: { item } })),
	);
});

describe('a run that stops', () => {
	const forbidden = failing({ status: 403 }, 1);

	test('says how many items were written, and from which on none was', async () => {
		const { error, requests } = await run({
			parameters: createPerson,
			items: named('Ada', 'Bea', 'Cleo'),
			reply: forbidden,
		});
		expect(error?.message).toBe(
			'The API key has no access to this (403) [item 1]. 1 of 3 items were written, none from item 2 on',
		);
		expect(requests).toHaveLength(2);
	});

	test('says nothing of later items when the last one fails', async () => {
		const { error } = await run({
			parameters: createPerson,
			items: named('Ada', 'Bea'),
			reply: forbidden,
		});
		expect(error?.message).toMatch(/\[item 1\]\. 1 of 2 items were written$/);
	});

	test('says nothing of what was written for a single item, or when it only reads', async () => {
		const one = await run({
			parameters: createPerson,
			items: named('Ada'),
			reply: failing({ status: 403 }, 0),
		});
		expect(one.error?.message).toBe('The API key has no access to this (403) [item 0]');
		const read = await run({
			parameters: () => ({ resource: 'person', operation: 'getAll', options: once }),
			items: [{}, {}],
			reply: () => ({ status: 403 }),
		});
		expect(read.error?.message).toBe('The API key has no access to this (403) [item 0]');
	});

	test('counts items in flight beside the one that fails', async () => {
		const { error } = await run({
			parameters: (json) => ({ ...createPerson(json), options: { ...once, concurrency: 3 } }),
			items: named('Ada', 'Bea', 'Cleo', 'Dora'),
			reply: failing({ status: 403 }, 0),
		});
		expect(error?.message).toMatch(/2 of 4 items were written, none from item 3 on$/);
	});
});

describe('a run that continues', () => {
	test('outputs an item for each failure, and the records of the others', async () => {
		const { error, output } = await run({
			parameters: createPerson,
			items: named('Ada', '', 'Cleo', 'Dora'),
			reply: failing({ status: 403 }, 1),
			continues: true,
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json, pairedItem }) => [json.name ?? json.error, pairedItem])).toEqual([
			['Ada', { item: 0 }],
			['Name is required [item 1]', { item: 1 }],
			['The API key has no access to this (403) [item 2]', { item: 2 }],
			['Dora', { item: 3 }],
		]);
	});

	test('fails each item by a credential that cannot be used', async () => {
		const { error, json, requests } = await run({
			parameters: createPerson,
			items: named('Ada', 'Bea'),
			baseUrl: 'no address',
			continues: true,
		});
		expect(error).toBeUndefined();
		expect(json.map((each) => each.error)).toEqual([
			'The Base URL in the credential is not a web address [item 0]',
			'The Base URL in the credential is not a web address [item 1]',
		]);
		expect(requests).toEqual([]);
	});

	test('fails every item that is invalid, without a request', async () => {
		const { json, requests } = await run({
			parameters: createPerson,
			items: named('', ''),
			continues: true,
		});
		expect(json.map((each) => each.error)).toEqual([
			'Name is required [item 0]',
			'Name is required [item 1]',
		]);
		expect(requests).toEqual([]);
	});
});

describe('an expression that fails', () => {
	const expression = new ExpressionError('Referenced node does not exist');
	const parameters = (json: IDataObject) => createPerson({ name: 'Ada', ...json });
	const beforeRead = (failing: number[]) => (name: string, item: number) => {
		if (name === 'name' && failing.includes(item)) throw expression;
	};

	test("of one item stops the run with n8n's own error", async () => {
		const { error, requests } = await run({
			parameters,
			items: [{}, {}],
			beforeRead: beforeRead([1]),
		});
		expect(error).toBe(expression);
		expect(requests).toEqual([]);
	});

	test('of several items stops the run with one message', async () => {
		const { error } = await run({ parameters, items: [{}, {}], beforeRead: beforeRead([0, 1]) });
		expect(error?.message).toBe('Referenced node does not exist [all 2 items]');
	});

	test('becomes an error item when the run continues', async () => {
		const { json } = await run({
			parameters,
			items: [{}, {}],
			beforeRead: beforeRead([0]),
			continues: true,
			reply: echo,
		});
		expect(json).toEqual([
			{ error: 'Referenced node does not exist [item 0]', details: { itemIndex: 0 } },
			{ name: 'Ada' },
		]);
	});

	test('may throw anything', async () => {
		const { json } = await run({
			parameters,
			items: [{}, {}],
			beforeRead: (name) => {
				if (name === 'name') throw 'odd';
			},
			continues: true,
		});
		expect(json.map(({ error }) => error)).toEqual(['odd [item 0]', 'odd [item 1]']);
	});
});

describe('a value that cannot stand in a URL', () => {
	test('is named by the label of its field', async () => {
		const query = await run({
			parameters: ({ query }) => ({
				resource: 'person',
				operation: 'search',
				query: query as string,
			}),
			items: [{ query: 'a\ud83d' }, { query: 'a😀' }],
		});
		expect(query.error?.message).toBe('Query is not valid Unicode [item 0]');
		const id = await run({
			parameters: ({ id }) => ({
				resource: 'audienceSession',
				operation: 'getInteractions',
				audienceSessionId: id as string,
			}),
			items: [{ id: 's1' }, { id: '..' }],
		});
		expect(id.error?.message).toBe(
			'Audience Session cannot be used as an ID, because it is ".." [item 1]',
		);
		const second = await run({
			parameters: () => ({
				resource: 'audience',
				operation: 'archive',
				pageId: { __rl: true, mode: 'id', value: 'p1' },
				audienceId: { __rl: true, mode: 'id', value: '..' },
			}),
			items: [{}],
		});
		expect(second.error?.message).toMatch(/^Audience cannot be used as an ID/);
		const filter = await run({
			parameters: getActivity({ filters: { includeDeleted: '\ud83d' } }),
			items: [{}],
		});
		expect(filter.error?.message).toBe('includeDeleted is not valid Unicode [item 0]');
	});
});

test('an option that is added and left blank has its default', async () => {
	const at: number[] = [];
	const { requests, json } = await run({
		parameters: (json) => ({
			...createPerson(json),
			options: { maxRetries: '', concurrency: '', requestsPerSecond: '', timeout: '' },
		}),
		items: named(...Array.from({ length: 12 }, (_, i) => `n${i}`)),
		reply: async (request, sent) => {
			at.push(Date.now());
			await new Promise((resolve) => setTimeout(resolve, 100));
			return sent < 3 ? { lost: 'ECONNREFUSED' } : echo(request);
		},
	});
	expect(json).toHaveLength(12);
	expect(requests).toHaveLength(15);
	// Ten at once.
	expect(at.filter((time) => time === at[0])).toHaveLength(10);
});

test('Requests per Second applies to the run', async () => {
	const at: number[] = [];
	await run({
		parameters: (json) => ({ ...createPerson(json), options: { requestsPerSecond: 2 } }),
		items: named('Ada', 'Bea', 'Cleo'),
		reply: (request) => {
			at.push(Date.now());
			return echo(request);
		},
	});
	expect([at[1] - at[0], at[2] - at[1]]).toEqual([500, 500]);
});

describe('a message for a model', () => {
	test('names no item, and ends with what to do', async () => {
		const invalid = await run({ parameters: createPerson, items: named(''), asTool: true });
		expect(invalid.error?.message).toBe(
			'Name is required. Nothing was sent. Correct this and call the tool again.',
		);
		const failed = await run({
			parameters: createPerson,
			items: named('Ada'),
			asTool: true,
			reply: () => ({ status: 413 }),
		});
		expect(failed.error?.message).toBe(
			'The request is too large for the service (413). Send less at once.',
		);
	});

	test('is the message alone where there is nothing to do about it', async () => {
		const { error } = await run({
			parameters: createPerson,
			items: named('Ada'),
			asTool: true,
			baseUrl: 'no address',
		});
		expect(error?.message).toBe('The Base URL in the credential is not a web address');
	});
});

describe('invalid items', () => {
	const refuse = async (...names: string[]) =>
		(await run({ parameters: createPerson, items: named(...names) })).error;
	const long = (count: number) => 'x'.repeat(count);

	test.each<[names: string[], message: string]>([
		[[''], 'Name is required [item 0]'],
		[['', ''], 'Name is required [all 2 items]'],
		[['Ada', '', ''], 'Name is required [items 1 and 2]'],
		[['', '', '', 'Ada'], 'Name is required [items 0, 1 and 2]'],
		[['', '', '', '', 'Ada'], 'Name is required [items 0, 1, 2 and 1 more]'],
		[
			['', 'Ada', long(300), ''],
			'Name is required [items 0 and 3]; Name must have 1 to 255 characters, but has 300 [item 2]',
		],
	])('%j stop the run with one message for each kind', async (names, message) => {
		const error = await refuse(...names);
		expect(error?.message).toBe(message);
		expect(error?.context?.itemIndex).toBe(names.findIndex((name) => name !== 'Ada'));
		expect(error?.description).toBe(
			names.includes('Ada')
				? "Nothing was sent. To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab."
				: 'Nothing was sent.',
		);
	});

	test('have ten messages at most, and the rest is counted', async () => {
		const names = (count: number) => Array.from({ length: count }, (_, i) => long(300 + i));
		expect((await refuse(...names(10)))?.message).toMatch(/has 309 \[item 9\]$/);
		expect((await refuse(...names(11)))?.message).toMatch(/has 309 \[item 9\]; and 1 more$/);
	});
});

describe('the hint', () => {
	const page = (count: number, totalCount?: number): Reply => ({
		body: {
			items: activities(0, count),
			hasMore: totalCount !== undefined && totalCount > count,
			nextOffset: count,
			totalCount,
		},
	});

	test('that the same was read for each item', async () => {
		const { hints } = await run({
			parameters: getActivity({}),
			items: [{}, {}, {}],
			reply: () => page(3),
		});
		expect(hints).toEqual([
			"The same was read 3 times, once per item. To read it once, turn on Execute Once in the node's settings.",
		]);
	});

	test.each<[what: string, situation: Situation]>([
		['a single item', { parameters: getActivity({}), items: [{}], reply: () => page(3) }],
		[
			'different reads',
			{ parameters: getActivity({}), items: [{ n: 1 }, { n: 2 }], reply: () => page(3) },
		],
		['equal writes', { parameters: createPerson, items: named('Ada', 'Ada'), reply: echo }],
		[
			'one valid item of two',
			{
				parameters: ({ id }) => ({
					...getActivity({})({}),
					...(id === '' && { accountId: { __rl: true, mode: 'id', value: '' } }),
				}),
				items: [{}, { id: '' }],
				reply: () => page(3),
				continues: true,
			},
		],
	])('that the same was read is not shown for %s', async (_, situation) => {
		expect((await run(situation)).hints).toEqual([]);
	});

	test.each<[what: string, limit: INodeParameters, reply: Reply, hint: string | undefined]>([
		['more than was wanted', { limit: 2 }, page(2, 1234), 'The list has 1,234 records in total.'],
		['one of several', { limit: 1 }, page(1, 3), 'The list has 3 records in total.'],
		['a total that is not known', { limit: 2 }, page(3), undefined],
		['all records within the limit', { limit: 5 }, page(3, 3), undefined],
		['another total within the limit', { limit: 5 }, page(3, 2), undefined],
		['all records', { returnAll: true }, page(3, 3), undefined],
		['all records of an unknown number', { returnAll: true }, page(3), undefined],
		[
			'another number than the service counts',
			{ returnAll: true },
			page(1, 0),
			'The list ended after 1 record, but the service counts 0. It may have changed during the run.',
		],
	])('of a list tells of %s', async (_, limit, reply, hint) => {
		const { hints } = await run({
			parameters: getActivity({ ...limit, options: { concurrency: 1 } }),
			items: [{ n: 1 }, { n: 2 }],
			reply: () => reply,
		});
		expect(hints).toEqual(hint === undefined ? [] : [hint]);
	});

	test('of one kind is shown three times, and then counted', async () => {
		const show = async (count: number) =>
			await run({
				parameters: ({ id }) => ({
					resource: 'audienceSession',
					operation: 'getInteractions',
					audienceSessionId: id as string,
				}),
				items: Array.from({ length: count }, (_, i) => ({ id: `s${i}` })),
				reply: () => ({ body: { found: false } }),
			});
		const told = (id: string) =>
			`The service did not find session ${id}. The output contains the interactions in its response, if any.`;
		expect((await show(3)).hints).toEqual([told('s0'), told('s1'), told('s2')]);
		expect((await show(5)).hints).toEqual([
			told('s0'),
			told('s1'),
			`${told('s2')} (The same for 2 more items.)`,
		]);
	});

	test.each<[retryAfter: string, told: string]>([
		['1', 'Waited 1 second for the rate limit'],
		['7', 'Waited 7 seconds for the rate limit'],
	])('of a Retry-After of %s tells how long the run waited', async (retryAfter, told) => {
		const { hints, json } = await run({
			parameters: (json) => ({ ...createPerson(json), options: { concurrency: 1 } }),
			items: named('Ada', 'Bea'),
			reply: failing({ status: 429, headers: { 'retry-after': retryAfter } }, 0),
		});
		expect(hints).toEqual([told]);
		expect(json).toEqual(named('Ada', 'Bea'));
	});

	test('of a session that was not found comes with what the response holds', async () => {
		const { hints, json } = await run({
			parameters: ({ id }) => ({
				resource: 'audienceSession',
				operation: 'getInteractions',
				audienceSessionId: id as string,
			}),
			items: [{ id: 's1' }, { id: 's2' }],
			reply: ({ url }) => ({
				body: { found: url.includes('s1'), interactions: [{ label: 'a' }] },
			}),
		});
		expect(json).toEqual([
			{ label: 'a', audienceSessionId: 's1' },
			{ label: 'a', audienceSessionId: 's2' },
		]);
		expect(hints).toEqual([expect.stringContaining('did not find session s2')]);
	});
});

describe('a list', () => {
	/** An account with so many activities, and pages of 100 at most. */
	const listing =
		(count: number) =>
		({ url }: Request): Reply => {
			const query = new URL(url, 'https://x.example').searchParams;
			const from = Number(query.get('offset') ?? 0);
			const end = Math.min(count, from + Math.min(100, Number(query.get('limit') ?? 100)));
			const more = end < count;
			const body = {
				items: activities(from, end),
				totalCount: count,
				hasMore: more,
				nextOffset: more ? end : null,
			};
			return { body };
		};
	const idsOf = (json: IDataObject[]) => json.map(({ activityId }) => activityId);
	const ids = (count: number) => idsOf(activities(0, count));

	test('is read as far as Limit asks, which is 50 unless it is set', async () => {
		for (const limit of [undefined, 1, 150]) {
			const { output } = await run({
				parameters: getActivity(limit === undefined ? {} : { limit }),
				items: [{ n: 1 }, { n: 2 }],
				reply: listing(230),
			});
			for (const item of [0, 1])
				expect(
					idsOf(
						output
							.filter(({ pairedItem }) => JSON.stringify(pairedItem) === `{"item":${item}}`)
							.map(({ json }) => json),
					),
				).toEqual(ids(limit ?? 50));
		}
	});

	test('is read to its end with Return All, whatever Limit says', async () => {
		const { json } = await run({
			parameters: getActivity({ returnAll: true, limit: 5 }),
			items: [{ n: 1 }, { n: 2 }],
			reply: listing(230),
		});
		expect(idsOf(json)).toEqual([...ids(230), ...ids(230)]);
	});

	test('by offsets does not show a record again when the list grows at its start', async () => {
		const { json } = await run({
			parameters: getActivity({ returnAll: true, options: { concurrency: 1 } }),
			items: [{ n: 1 }],
			reply: (request, sent) => {
				const { body } = listing(150)(request) as { body: { items: object[] } };
				return {
					body: sent === 0 ? body : { ...body, items: activities(95, 150), totalCount: 155 },
				};
			},
		});
		expect(idsOf(json)).toEqual(ids(150));
	});

	test('keeps its filters on every page, and asks for as many records as Page Size says', async () => {
		const { requests } = await run({
			parameters: getActivity({
				returnAll: true,
				filters: { includeDeleted: 'true' },
				options: { pageSize: 90, concurrency: 1 },
			}),
			items: [{ n: 1 }, { n: 2 }],
			reply: listing(100),
		});
		const queries = requests
			.filter(({ url }) => url.includes(account(1)))
			.map(({ url }) => url.split('?')[1]);
		expect(queries).toEqual([
			'includeDeleted=true&limit=90',
			'includeDeleted=true&offset=90&limit=90',
		]);
	});

	test('by a cursor has a record as often as the service sends it', async () => {
		const { json } = await run({
			parameters: () => ({
				resource: 'audience',
				operation: 'getAll',
				pageId: { __rl: true, mode: 'id', value: 'p1' },
				returnAll: true,
			}),
			items: [{}, {}],
			reply: ({ url }) => ({
				body: url.includes('cursor=c1')
					? { items: [{ audienceId: 'a' }, { audienceId: 'b' }], hasMore: false }
					: { items: [{ audienceId: 'a' }], hasMore: true, nextCursor: 'c1', totalCount: 3 },
			}),
		});
		expect(json.map(({ audienceId }) => audienceId)).toEqual(['a', 'a', 'b', 'a', 'a', 'b']);
	});

	test('by a cursor is read with its cursor', async () => {
		const { requests, json } = await run({
			parameters: () => ({ resource: 'person', operation: 'getAll', returnAll: true }),
			items: [{}, {}],
			reply: ({ url }) => ({
				body: url.includes('cursor=c1')
					? { items: [{ personId: 'b' }], hasMore: false }
					: { items: [{ personId: 'a' }], hasMore: true, nextCursor: 'c1' },
			}),
		});
		expect(json.map(({ personId }) => personId)).toEqual(['a', 'b', 'a', 'b']);
		expect(requests.map(({ url }) => url).sort()).toEqual([
			'/v0/persons?cursor=c1&limit=1000',
			'/v0/persons?cursor=c1&limit=1000',
			'/v0/persons?limit=1000',
			'/v0/persons?limit=1000',
		]);
	});

	test('without pages is cut to Limit', async () => {
		const { json } = await run({
			parameters: () => ({ resource: 'page', operation: 'search', limit: 2 }),
			items: [{}, {}],
			reply: () => ({ body: { items: [1, 2, 3].map((n) => ({ n })) } }),
		});
		expect(json.map(({ n }) => n)).toEqual([1, 2, 1, 2]);
	});
});

describe('a person log that the service refuses as a duplicate', () => {
	const log = (options: INodeParameters) => () => ({
		resource: 'personLog',
		operation: 'create',
		source: 'crm',
		options,
	});
	const conflict: Reply = { status: 409 };

	test('is stored when an attempt before may have stored it', async () => {
		const { json, requests } = await run({
			parameters: log({ concurrency: 1 }),
			items: [{}, {}],
			reply: (_, sent) => [{ lost: 'ECONNRESET' }, conflict, { body: { personLogId: 'l' } }][sent],
		});
		const keys = requests.map(({ body }) => (body as IDataObject).idempotencyKey);
		expect(json).toEqual([
			{ source: 'crm', type: 'webhook', alreadyStored: true, idempotencyKey: keys[0] },
			{ personLogId: 'l', idempotencyKey: keys[2] },
		]);
		expect(keys[1]).toBe(keys[0]);
		expect(keys[2]).not.toBe(keys[0]);
	});

	test('fails on the first attempt', async () => {
		const { error } = await run({
			parameters: log({ concurrency: 1 }),
			items: [{}, {}],
			reply: () => conflict,
		});
		expect(error?.message).toMatch(/^A conflicting record already exists \(409\) \[item 0\]/);
	});

	test.each([401, 403, 404, 422])('fails when a repeat meets %d instead', async (status) => {
		const { json } = await run({
			parameters: log({ concurrency: 1 }),
			items: [{}],
			reply: (_, sent) => (sent === 0 ? { lost: 'ECONNRESET' } : { status }),
			continues: true,
		});
		expect(json[0].details).toMatchObject({ status, repeated: true, maybeDone: true });
	});
});

describe('the next run of the node', () => {
	const settings = { retryOnFail: true, maxTries: 2 };

	test('returns what was written before, when the first item failed', async () => {
		const first = await run({
			parameters: createPerson,
			items: named('', 'Ada'),
			reply: echo,
			continues: true,
			settings,
		});
		const again = await run({
			parameters: createPerson,
			items: named('', 'Ada'),
			continues: true,
			settings,
			stored: first.stored,
		});
		expect(again.json[1]).toEqual({ name: 'Ada' });
		expect(again.requests).toEqual([]);
	});

	test.each<[what: string, items: IDataObject[], settings: object, continues: boolean]>([
		['succeeded', named('Ada', 'Bea'), settings, false],
		['failed at a later item only', named('Ada', ''), settings, true],
		['is not retried', named('', 'Ada'), { retryOnFail: false }, true],
	])('finds nothing after a run that %s', async (_, items, nodeSettings, continues) => {
		const { stored } = await run({
			parameters: createPerson,
			items,
			reply: echo,
			continues,
			settings: nodeSettings,
		});
		expect(JSON.stringify(stored)).not.toContain('Ada');
	});

	test('is not needed after a list without records', async () => {
		const { output, error } = await run({
			parameters: () => ({ resource: 'person', operation: 'getAll' }),
			items: [{}, {}],
			reply: () => ({ body: { items: [] } }),
			settings,
		});
		expect([output, error]).toEqual([[], undefined]);
	});

	test('finds everything after a run that stopped', async () => {
		const { stored } = await run({
			parameters: createPerson,
			items: named('Ada', 'Bea'),
			reply: failing({ status: 403 }, 1),
			settings,
		});
		expect(JSON.stringify(stored)).toContain('Ada');
	});

	test('sends a change that was not done only if no later item has changed the record', async () => {
		const update = ({ n, name }: IDataObject) => ({
			resource: 'account',
			operation: 'update',
			accountId: { __rl: true, mode: 'id', value: account(Number(n)) },
			name: name as string,
			options: once,
		});
		const items = [
			{ n: 1, name: 'first' },
			{ n: 1, name: 'second' },
			{ n: 2, name: 'other' },
		];
		const first = await run({
			parameters: update,
			items,
			reply: (request) =>
				JSON.stringify(request.body).includes('second') ? echo(request) : { status: 422 },
			continues: true,
			settings,
		});
		const again = await run({
			parameters: update,
			items,
			reply: echo,
			continues: true,
			settings,
			stored: first.stored,
		});
		expect(again.requests.map(({ body }) => body)).toEqual([{ name: 'other' }]);
		expect(again.json[0].error).toBe(
			'The service rejected the values (422). Not resent: a later item has changed the same record since [item 0]',
		);
		expect(again.json.slice(1)).toEqual(named('second', 'other'));
	});
});

describe('a cancelled execution', () => {
	test('reads no more parameters', async () => {
		const controller = new AbortController();
		let last = 0;
		const { output, error, requests } = await run({
			parameters: createPerson,
			// An invalid item would stop a run that goes on.
			items: Array.from({ length: 250 }, (_, i) => ({ name: i === 3 ? '' : `n${i}` })),
			signal: controller.signal,
			beforeRead: (_, item) => {
				last = Math.max(last, item);
				if (item === 150) controller.abort();
			},
		});
		expect(last).toBe(150);
		expect([output, error, requests]).toEqual([[], undefined, []]);
	});

	test('lets other work happen while it reads many items', async () => {
		let turns = 0;
		const turn = () => {
			turns++;
			setTimeout(turn, 0);
		};
		turn();
		let seen = 0;
		const { requests } = await run({
			parameters: () => ({ ...createPerson({ name: '' }) }),
			items: Array.from({ length: 350 }, () => ({})),
			beforeRead: (_, item) => {
				// Reading a parameter takes a millisecond.
				jest.setSystemTime(Date.now() + 1);
				if (item === 349) seen = turns;
			},
		});
		jest.clearAllTimers();
		expect(requests).toEqual([]);
		expect(seen).toBeGreaterThanOrEqual(10);
		expect(seen).toBeLessThan(350);
	});

	test.each([true, false])('ends empty while it sends, continuing %p', async (continues) => {
		const controller = new AbortController();
		const { output, error, requests } = await run({
			parameters: createPerson,
			items: named('Ada', 'Bea', 'Cleo'),
			signal: controller.signal,
			continues,
			reply: (request, sent) => {
				if (sent === 1) controller.abort();
				return echo(request);
			},
		});
		expect([output, error]).toEqual([[], undefined]);
		expect(requests).toHaveLength(2);
	});
});
