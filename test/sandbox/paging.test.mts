import { openSandbox } from '../openSandbox.mts';
import { call, examples } from './calling.mts';

const sandbox = openSandbox();

/** The IDs of a whole list, and its last page. */
async function readAll(path: string, limit: number, between = () => {}) {
	const ids: unknown[] = [];
	let cursor: string | undefined;
	for (;;) {
		const { data } = await call(sandbox, 'GET', path, { query: { limit, cursor } });
		ids.push(...data.items.map((item: object) => Object.values(item)[0]));
		expect(data.hasMore).toBe(typeof data.nextCursor === 'string');
		if (!data.hasMore) return { ids, last: data };
		cursor = data.nextCursor;
		between();
	}
}

/** The lists with a cursor. */
const lists = examples.filter(
	({ operationId, query }) =>
		query?.limit !== undefined && !/searchPages|listAccountActivity/.test(operationId),
);

test.each(lists)('$operationId returns each record once', async ({ operationId, path }) => {
	const { ids, last } = await readAll(path, 50);
	expect(ids.length).toBeGreaterThan(50);
	expect(new Set(ids).size).toBe(ids.length);
	expect(last.totalCount).toBe(ids.length);
	const isOptional = ['listAudiences', 'listAudienceVersions'].includes(operationId);
	expect(last.nextCursor).toBe(isOptional ? undefined : null);
	sandbox.guesses.endOfOptionalCursor = 'null';
	expect((await readAll(path, 100)).last.nextCursor).toBeNull();
});

test.each(['oldestFirst', 'newestFirst', 'shuffled'] as const)(
	'sessions are listed once with %s, while some are added',
	async (sessionOrder) => {
		sandbox.guesses.sessionOrder = sessionOrder;
		const [{ pageId }] = sandbox.store.pages.all();
		const path = `/v0/pages/${pageId}/audience_sessions`;
		const sessionStartedAt = '2024-03-08T12:00:00.000Z';
		const known = sandbox.store.sessions.of(pageId).map((each) => each.audienceSessionId);
		const { ids } = await readAll(path, 50, () => {
			sandbox.store.addSessions(pageId, 1, { sessionStartedAt });
		});
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(known));
		const starts = ids.map((id) => sandbox.store.sessions.get(String(id))?.sessionStartedAt);
		const sorted = [...starts].sort();
		if (sessionOrder === 'newestFirst') sorted.reverse();
		if (sessionOrder === 'shuffled') expect(starts).not.toEqual(sorted);
		else expect(starts).toEqual(sorted);
	},
);

test('pages the activity by offset', async () => {
	const [{ accountId }] = sandbox.store.accounts.all();
	const read = async (query: object) =>
		(await call(sandbox, 'GET', `/v0/accounts/${accountId}/activity`, { query: { ...query } }))
			.data;
	const first = await read({ limit: 100 });
	expect(first).toMatchObject({ hasMore: true, nextOffset: 100, totalCount: 260 });
	const last = await read({ limit: 100, offset: 200 });
	expect(last).toMatchObject({ hasMore: false, nextOffset: null });
	expect(last.items).toHaveLength(60);
	expect((await read({ includeDeleted: 'true' })).totalCount).toBe(265);
	expect((await read({ includePersonActivity: 'false' })).totalCount).toBeLessThan(260);
});

test.each([
	['/v0/persons', { cursor: 'YWZ0ZXI6LTE' }, 'not a valid cursor'],
	['/v0/persons', { limit: 0 }, 'from 1 to 100'],
	['/v0/pages/search', { limit: 101 }, 'from 1 to 100'],
])('%s rejects %j', async (path, query, message) => {
	const { status, data } = await call(sandbox, 'GET', path, { query });
	expect([status, data.message]).toEqual([400, expect.stringContaining(message)]);
});
