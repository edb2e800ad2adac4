import { byId, type Definition, get } from './case.mts';
import { requestLimits } from '../../groups.mts';

const pageId = byId('={{ $json.page }}');
const subscriptionId = byId('={{ $json.subscription }}');
const actionRow = {
	actionId: '={{ $json.actionId }}',
	purpose: '={{ $json.name }}',
	buttonTitle: '',
	actionType: 'link',
	url: '={{ $json.url }}',
};

export const pages: Definition[] = [
	{
		operation: 'page.create',
		parameters: {
			simplify: false,
			name: '={{ $json.name }}',
			brandId: '={{ $json.domain }}',
			pageContext: '={{ $json.email }}',
			actions: { action: [actionRow] },
			additionalFields: {
				headerActionId: '={{ $json.domain }}',
				metadata: { title: '={{ $json.name }}', keywords: '={{ [$json.name, "x"] }}' },
				pageType: 'custom',
			},
		},
		sends: ({ name, domain, email, actionId, url }) => ({
			request: 'POST /v0/pages',
			body: {
				name,
				brandId: domain,
				pageContext: email,
				pageType: 'custom',
				actions: [{ actionId, purpose: name, buttonTitle: '', actionType: 'link', url }],
				actionCardWidgets: [],
				scripts: [],
				metadata: { title: name, keywords: [name, 'x'] },
				headerActionId: domain,
			},
		}),
	},
	{
		operation: 'page.update',
		parameters: {
			simplify: false,
			pageId,
			updateFields: {
				fieldsToClear: ['headerActionId', 'scripts'],
				name: '={{ $json.name }}',
				pageContext: '',
			},
		},
		sends: (v) => ({
			request: `PATCH /v0/pages/${v.page}`,
			body: { name: v.name, headerActionId: null, scripts: [] },
		}),
	},
	{
		operation: 'page.search',
		parameters: { query: '={{ $json.query }}', limit: '={{ $json.limit }}' },
		sends: (v) => get('pages/search', { query: v.query, limit: v.limit }),
	},
	{
		operation: 'page.getAnalyticsSummary',
		parameters: {
			pageId,
			filters: { startDate: '={{ $json.from }}', endDate: '={{ $json.to }}' },
		},
		sends: (v) => get(`pages/${v.page}/analytics/summary`, v.span),
		adds: (v) => ({ pageId: v.page }),
	},
	{
		operation: 'pageLink.update',
		parameters: {
			pageLinkId: '={{ $json.link }}',
			updateFields: {
				fieldsToClear: ['tenantDomainId'],
				path: '={{ "/" + $json.domain }}',
				target: { value: { targetType: 'audience', audienceId: '={{ $json.audience }}' } },
			},
		},
		sends: (v) => ({
			request: `PATCH /v0/page_links/${v.link}`,
			body: {
				path: `/${v.domain}`,
				target: { targetType: 'audience', audienceId: v.audience },
				tenantDomainId: null,
			},
		}),
	},
	{
		operation: 'webhookSubscription.getAll',
		parameters: {
			options: requestLimits({ concurrency: 1, timeout: '={{ $json.limit * 10000 }}' }),
		},
		sends: () => get('webhook_subscriptions'),
	},
	{
		operation: 'webhookSubscription.get',
		parameters: { subscriptionId },
		sends: (v) => get(`webhook_subscriptions/${v.subscription}`),
	},
	{
		operation: 'webhookSubscription.update',
		parameters: {
			subscriptionId,
			updateFields: {
				url: '={{ $json.url }}',
				active: '={{ $json.on }}',
				events: '={{ $json.on ? ["form.enriched"] : "form.submitted, form.enriched" }}',
			},
		},
		sends: (v) => ({
			request: `PATCH /v0/webhook_subscriptions/${v.subscription}`,
			body: {
				url: v.url,
				active: v.on,
				events: v.on ? ['form.enriched'] : ['form.submitted', 'form.enriched'],
			},
		}),
	},
];
