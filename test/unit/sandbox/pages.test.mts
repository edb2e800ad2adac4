import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { call } from './calling.mts';
import { page } from './endpoints.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const first = () => {
	const { pageId } = sandbox.store.pages.all()[0];
	return { path: `/v0/pages/${pageId}`, ...sandbox.store.audiences.of(pageId)[0] };
};
const patch = (path: string, body: object) => call(sandbox, 'PATCH', path, { body });

test('a created page answers every documented field and is found', async () => {
	const { pageType: _, ...withoutType } = page;
	const body = {
		...withoutType,
		name: 'Zebra crossing',
		actions: [{ url: 'u' }, { actionId: 'a2' }],
	};
	const { status, data } = await call(sandbox, 'POST', '/v0/pages', { body });
	expect(status).toBe(201);
	expect(data).toMatchObject({
		name: 'Zebra crossing',
		title: 'Zebra crossing',
		pageType: 'inbound',
		status: 'draft',
		footerLinks: [],
		audiencesCount: 0,
		archivedAt: null,
		deletedAt: null,
		actions: [
			{ actionIndex: 0, actionId: expect.stringMatching(/^action_/), url: 'u', purpose: '' },
			{ actionIndex: 1, actionId: 'a2' },
		],
	});
	expect(data).not.toHaveProperty('headerActionId');
	const found = await call(sandbox, 'GET', '/v0/pages/search', { query: { query: 'zebra' } });
	expect(found.data).toEqual({
		items: [{ pageId: data.pageId, name: 'Zebra crossing', audiencesCount: 0 }],
	});
});

test('the better match comes first, and nothing found is an empty list', async () => {
	const search = (query: string) => call(sandbox, 'GET', '/v0/pages/search', { query: { query } });
	const { data } = await search('pricing finance');
	expect(data.items[0].name).toBe('Pricing for finance leaders');
	expect((await search('xylophone')).data).toEqual({ items: [] });
});

test('PATCH page replaces what is sent and keeps the rest', async () => {
	const { path, pageId } = first();
	const before = structuredClone(sandbox.store.pages.get(pageId));
	const { data } = await patch(path, {
		actions: [{ purpose: 'Only one' }],
		scripts: [],
		headerActionId: null,
		metadata: { title: 'New title' },
		pageType: 'sales_deck',
	});
	expect(data).toMatchObject({ name: before?.name, title: 'New title', pageType: 'sales_deck' });
	expect(data.actions).toHaveLength(1);
	expect(data.scripts).toEqual([]);
	expect(data).not.toHaveProperty('headerActionId');
	expect(data.metadata).toEqual({
		title: 'New title',
		ogImageUrl: before?.metadata?.ogImageUrl,
		ogImageFileId: before?.metadata?.ogImageFileId,
		twitterImageUrl: before?.metadata?.twitterImageUrl,
		twitterImageFileId: before?.metadata?.twitterImageFileId,
	});
	expect(data.footerLinks).toEqual(before?.footerLinks);
});

test('an archived audience can be told from its list, and is what it was once restored', async () => {
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

test('PATCH audience overrides, and an empty text takes the override away', async () => {
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

test('the versions of an audience end with the latest', async () => {
	const { path, audienceId } = first();
	const audiences = await call(sandbox, 'GET', `${path}/audiences`);
	const query = { limit: 100 };
	const { data } = await call(sandbox, 'GET', `${path}/audiences/${audienceId}/versions`, {
		query,
	});
	expect(data.items[59]).toEqual(audiences.data.items[0].latestVersion);
	expect(audiences.data.items[0].publishedVersion.status).toBe('published');
});

test('startDate and endDate choose sessions, and the summary counts the same ones', async () => {
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

test('interactions are those of the session, and of an unknown one none', async () => {
	const session = sandbox.store.sessions.find(({ isBounce }) => !isBounce);
	const read = (id = '') => call(sandbox, 'GET', `/v0/audience_sessions/${id}/interactions`);
	const { data } = await read(session?.audienceSessionId);
	expect(data.found).toBe(true);
	expect(data.interactions.length).toBeGreaterThan(0);
	expect((await read('audsession_none')).data).toEqual({ found: false, interactions: [] });
});

test('a page link takes what is sent and keeps the rest', async () => {
	const { pageLinkId, target } = sandbox.store.pageLinks.all()[0];
	const { data } = await patch(`/v0/page_links/${pageLinkId}`, {
		tenantDomainId: null,
		target: { targetType: 'other' },
	});
	expect(data).toMatchObject({
		tenantDomainId: null,
		path: '/offer/1',
		target: { targetType: 'other', audienceId: target.audienceId },
	});
});

test('a PATCH of a subscription counts', async () => {
	const { subscriptionId } = sandbox.store.subscriptions.all()[2];
	const path = `/v0/webhook_subscriptions/${subscriptionId}`;
	const body = { url: 'https://hooks.example/n8n', events: ['form.enriched'], active: true };
	const { data } = await patch(path, body);
	expect(data).toMatchObject(body);
	expect((await call(sandbox, 'GET', path)).data).toEqual(data);
	expect((await call(sandbox, 'GET', '/v0/webhook_subscriptions')).data).toContainEqual(data);
});
