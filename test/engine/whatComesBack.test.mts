import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/index.mts';
import { linkedTo, originOf, type Run } from './engine.mts';
import { openStage } from './stage.mts';

const stage = openStage();
let pages: string[];
beforeEach(() => {
	pages = [...stage.sandbox.store.pages].map(({ pageId }) => pageId);
});

const run = async (parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) => {
	stage.sandbox.requests.length = 0;
	const result = await stage.run(parameters, items, more);
	const of = (item: number) => linkedTo(result.output, item).map(({ json }) => json);
	return { ...result, of };
};

describe('lists', () => {
	const audiences = (more: INodeParameters = {}): INodeParameters => ({
		resource: 'audience',
		operation: 'getAll',
		pageId: '={{ $json.page }}',
		...more,
	});
	const twoPages = () => [{ page: pages[0] }, { page: pages[4] }];
	const idsOf = (page: string) =>
		stage.sandbox.store.audiences.of(page).map(({ audienceId }) => audienceId);

	test('Return All reads every page of each item and links each record to its item', async () => {
		const { of, output } = await run(audiences({ returnAll: true }), twoPages());
		for (const [item, { page }] of twoPages().entries()) {
			expect(of(item).map(({ audienceId }) => audienceId)).toEqual(idsOf(page));
		}
		expect(output).toHaveLength(230 + 7);
		// Of the first request the service says that it allows no more than 100 at once.
		const limits = stage.sandbox.requests.map(({ query }) => query.limit);
		expect(limits.filter((limit) => limit === '100')).toHaveLength(4);
		expect(limits.length).toBeLessThanOrEqual(6);
	});

	test.each<[limit: number, pageSize: number | '', limits: string[]]>([
		[1, '', ['1']],
		[50, '', ['50']],
		[120, '', ['120', '100', '100']],
		[25, 10, ['10', '10', '10']],
		[20, 10, ['10', '10']],
	])('a limit of %d with a page size of %p requests %p', async (limit, pageSize, limits) => {
		const { of } = await run(audiences({ limit, options: { pageSize } }), twoPages());
		expect(of(0).map(({ audienceId }) => audienceId)).toEqual(idsOf(pages[0]).slice(0, limit));
		expect(of(1)).toHaveLength(Math.min(limit, 7));
		const asked = stage.sandbox.requests.filter(({ path }) => path.includes(pages[0]));
		expect(asked.map(({ query }) => query.limit)).toEqual(limits);
	});

	test('a null cursor ends the list', async () => {
		const other = await startSandbox({
			guesses: { endOfOptionalCursor: 'null', maximumLimit: 60 },
		});
		const credential = { baseUrl: other.url, apiKey: other.apiKey };
		const { of, error } = await run(audiences({ returnAll: true }), twoPages(), { credential });
		expect(error).toBeUndefined();
		expect([of(0).length, of(1).length]).toEqual([230, 7]);
		// The service rejected 100, so the node let it choose the page size.
		expect(other.requests.filter(({ query }) => query.limit === undefined).length).toBeGreaterThan(
			9,
		);
		await other.close();
	});

	test('a list that fails half-way returns none of its records', async () => {
		stage.sandbox.faults.add({ kind: 'status', status: 403, path: new RegExp(pages[0]), skip: 2 });
		const { of } = await run(audiences({ returnAll: true }), twoPages(), {
			onError: 'continueRegularOutput',
		});
		expect(of(0)).toEqual([
			{
				error: expect.stringContaining('(403)') as string,
				details: expect.objectContaining({ recordsRead: 100 }) as object,
			},
		]);
		expect(of(1)).toHaveLength(7);
	});

	test('an item without records returns none', async () => {
		const items = [{ q: 'nobody is called this' }, { q: 'a' }];
		const { of, error } = await run(
			{ resource: 'person', operation: 'search', query: '={{ $json.q }}', limit: 1 },
			items,
		);
		expect(error).toBeUndefined();
		expect([of(0).length, of(1).length]).toEqual([0, 1]);
	});
});

