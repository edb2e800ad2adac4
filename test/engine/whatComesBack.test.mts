import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo, type Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/* How lists are read and end, for every kind of service, is left to unit/api/paginate and properties/runs. */

const setup = setUpActionNode();
let pages: string[];
beforeEach(() => {
	pages = setup.sandbox.store.pages.all().map(({ pageId }) => pageId);
});
const twoPages = () => [{ page: pages[0] }, { page: pages[4] }];

const run = async (parameters: INodeParameters, items: IDataObject[], more: Partial<Run> = {}) => {
	setup.sandbox.requests.length = 0;
	const result = await setup.run(parameters, items, more);
	const of = (item: number) => linkedTo(result.output, item).map(({ json }) => json);
	return { ...result, of };
};

describe('a list', () => {
	const audiences = { resource: 'audience', operation: 'getAll', pageId: '={{ $json.page }}' };
	const idsOf = (page: string) =>
		setup.sandbox.store.audiences.of(page).map(({ audienceId }) => audienceId);

	test('is read to its end for each item', async () => {
		const { of, output } = await run(
			{ ...audiences, returnAll: true, options: requestLimits({ concurrency: 1 }) },
			twoPages(),
		);
		for (const [item, { page }] of twoPages().entries())
			expect(of(item).map(({ audienceId }) => audienceId)).toEqual(idsOf(page));
		expect(output).toHaveLength(230 + 7);
		// Of the first request the service says that it allows no more than 100 at once.
		const limits = setup.sandbox.requests.map(({ query }) => query.limit);
		expect(limits).toEqual(['1000', '100', '100', '100', '100']);
	});

	test('has 50 records at most unless told, and is cut to Limit if it has no pages', async () => {
		expect((await run(audiences, twoPages())).of(0)).toHaveLength(50);
		const body = { items: [1, 2, 3].map((n) => ({ n })) };
		setup.sandbox.faults.add({ kind: 'answer', body, times: 2 });
		const { output } = await run({ resource: 'page', operation: 'search', limit: 2 }, [{}, {}]);
		expect(output.map(({ json }) => json.n)).toEqual([1, 2, 1, 2]);
	});

	test('by offsets keeps its filters on every page, and has no record twice when it grows', async () => {
		const { accounts, activities } = setup.sandbox.store;
		const account = accounts.all()[0].accountId;
		const before = activities.of(account).map(({ activityId }) => activityId);
		const path = new RegExp(account);
		const answers = [before.slice(0, 90), ['new', ...before.slice(88, 150)]];
		for (const [page, ids] of answers.entries()) {
			const items = ids.map((activityId) => ({ activityId }));
			const body = { items, hasMore: page === 0, nextOffset: page === 0 ? 90 : null };
			setup.sandbox.faults.add({ path, kind: 'answer', body });
		}
		const parameters = { resource: 'account', operation: 'getActivity', returnAll: true };
		const options = { ...requestLimits({ pageSize: 90 }), includeDeleted: 'true' };
		const ids = [{ account }, { account: accounts.all()[1].accountId }];
		const { of } = await run({ ...parameters, accountId: '={{ $json.account }}', options }, ids);
		const read = of(0).map(({ activityId }) => activityId);
		expect(read).toEqual([...before.slice(0, 90), 'new', ...before.slice(90, 150)]);
		const asked = setup.sandbox.requests.filter((request) => request.path.includes(account));
		expect(asked.map(({ rawQuery }) => rawQuery)).toEqual([
			'includeDeleted=true&limit=90',
			'includeDeleted=true&offset=90&limit=90',
		]);
	});

	test('by a cursor has a record once, however often the service sends it', async () => {
		const [a, b] = [{ personId: 'a' }, { personId: 'b' }];
		const first = { items: [a], hasMore: true, nextCursor: 'c1', totalCount: 3 };
		for (const body of [first, { items: [a, b], hasMore: false }])
			setup.sandbox.faults.add({ kind: 'answer', status: 200, body });
		const list = { resource: 'person', operation: 'getAll', returnAll: true };
		const { output } = await run({ ...list, options: requestLimits({ pageSize: 9 }) }, [{}]);
		expect(output.map(({ json }) => json.personId)).toEqual(['a', 'b']);
		expect(setup.sandbox.requests[1].query).toEqual({ cursor: 'c1', limit: '9' });
	});
});

test.each<[what: string, parameters: INodeParameters, asTool: boolean, fields: RegExp]>([
	[
		'the most useful fields by default',
		{},
		false,
		/^audienceId pageId effectiveName .* archivedAt$/,
	],
	['all fields where a tool asks for them', { output: 'raw' }, true, /tenantId .*latestVersion/],
	[
		'its ID and the fields that a tool selects',
		{ output: 'selectedFields', outputFields: 'status' },
		true,
		/^audienceId status$/,
	],
])('a record has %s', async (_, parameters, asTool, fields) => {
	const list = { resource: 'audience', operation: 'getAll', pageId: '={{ $json.page }}', limit: 1 };
	const { of } = await run({ ...list, ...parameters }, twoPages(), { asTool });
	for (const item of [0, 1]) expect(Object.keys(of(item)[0]).join(' ')).toMatch(fields);
});

test('interactions of a session that was not found are told, and keep what the service sent', async () => {
	const own = setup.sandbox.store.sessions.of(pages[0]).slice(0, 2);
	const [first, other] = own.map(({ audienceSessionId: session }) => ({ session }));
	const body = { found: false, interactions: [{ label: 'a', audienceSessionId: 'its own' }] };
	setup.sandbox.faults.add({ kind: 'answer', body, path: new RegExp(other.session) });
	const read = { resource: 'audienceSession', operation: 'getInteractions' };
	const parameters = { ...read, audienceSessionId: '={{ $json.session }}' };
	const { of, hints } = await run(parameters, [first, other]);
	expect(of(1)).toEqual([{ label: 'a', audienceSessionId: 'its own' }]);
	expect(hints).toEqual([
		`The service did not find session ${other.session}. The output contains the interactions in its response, if any [item 1, counted from 0].`,
	]);
});

test('an AI tool sends a JSON payload, never the agent’s item, and a new key with every call', async () => {
	const log = {
		...{ resource: 'personLog', operation: 'create', source: 'agent' },
		...{ person: {}, payload: '{"a":1}' },
	};
	const keys = new Set<unknown>();
	for (let call = 0; call < 2; call++) {
		await run(log, [{ secret: 1 }, { secret: 1 }], { asTool: true });
		const bodies = setup.sandbox.requests.map(({ body }) => body as IDataObject);
		expect(bodies.map(({ payload }) => payload)).toEqual([{ a: 1 }, { a: 1 }]);
		for (const { idempotencyKey } of bodies) keys.add(idempotencyKey);
	}
	expect(keys.size).toBe(4);
	const { error } = await run({ ...log, payloadMode: 'inputItem' }, [{}, {}], { asTool: true });
	expect(error?.message).toContain('Payload must be one of json');
	expect(setup.received).toEqual([]);
});
