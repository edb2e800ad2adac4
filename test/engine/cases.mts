import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/index.mts';

/** What an item makes the node send: the raw query without `?`, and the body. */
export interface Sent {
	request: string;
	query?: string;
	body?: object;
}

/** One operation with two items that differ in every ID and value, and with one that is refused. */
export interface Case {
	operation: string;
	parameters: INodeParameters;
	items: [IDataObject, IDataObject];
	sends: [Sent, Sent];
	/** Changes to an item by which the node refuses it. */
	bad: IDataObject;
	/** The label of the parameter that is then named. */
	names: string;
}

const locator = (expression: string) => ({ __rl: true, mode: 'id', value: expression });
const accountId = locator('={{ $json.account }}');
const pageId = locator('={{ $json.page }}');
const audienceId = locator('={{ $json.audience }}');
const subscriptionId = locator('={{ $json.subscription }}');
const filters = { startDate: '={{ $json.from }}', endDate: '={{ $json.to }}' };
const limit = '={{ $json.limit }}';
const simplify = false;

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

function describeValues({ store }: Sandbox, i: 0 | 1) {
	const { pageId: page } = store.pages.all()[[0, 4][i]];
	return {
		page,
		account: store.accounts.all()[[0, 5][i]].accountId,
		person: store.persons.all()[i].personId,
		audience: store.audiences.of(page)[i].audienceId,
		session: store.sessions.of(page)[i].audienceSessionId,
		link: store.pageLinks.all()[i].pageLinkId,
		subscription: store.subscriptions.all()[i].subscriptionId,
		name: ['Ann Österreich', 'Bob 😀'][i],
		email: ['ann@one.example', 'bob@two.example'][i],
		domain: ['one.example', 'two.example'][i],
		phone: ['+49 1', '+43 2'][i],
		linkedin: ['https://www.linkedin.com/in/ann', 'https://www.linkedin.com/in/bob'][i],
		url: ['https://one.example/a', 'https://two.example/b'][i],
		query: ['a', 'e '][i],
		limit: [3, 4][i],
		from: ['2024-01-01', '2024-02-01T06:00:00+02:00'][i],
		to: ['2024-12-31T23:00:00', '2025-01-31'][i],
		flag: ['false', 'maybe & more'][i],
		count: [4, 0][i],
		on: [false, true][i],
		actionId: ['', 'action_2'][i],
	};
}

