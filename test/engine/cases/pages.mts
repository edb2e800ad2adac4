import type { IDataObject } from 'n8n-workflow';
import type { Case, Cases } from './case.mts';

const locator = (expression: string) => ({ __rl: true, mode: 'id', value: expression });
const pageId = locator('={{ $json.page }}');
const subscriptionId = locator('={{ $json.subscription }}');
const filters = { startDate: '={{ $json.from }}', endDate: '={{ $json.to }}' };
const limit = '={{ $json.limit }}';
const noLimit: [IDataObject, string] = [{ limit: 0 }, 'Limit'];
const noPage: [IDataObject, string] = [{ page: '..' }, 'Page'];
const actionRow = {
	actionId: '={{ $json.actionId }}',
	purpose: '={{ $json.name }}',
	buttonTitle: '',
	actionType: 'link',
	url: '={{ $json.url }}',
};
const action = (actionId: string | undefined, name: string, url: string) => ({
	...(actionId && { actionId }),
	purpose: name,
	buttonTitle: '',
	actionType: 'link',
	url,
});

export function describePages(cases: Cases): Case[] {
	return [
		cases.define(
			'page.create',
			{
				simplify: false,
				name: '={{ $json.name }}',
				brandId: '={{ $json.domain }}',
				pageContext: '={{ $json.email }}',
				pageType: 'custom',
				actions: { action: [actionRow] },
				metadata: { title: '={{ $json.name }}', keywords: '={{ [$json.name, "x"] }}' },
				additionalFields: { headerActionId: '={{ $json.domain }}' },
			},
			[{ name: '' }, 'Name'],
			(v) => ({
				request: 'POST /v0/pages',
				body: {
					name: v.name,
					brandId: v.domain,
					pageContext: v.email,
					pageType: 'custom',
					actions: [action(v.actionId, v.name, v.url)],
					actionCardWidgets: [],
					scripts: [],
					metadata: { title: v.name, keywords: [v.name, 'x'] },
					headerActionId: v.domain,
				},
			}),
		),
		cases.define(
			'page.update',
			{
				simplify: false,
				pageId,
				updateFields: { name: '={{ $json.name }}', pageContext: '' },
				fieldsToClear: ['headerActionId', 'scripts'],
			},
			noPage,
			(v) => ({
				request: `PATCH /v0/pages/${v.page}`,
				body: { name: v.name, headerActionId: null, scripts: [] },
			}),
		),
		cases.define('page.search', { query: '={{ $json.query }}', limit }, noLimit, (v) => ({
			request: 'GET /v0/pages/search',
			query: `query=${encodeURIComponent(v.query)}&limit=${v.limit}`,
		})),
		cases.define(
			'page.getAnalyticsSummary',
			{ pageId, filters },
			[{ from: 'soon' }, 'Filters > Start Date'],
			(v) => ({
				request: `GET /v0/pages/${v.page}/analytics/summary`,
				query: v.span,
			}),
		),
		cases.define(
			'pageLink.update',
			{
				pageLinkId: '={{ $json.link }}',
				updateFields: {
					path: '={{ "/" + $json.domain }}',
					target: { value: { targetType: 'audience', audienceId: '={{ $json.audience }}' } },
				},
				fieldsToClear: ['tenantDomainId'],
			},
			[{ link: ' ' }, 'Page Link ID'],
			(v) => ({
				request: `PATCH /v0/page_links/${v.link}`,
				body: {
					path: `/${v.domain}`,
					target: { targetType: 'audience', audienceId: v.audience },
					tenantDomainId: null,
				},
			}),
		),
		cases.define(
			'webhookSubscription.getAll',
			{ options: { concurrency: 1, timeout: '={{ $json.limit * 10000 }}' } },
			[{ limit: 0 }, 'Options > Timeout'],
			() => ({ request: 'GET /v0/webhook_subscriptions' }),
		),
		cases.define(
			'webhookSubscription.get',
			{ subscriptionId },
			[{ subscription: null }, 'Webhook Subscription'],
			(v) => ({ request: `GET /v0/webhook_subscriptions/${v.subscription}` }),
		),
		cases.define(
			'webhookSubscription.update',
			{
				subscriptionId,
				updateFields: {
					url: '={{ $json.url }}',
					active: '={{ $json.on }}',
					events: '={{ $json.on ? ["form.enriched"] : "form.submitted, form.enriched" }}',
				},
			},
			[{ url: '/hook' }, 'Update Fields > URL'],
			(v) => ({
				request: `PATCH /v0/webhook_subscriptions/${v.subscription}`,
				body: {
					url: v.url,
					active: v.on,
					events: v.on ? ['form.enriched'] : ['form.submitted', 'form.enriched'],
				},
			}),
		),
	];
}
