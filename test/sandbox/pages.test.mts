import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';
import { page } from './endpoints.mts';

const sandbox = openSandbox();

const first = () => {
	const { pageId } = sandbox.store.pages.all()[0];
	return { pageId, path: `/v0/pages/${pageId}` };
};
const patch = (path: string, body: object) => call(sandbox, 'PATCH', path, { body });

test('returns every documented field of a created page, and finds it', async () => {
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

test('lists the best match first, and returns an empty list without a match', async () => {
	const search = (query: string) => call(sandbox, 'GET', '/v0/pages/search', { query: { query } });
	const { data } = await search('pricing finance');
	expect(data.items[0].name).toBe('Pricing for finance leaders');
	expect((await search('xylophone')).data).toEqual({ items: [] });
});

test('replaces the fields sent with PATCH page and keeps the others', async () => {
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

test('replaces the fields sent for a page link and keeps the others', async () => {
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

test('updates a subscription', async () => {
	const { subscriptionId } = sandbox.store.subscriptions.all()[2];
	const path = `/v0/webhook_subscriptions/${subscriptionId}`;
	const body = { url: 'https://hooks.example/n8n', events: ['form.enriched'], active: true };
	const { data } = await patch(path, body);
	expect(data).toMatchObject(body);
	expect((await call(sandbox, 'GET', path)).data).toEqual(data);
	expect((await call(sandbox, 'GET', '/v0/webhook_subscriptions')).data).toContainEqual(data);
});