test('Simplify returns the promised fields in order, and turned off the whole record', async () => {
	const items = [{ page: pages[0] }, { page: pages[4] }];
	const list = { resource: 'audience', operation: 'getAll', pageId: '={{ $json.page }}', limit: 1 };
	const simple = await run(list, items);
	const fields =
		'audienceId pageId effectiveName customName status actionUrlOverride prospectId publishedVersionNumber createdAt archivedAt';
	for (const item of [0, 1]) expect(Object.keys(simple.of(item)[0])).toEqual(fields.split(' '));
	const raw = await run({ ...list, simplify: false }, items);
	expect(Object.keys(raw.of(1)[0]).length).toBeGreaterThan(15);
	expect(simple.of(1)[0].publishedVersionNumber).toBe(
		(raw.of(1)[0].publishedVersion as IDataObject).versionNumber,
	);
});

describe('additions', () => {
	const interactions = {
		resource: 'audienceSession',
		operation: 'getInteractions',
		audienceSessionId: '={{ $json.session }}',
	};
	const sessions = () =>
		stage.sandbox.store.sessions
			.of(pages[0])
			.slice(0, 2)
			.map(({ audienceSessionId: session }) => ({ session }));

	test('adds the session to each interaction', async () => {
		const { of } = await run(interactions, sessions());
		for (const [item, { session }] of sessions().entries()) {
			expect(of(item)).toHaveLength(stage.sandbox.store.interactions.of(session).length);
			expect(of(item).every((json) => json.audienceSessionId === session)).toBe(true);
		}
	});

	test('returns the list and a hint when found is false', async () => {
		const body = { found: false, interactions: [{ label: 'a', audienceSessionId: 'its own' }] };
		stage.sandbox.faults.add({ kind: 'answer', body, path: new RegExp(sessions()[1].session) });
		const { of, hints } = await run(interactions, sessions());
		expect(of(1)).toEqual([{ label: 'a', audienceSessionId: 'its own' }]);
		expect(hints).toEqual([
			expect.stringContaining(`did not find session ${sessions()[1].session}`),
		]);
	});

	test('keeps a session without interactions when asked to', async () => {
		const [first, second] = sessions().map(({ session }) => session);
		const answers = (found: boolean, session: string) =>
			stage.sandbox.faults.add({
				kind: 'answer',
				body: { found, interactions: [] },
				path: new RegExp(session),
				times: 2,
			});
		answers(true, first);
		answers(false, second);
		const dropped = await run(interactions, sessions().slice(0, 2));
		expect(dropped.output).toEqual([]);
		const kept = await run(
			{ ...interactions, options: { keepEmpty: true } },
			sessions().slice(0, 2),
		);
		expect([kept.of(0), kept.of(1)]).toEqual([
			[{ audienceSessionId: first, found: true, interactions: [] }],
			[{ audienceSessionId: second, found: false, interactions: [] }],
		]);
	});

	test('adds the page to a summary and the key to a log', async () => {
		const items = [{ page: pages[0] }, { page: pages[4] }];
		const summary = await run(
			{ resource: 'page', operation: 'getAnalyticsSummary', pageId: '={{ $json.page }}' },
			items,
		);
		expect(items.map((_, item) => summary.of(item)[0].pageId)).toEqual(
			items.map(({ page }) => page),
		);
		const log = { resource: 'personLog', operation: 'create', source: 'a' };
		const logged = await run(log, items);
		const sent = stage.sandbox.requests.map(({ body }) => (body as IDataObject).idempotencyKey);
		expect([logged.of(0)[0].idempotencyKey, logged.of(1)[0].idempotencyKey].sort()).toEqual(
			sent.sort(),
		);
		const none = await run({ ...log, idempotency: 'none' }, items);
		expect(none.output.some(({ json }) => 'idempotencyKey' in json)).toBe(false);
	});
});

