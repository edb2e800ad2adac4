import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

test.each(['oldestFirst', 'newestFirst', 'shuffled'] as const)(
	'sessions are listed once with %s, while some are added',
	async (sessionOrder) => {
		sandbox.guesses.sessionOrder = sessionOrder;
		const { pages, sessions } = sandbox.store;
		const [{ pageId }] = pages.all();
		const known = sessions.of(pageId).map((each) => each.audienceSessionId);
		const ids: string[] = [];
		for (let query: object = { limit: 50 }; ; sandbox.store.addSessions(pageId, 1, {})) {
			const path = `/v0/pages/${pageId}/audience_sessions`;
			const { data } = await call(sandbox, 'GET', path, { query: { ...query } });
			ids.push(
				...data.items.map(
					({ audienceSessionId }: { audienceSessionId: string }) => audienceSessionId,
				),
			);
			if (!data.hasMore) break;
			query = { limit: 50, cursor: data.nextCursor };
		}
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(known));
		const starts = ids.map((id) => sessions.get(id)?.sessionStartedAt);
		const sorted = [...starts].sort();
		if (sessionOrder === 'newestFirst') sorted.reverse();
		if (sessionOrder === 'shuffled') expect(starts).not.toEqual(sorted);
		else expect(starts).toEqual(sorted);
	},
);