export function describeCases(sandbox: Sandbox): Case[] {
	const values = [describeValues(sandbox, 0), describeValues(sandbox, 1)] as const;
	const each = (make: (value: (typeof values)[0], i: number) => Sent): [Sent, Sent] => [
		make(values[0], 0),
		make(values[1], 1),
	];
	const encoded = { from: ['2024-01-01T00%3A00%3A00Z', '2024-02-01T06%3A00%3A00%2B02%3A00'] };
	const span = (i: number) =>
		`endDate=${['2024-12-31T23%3A00%3A00Z', '2025-01-31T00%3A00%3A00Z'][i]}&startDate=${encoded.from[i]}`;
	const audienceAt = (v: (typeof values)[0]) => `/v0/pages/${v.page}/audiences/${v.audience}`;
	const items: Case['items'] = [{ ...values[0] }, { ...values[1] }];
	const define = (
		operation: string,
		parameters: INodeParameters,
		[bad, names]: [IDataObject, string],
		sends: [Sent, Sent],
	): Case => {
		const [resource, name] = operation.split('.');
		const own = { resource, operation: name, options: { concurrency: 1 }, ...parameters };
		return { operation, parameters: own, items, bad, names, sends };
	};
	const noLimit: [IDataObject, string] = [{ limit: 0 }, 'Limit'];
	const noPage: [IDataObject, string] = [{ page: '..' }, 'Page'];
	const noAudience: [IDataObject, string] = [{ audience: '' }, 'Audience'];
	return [
		define(
			'person.create',
			{
				name: '={{ $json.name }}',
				additionalFields: {
					email: '={{ $json.email }}',
					domain: '={{ $json.domain }}',
					phoneNumber: '={{ $json.phone }}',
					linkedinProfileUrl: '={{ $json.linkedin }}',
				},
			},
			[{ name: '' }, 'Name'],
			each(({ name, email, domain, phone, linkedin }) => ({
				request: 'POST /v0/persons',
				body: { name, email, domain, phoneNumber: phone, linkedinProfileUrl: linkedin },
			})),
		),
		define(
			'person.getAll',
			{ limit },
			noLimit,
			each((v) => ({
				request: 'GET /v0/persons',
				query: `limit=${v.limit}`,
			})),
		),
		define(
			'person.search',
			{ query: '={{ $json.query }}', limit },
			noLimit,
			each((v) => ({
				request: 'GET /v0/persons/search',
				query: `query=${encodeURIComponent(v.query)}&limit=${v.limit}`,
			})),
		),
		define(
			'personLog.create',
			{
				source: 'crm',
				type: '={{ "type-" + $json.limit }}',
				person: { personId: locator('={{ $json.person }}'), email: '={{ $json.email }}' },
				payloadMode: 'fields',
				payloadFields: {
					assignments: [
						{ id: '1', name: 'count', value: '={{ $json.count }}', type: 'number' },
						{ id: '2', name: 'on', value: '={{ $json.on }}', type: 'boolean' },
						{ id: '3', name: 'a.b', value: '={{ $json.name }}', type: 'string' },
					],
				},
				idempotency: 'custom',
				idempotencyKey: '={{ $json.domain }}',
			},
			[{ person: 'x', email: '' }, 'Person > Person'],
			each((v) => ({
				request: 'POST /v0/person_logs',
				body: {
					source: 'crm',
					type: `type-${v.limit}`,
					payload: { count: v.count, on: v.on, 'a.b': v.name },
					personId: v.person,
					email: v.email,
					idempotencyKey: v.domain,
				},
			})),
		),
		define(
			'account.create',
			{ domain: '={{ $json.domain }}', additionalFields: { name: '={{ $json.name }}' } },
			[{ domain: ' ' }, 'Domain'],
			each(({ domain, name }) => ({ request: 'POST /v0/accounts', body: { domain, name } })),
		),
		define(
			'account.update',
			{ accountId, name: '={{ $json.name }}' },
			[{ name: 'x'.repeat(256) }, 'Name'],
			each((v) => ({ request: `PATCH /v0/accounts/${v.account}`, body: { name: v.name } })),
		),
		define(
			'account.search',
			{ query: '={{ $json.query }}', limit, filters: { includeEmptyOnly: '={{ $json.flag }}' } },
			noLimit,
			each((v) => ({
				request: 'GET /v0/accounts/search',
				query: `query=${encodeURIComponent(v.query)}&includeEmptyOnly=${encodeURIComponent(v.flag)}&limit=${v.limit}`,
			})),
		),
		define(
			'account.getActivity',
			{
				accountId,
				limit,
				simplify,
				filters: { includePersonActivity: '={{ $json.flag }}', includeDeleted: ' true ' },
			},
			[{ account: 'account_1' }, 'Account'],
			each((v) => ({
				request: `GET /v0/accounts/${v.account}/activity`,
				query: `includeDeleted=true&includePersonActivity=${encodeURIComponent(v.flag)}&limit=${v.limit}`,
			})),
		),
		define(
			'page.create',
			{
				name: '={{ $json.name }}',
				brandId: '={{ $json.domain }}',
				pageContext: '={{ $json.email }}',
				pageType: 'custom',
				actions: { action: [actionRow] },
				metadata: { title: '={{ $json.name }}', keywords: '={{ [$json.name, "x"] }}' },
				additionalFields: { headerActionId: '={{ $json.domain }}' },
			},
			[{ name: '' }, 'Name'],
			each((v) => ({
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
			})),
		),
		define(
			'page.update',
			{
				pageId,
				updateFields: { name: '={{ $json.name }}', pageContext: '' },
				fieldsToClear: ['headerActionId', 'scripts'],
			},
			noPage,
			each((v) => ({
				request: `PATCH /v0/pages/${v.page}`,
				body: { name: v.name, headerActionId: null, scripts: [] },
			})),
		),
		define(
			'page.search',
			{ query: '={{ $json.query }}', limit },
			noLimit,
			each((v) => ({
				request: 'GET /v0/pages/search',
				query: `query=${encodeURIComponent(v.query)}&limit=${v.limit}`,
			})),
		),
		define(
			'page.getAnalyticsSummary',
			{ pageId, filters },
			[{ from: 'soon' }, 'Filters > Start Date'],
			each((v, i) => ({
				request: `GET /v0/pages/${v.page}/analytics/summary`,
				query: span(i),
			})),
		),
		define(
			'audience.getAll',
			{ pageId, limit, simplify },
			noPage,
			each((v) => ({
				request: `GET /v0/pages/${v.page}/audiences`,
				query: `limit=${v.limit}`,
			})),
		),
		define(
			'audience.update',
			{
				pageId,
				audienceId,
				updateFields: { customName: '={{ $json.name }}', actionUrlOverride: '={{ $json.url }}' },
				metadataOverride: { robots: '={{ "index, " + $json.domain }}' },
				fieldsToClear: ['supplementaryContext'],
			},
			noAudience,
			each((v) => ({
				request: `PATCH ${audienceAt(v)}`,
				body: {
					customName: v.name,
					actionUrlOverride: v.url,
					metadataOverride: { robots: ['index', v.domain] },
					supplementaryContext: '',
				},
			})),
		),
		define(
			'audience.archive',
			{ pageId, audienceId },
			noAudience,
			each((v) => ({
				request: `DELETE ${audienceAt(v)}`,
			})),
		),
		define(
			'audience.restore',
			{ pageId, audienceId },
			noAudience,
			each((v) => ({
				request: `POST ${audienceAt(v)}/restore`,
				body: {},
			})),
		),
		define(
			'audience.getVersions',
			{ pageId, audienceId, limit, simplify, filters: { include: '={{ $json.flag }}' } },
			noAudience,
			each((v) => ({
				request: `GET ${audienceAt(v)}/versions`,
				query: `include=${encodeURIComponent(v.flag)}&limit=${v.limit}`,
			})),
		),
		define(
			'audienceSession.getAll',
			{ pageId, limit, simplify, filters },
			[{ to: 'x' }, 'Filters > End Date'],
			each((v, i) => ({
				request: `GET /v0/pages/${v.page}/audience_sessions`,
				query: `${span(i)}&limit=${v.limit}`,
			})),
		),
		define(
			'audienceSession.getInteractions',
			{ audienceSessionId: '={{ $json.session }}' },
			[{ session: '' }, 'Audience Session ID'],
			each((v) => ({ request: `GET /v0/audience_sessions/${v.session}/interactions` })),
		),
		define(
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
			each((v) => ({
				request: `PATCH /v0/page_links/${v.link}`,
				body: {
					path: `/${v.domain}`,
					target: { targetType: 'audience', audienceId: v.audience },
					tenantDomainId: null,
				},
			})),
		),
		define(
			'webhookSubscription.getAll',
			{ options: { concurrency: 1, timeout: '={{ $json.limit * 10000 }}' } },
			[{ limit: 0 }, 'Options > Timeout'],
			each(() => ({ request: 'GET /v0/webhook_subscriptions' })),
		),
		define(
			'webhookSubscription.get',
			{ subscriptionId },
			[{ subscription: null }, 'Webhook Subscription'],
			each((v) => ({ request: `GET /v0/webhook_subscriptions/${v.subscription}` })),
		),
		define(
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
			each((v) => ({
				request: `PATCH /v0/webhook_subscriptions/${v.subscription}`,
				body: {
					url: v.url,
					active: v.on,
					events: v.on ? ['form.enriched'] : ['form.submitted', 'form.enriched'],
				},
			})),
		),
	];
}
