import type { Sandbox } from '../../sandbox/index.mts';
import type { Sent } from './calling.mts';

export interface Example extends Sent {
	operationId: string;
	method: string;
	path: string;
	status: number;
}

export const page = {
	actions: [{ purpose: 'Meet', buttonTitle: 'Book', actionType: 'link', url: 'https://a.example' }],
	actionCardWidgets: [],
	brandId: 'brand_northwind',
	name: 'Welcome',
	pageContext: 'For those who come back',
	pageType: 'custom',
	scripts: [],
};

/** A valid request for each endpoint. */
export function describeExamples({ store }: Sandbox): Example[] {
	const { pageId } = store.pages.all()[0];
	const { audienceId } = store.audiences.of(pageId)[0];
	const { accountId } = store.accounts.all()[0];
	const { personId } = store.persons.all()[0];
	const { audienceSessionId } = store.sessions.all()[0];
	const { pageLinkId } = store.pageLinks.all()[0];
	const { subscriptionId } = store.subscriptions.all()[0];
	const audience = `/v0/pages/${pageId}/audiences/${audienceId}`;
	const subscription = `/v0/webhook_subscriptions/${subscriptionId}`;
	const log = { source: 'website', type: 'form-filled', payload: { form: 'demo' }, personId };
	const period = { startDate: '2024-02-01T00:00:00Z', endDate: '2024-12-31T23:59:59.5+02:00' };
	const target = { targetType: 'audience', audienceId };
	const example = (
		operationId: string,
		request: string,
		sent: Sent = {},
		status = 200,
	): Example => {
		const [method, path] = request.split(' ');
		return { operationId, method, path, status, ...sent };
	};
	return [
		example('createPersonLog', 'POST /v0/person_logs', { body: log }, 201),
		example('createPerson', 'POST /v0/persons', { body: { name: 'Ada Lovelace' } }, 201),
		example('listPersons', 'GET /v0/persons', { query: { limit: 3 } }),
		example('searchPersons', 'GET /v0/persons/search', { query: { query: 'a', limit: 3 } }),
		example('createAccount', 'POST /v0/accounts', { body: { domain: 'new.example' } }),
		example('updateAccount', `PATCH /v0/accounts/${accountId}`, { body: { name: 'Renamed' } }),
		example('searchAccounts', 'GET /v0/accounts/search', {
			query: { query: 'a', includeEmptyOnly: 'false', limit: 3 },
		}),
		example('listAccountActivity', `GET /v0/accounts/${accountId}/activity`, {
			query: { includePersonActivity: 'true', includeDeleted: 'true', limit: 3, offset: 3 },
		}),
		example('createPage', 'POST /v0/pages', { body: page }, 201),
		example('updatePage', `PATCH /v0/pages/${pageId}`, { body: { headerActionId: null } }),
		example('searchPages', 'GET /v0/pages/search', { query: { query: 'demo', limit: 3 } }),
		example('listAudiences', `GET /v0/pages/${pageId}/audiences`, { query: { limit: 3 } }),
		example('updateAudience', `PATCH ${audience}`, { body: { customName: 'Spring' } }),
		example('archiveAudience', `DELETE ${audience}`),
		example('restoreAudience', `POST ${audience}/restore`, { body: {} }),
		example('listAudienceVersions', `GET ${audience}/versions`, {
			query: { include: 'all', limit: 3 },
		}),
		example('listAudienceSessions', `GET /v0/pages/${pageId}/audience_sessions`, {
			query: { ...period, limit: 3 },
		}),
		example('getPageAnalyticsSummary', `GET /v0/pages/${pageId}/analytics/summary`, {
			query: period,
		}),
		example(
			'listSessionInteractions',
			`GET /v0/audience_sessions/${audienceSessionId}/interactions`,
		),
		example('updatePageLink', `PATCH /v0/page_links/${pageLinkId}`, {
			body: { tenantDomainId: null, path: '/new', target },
		}),
		example('listWebhookSubscriptions', 'GET /v0/webhook_subscriptions'),
		example('getWebhookSubscription', `GET ${subscription}`),
		example('updateWebhookSubscription', `PATCH ${subscription}`, {
			body: { url: 'https://hooks.example/a', events: ['form.enriched'], active: true },
		}),
	];
}
