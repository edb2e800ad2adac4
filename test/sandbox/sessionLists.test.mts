import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const firstPage = () => sandbox.store.pages.all()[0].pageId;
const startOf = (audienceSessionId: string): string =>
	sandbox.store.sessions.get(audienceSessionId)?.sessionStartedAt ?? '';

/** The IDs of a whole listing. */
async function readAll(query: Record<string, string> = {}, between = () => {}): Promise<string[]> {
	const ids: string[] = [];
	let cursor: string | null = null;
	do {
		const sent = { ...query, limit: 50, ...(cursor === null ? {} : { cursor }) };
		const path = `/v0/pages/${firstPage()}/audience_sessions`;
		const { status, data } = await call(sandbox, 'GET', path, { query: sent });
		expect(status).toBe(200);
		for (const { audienceSessionId } of data.items) ids.push(audienceSessionId);
		cursor = data.nextCursor;
		between();
	} while (cursor !== null);
	expect(new Set(ids).size).toBe(ids.length);
	return ids;
}

const addLateSession = () =>
	sandbox.store.addSessions(firstPage(), 1, { sessionStartedAt: '2024-03-08T12:00:00.000Z' })[0];

test.each(['oldestFirst', 'newestFirst'] as const)('lists sessions with %s', async (order) => {
	sandbox.guesses.sessionOrder = order;
	const { audienceSessionId } = addLateSession();
	const ids = await readAll();
	const starts = ids.map(startOf);
	const sorted = [...starts].sort();
	expect(starts).toEqual(order === 'oldestFirst' ? sorted : sorted.reverse());
	expect(ids).toHaveLength(321);
	expect(ids.indexOf(audienceSessionId)).toBeGreaterThan(0);
	expect(ids.indexOf(audienceSessionId)).toBeLessThan(320);
});

test('shuffles sessions anew for each listing, and keeps the order within one', async () => {
	const inOrder = await readAll();
	sandbox.guesses.sessionOrder = 'shuffled';
	const [first, second] = [await readAll(), await readAll()];
	expect(first).not.toEqual(inOrder);
	expect(second).not.toEqual(first);
	expect([...first].sort()).toEqual([...inOrder].sort());
	expect([...second].sort()).toEqual([...inOrder].sort());
});

test.each(['oldestFirst', 'newestFirst', 'shuffled'] as const)(
	'loses and repeats no session when some are added during a listing with %s',
	async (order) => {
		const known = await readAll();
		sandbox.guesses.sessionOrder = order;
		const ids = await readAll({}, () => void addLateSession());
		expect(ids).toEqual(expect.arrayContaining(known));
	},
);

test.each([
	['included', 3],
	['excluded', 1],
	['endExcluded', 2],
] as const)('treats the edges of a period as %s', async (sessionDateEdges, count) => {
	sandbox.guesses.sessionDateEdges = sessionDateEdges;
	const starts = sandbox.store.sessions.of(firstPage()).map((session) => session.sessionStartedAt);
	const query = { startDate: starts[4], endDate: starts[6] };
	expect(await readAll(query)).toHaveLength(count);
	const summary = await call(sandbox, 'GET', `/v0/pages/${firstPage()}/analytics/summary`, {
		query,
	});
	expect(summary.data.totalSessions).toBe(count);
	expect((await readAll({ startDate: starts[4] })).length).toBe(
		sessionDateEdges === 'excluded' ? 315 : 316,
	);
});
