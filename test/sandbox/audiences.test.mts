import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const first = () => {
	const { pageId } = sandbox.store.pages.all()[0];
	return { path: `/v0/pages/${pageId}`, ...sandbox.store.audiences.of(pageId)[0] };
};
const patch = (path: string, body: object) => call(sandbox, 'PATCH', path, { body });

test('shows an archived audience as such in its list, and restores its status', async () => {
	const { path, audienceId, status } = first();
	const archived = await call(sandbox, 'DELETE', `${path}/audiences/${audienceId}`);
	expect(archived.data).toMatchObject({ status: 'archived', archivedAt: expect.any(String) });
	const again = await call(sandbox, 'DELETE', `${path}/audiences/${audienceId}`);
	expect([again.status, again.data]).toEqual([200, archived.data]);
	const list = await call(sandbox, 'GET', `${path}/audiences`);
	expect(list.data.items[0]).toEqual(archived.data);
	const restored = await call(sandbox, 'POST', `${path}/audiences/${audienceId}/restore`, {
		body: {},
	});
	expect(restored.data).toMatchObject({ status, archivedAt: null });
});

test('overrides with PATCH audience, and removes an override with an empty string', async () => {
	const { path, audienceId, computedName } = first();
	const audience = `${path}/audiences/${audienceId}`;
	const body = { customName: 'Mine', metadataOverride: { title: 'Own', keywords: ['a'] } };
	const { data } = await patch(audience, body);
	expect(data).toMatchObject({
		...body,
		effectiveName: 'Mine',
		effectiveMetadata: body.metadataOverride,
	});
	expect(data.effectiveMetadata.ogImageUrl).toMatch(/^https:/);
	const cleared = await patch(audience, { customName: '' });
	expect(cleared.data).toMatchObject({ customName: null, effectiveName: computedName });
});

test('lists the latest version of an audience last', async () => {
	const { path, audienceId } = first();
	const audiences = await call(sandbox, 'GET', `${path}/audiences`);
	const query = { limit: 100 };
	const { data } = await call(sandbox, 'GET', `${path}/audiences/${audienceId}/versions`, {
		query,
	});
	expect(data.items[59]).toEqual(audiences.data.items[0].latestVersion);
	expect(audiences.data.items[0].publishedVersion.status).toBe('published');
});

test('filters sessions by startDate and endDate, and counts the same ones in the summary', async () => {
	const { path, pageId } = first();
	const sessions = sandbox.store.sessions.of(pageId);
	const query = {
		startDate: sessions[10].sessionStartedAt,
		endDate: sessions[19].sessionStartedAt,
	};
	const list = await call(sandbox, 'GET', `${path}/audience_sessions`, { query });
	expect(list.data.items).toEqual(sessions.slice(10, 20));
	expect(list.data.totalCount).toBe(10);
	const summary = await call(sandbox, 'GET', `${path}/analytics/summary`, { query });
	expect(summary.data).toMatchObject({ totalSessions: 10, bounceRate: 0.3 });
	const none = { startDate: '2031-01-01T00:00:00+14:00' };
	expect((await call(sandbox, 'GET', `${path}/analytics/summary`, { query: none })).data).toEqual({
		avgInteractionsPerSession: 0,
		avgScrollDepthPercentage: null,
		avgTimeSpentSeconds: null,
		bounceRate: 0,
		conversionRate: 0,
		formSubmitRate: 0,
		totalSessions: 0,
	});
});

test('returns the interactions of a session, and none for an unknown session', async () => {
	const session = sandbox.store.sessions.find(({ isBounce }) => !isBounce);
	const read = (id = '') => call(sandbox, 'GET', `/v0/audience_sessions/${id}/interactions`);
	const { data } = await read(session?.audienceSessionId);
	expect(data.found).toBe(true);
	expect(data.interactions.length).toBeGreaterThan(0);
	expect((await read('audsession_none')).data).toEqual({ found: false, interactions: [] });
});
