import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

/** The IDs of a whole list. */
async function readAll(path: string, limit: number, between = () => {}) {
	const ids: unknown[] = [];
	let cursor: string | undefined;
	for (;;) {
		const { data } = await call(sandbox, 'GET', path, { query: { limit, cursor } });
		ids.push(...data.items.map((item: object) => Object.values(item)[0]));
		expect(data.hasMore).toBe(typeof data.nextCursor === 'string');
		if (!data.hasMore) {
			expect(data.nextCursor ?? null).toBeNull();
			return ids;
		}
		cursor = data.nextCursor;
		between();
	}
}

test.each([
	['/v0/persons', 240],
	['/v0/persons/search', 240],
	['/v0/accounts/search', 60],
	['/v0/pages/PAGE/audiences', 230],
	['/v0/pages/PAGE/audiences/AUDIENCE/versions', 60],
])('%s returns each of %d records once', async (template, count) => {
	const { pages, audiences } = sandbox.store;
	const [{ pageId }] = pages.all();
	const [{ audienceId }] = audiences.of(pageId);
	const ids = await readAll(template.replace('PAGE', pageId).replace('AUDIENCE', audienceId), 50);
	expect(new Set(ids).size).toBe(count);
});

test.each(['oldestFirst', 'newestFirst', 'shuffled'] as const)(
	'sessions are listed once with %s, while some are added',
	async (sessionOrder) => {
		sandbox.guesses.sessionOrder = sessionOrder;
		const { pages, sessions } = sandbox.store;
		const [{ pageId }] = pages.all();
		const sessionStartedAt = '2024-03-08T12:00:00.000Z';
		const known = sessions.of(pageId).map((each) => each.audienceSessionId);
		const ids = await readAll(`/v0/pages/${pageId}/audience_sessions`, 50, () => {
			sandbox.store.addSessions(pageId, 1, { sessionStartedAt });
		});
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(known));
		const starts = ids.map((id) => sessions.get(String(id))?.sessionStartedAt);
		const sorted = [...starts].sort();
		if (sessionOrder === 'newestFirst') sorted.reverse();
		if (sessionOrder === 'shuffled') expect(starts).not.toEqual(sorted);
		else expect(starts).toEqual(sorted);
	},
);

test('pages the activity by offset', async () => {
	const [{ accountId }] = sandbox.store.accounts.all();
	const read = async (query: Record<string, unknown>) =>
		(await call(sandbox, 'GET', `/v0/accounts/${accountId}/activity`, { query })).data;
	const first = await read({ limit: 100 });
	expect(first).toMatchObject({ hasMore: true, nextOffset: 100, totalCount: 260 });
	const last = await read({ limit: 100, offset: 200 });
	expect(last).toMatchObject({ hasMore: false, nextOffset: null });
	expect(last.items).toHaveLength(60);
	expect((await read({ includeDeleted: 'true' })).totalCount).toBe(265);
	expect((await read({ includePersonActivity: 'false' })).totalCount).toBeLessThan(260);
});