test('cuts a list without pages to Limit', async () => {
	const body = { items: [1, 2, 3].map((n) => ({ n })) };
	stage.sandbox.faults.add({ kind: 'answer', body, times: 2 });
	const search = { resource: 'page', operation: 'search', limit: 2 };
	const { output } = await run(search, [{}, {}]);
	expect(output.map(({ json }) => json.n)).toEqual([1, 2, 1, 2]);
});

test('a list by a cursor has a record as often as the service sends it', async () => {
	const [a, b] = [{ personId: 'a' }, { personId: 'b' }];
	const first = { items: [a], hasMore: true, nextCursor: 'c1', totalCount: 3 };
	for (const body of [first, { items: [a, b], hasMore: false }])
		stage.sandbox.faults.add({ kind: 'answer', status: 200, body });
	const list = { resource: 'person', operation: 'getAll', returnAll: true };
	const { output } = await run({ ...list, options: { pageSize: 9 } }, [{}]);
	expect(output.map(({ json }) => json.personId)).toEqual(['a', 'a', 'b']);
	expect(stage.sandbox.requests[1].query).toEqual({ cursor: 'c1', limit: '9' });
});

test('fails a list of which an entry is not a record', async () => {
	const body = { items: [{ a: 1 }, 'odd'], hasMore: false };
	stage.sandbox.faults.add({ kind: 'answer', body });
	const list = { resource: 'person', operation: 'getAll' };
	const { output, errors } = await run(list, [{}, {}], { onError: 'continueErrorOutput' });
	expect(errors.map(originOf)).toEqual([0]);
	expect(new Set(output.map(originOf))).toEqual(new Set([1]));
});

describe('as an AI tool', () => {
	const list = { resource: 'audience', operation: 'getAll', pageId: '={{ $json.page }}', limit: 1 };
	const items = () => [{ page: pages[0] }, { page: pages[4] }];

	test.each<[what: string, parameters: INodeParameters, fields: RegExp]>([
		['the small form', {}, /^audienceId pageId effectiveName .* archivedAt$/],
		['the whole record', { output: 'raw' }, /tenantId .*latestVersion/],
		[
			'chosen fields',
			{ output: 'selectedFields', outputFields: ['status'] },
			/^audienceId status$/,
		],
		[
			'fields as text',
			{ output: 'selectedFields', outputFields: 'status, createdAt' },
			/^audienceId status createdAt$/,
		],
		[
			'Simplify is not asked',
			{ simplify: false },
			/^audienceId pageId effectiveName .* archivedAt$/,
		],
	])('%s', async (_, parameters, fields) => {
		const { of } = await run({ ...list, ...parameters }, items(), { asTool: true });
		for (const item of [0, 1]) expect(Object.keys(of(item)[0]).join(' ')).toMatch(fields);
	});

	test('sends a JSON payload, never the agent’s item, and a new key with every call', async () => {
		const log = { resource: 'personLog', operation: 'create', source: 'agent', payload: '{"a":1}' };
		const keys = new Set<unknown>();
		for (const payloadMode of [undefined, 'json']) {
			await run({ ...log, ...(payloadMode && { payloadMode }) }, [{ secret: 1 }, { secret: 1 }], {
				asTool: true,
			});
			const bodies = stage.sandbox.requests.map(({ body }) => body as IDataObject);
			expect(bodies.map(({ payload }) => payload)).toEqual([{ a: 1 }, { a: 1 }]);
			for (const { idempotencyKey } of bodies) keys.add(idempotencyKey);
		}
		expect(keys.size).toBe(4);
		const { error } = await run({ ...log, payloadMode: 'inputItem' }, [{}, {}], { asTool: true });
		expect(error?.message).toContain('Payload must be one of json');
		expect(stage.sandbox.requests).toEqual([]);
	});
});

test('ignores options that are added but left blank', async () => {
	const options = {
		concurrency: '',
		maxRetries: null,
		pageSize: '',
		requestsPerSecond: '',
		timeout: '',
	};
	const { output, error } = await run(
		{ resource: 'person', operation: 'getAll', limit: 1, options } as INodeParameters,
		[{}, {}],
	);
	expect(error).toBeUndefined();
	expect(output).toHaveLength(2);
});
