import { locate, type CasesOf } from '../case.mts';

export const sessionCases: CasesOf = (store) => {
	const [pageOne, pageTwo] = store.pages.all().map(({ pageId }) => pageId);
	const recorded = [...new Set(store.interactions.all().map((entry) => entry.audienceSessionId))];
	const [sessionOne, sessionTwo] = recorded;
	return [
		{
			endpoint: 'listAudienceSessions',
			parameters: {
				resource: 'audienceSession',
				operation: 'getAll',
				pageId: locate('page'),
				limit: '={{ $json.limit }}',
				simplify: false,
				filters: { startDate: '={{ $json.from }}' },
			},
			items: [
				{ page: pageOne, limit: 3, from: '2024-02-01T00:00:00Z' },
				{ page: pageTwo, limit: 2 },
			],
			requests: [
				{
					method: 'GET',
					path: `/v0/pages/${pageOne}/audience_sessions`,
					query: { startDate: '2024-02-01T00:00:00Z', limit: '3' },
				},
				{ method: 'GET', path: `/v0/pages/${pageTwo}/audience_sessions`, query: { limit: '2' } },
			],
			outputs: [
				{ read: `/v0/pages/${pageOne}/audience_sessions?startDate=2024-02-01T00:00:00Z&limit=3` },
				{ read: `/v0/pages/${pageTwo}/audience_sessions?limit=2` },
			],
		},
		{
			endpoint: 'listSessionInteractions',
			parameters: {
				resource: 'audienceSession',
				operation: 'getInteractions',
				audienceSessionId: '={{ $json.session }}',
			},
			items: [{ session: sessionOne }, { session: sessionTwo }],
			requests: [sessionOne, sessionTwo].map((id) => ({
				method: 'GET',
				path: `/v0/audience_sessions/${id}/interactions`,
			})),
			outputs: [
				{
					read: `/v0/audience_sessions/${sessionOne}/interactions`,
					added: { audienceSessionId: sessionOne },
				},
				{
					read: `/v0/audience_sessions/${sessionTwo}/interactions`,
					added: { audienceSessionId: sessionTwo },
				},
			],
		},
	];
};

export const pageLinkCases: CasesOf = (store) => {
	const [one, two] = store.pageLinks.all().map(({ pageLinkId }) => pageLinkId);
	const [first, second] = store.audiences.all().map(({ audienceId }) => audienceId);
	return [
		{
			endpoint: 'updatePageLink',
			parameters: {
				resource: 'pageLink',
				operation: 'update',
				pageLinkId: '={{ $json.link }}',
				updateFields: {
					path: '={{ $json.path }}',
					target: { value: { targetType: 'audience', audienceId: '={{ $json.audience }}' } },
				},
				fieldsToClear: ['tenantDomainId'],
			},
			items: [
				{ link: one, path: '/spring sale', audience: second },
				{ link: two, path: '/été', audience: first },
			],
			requests: [
				{
					method: 'PATCH',
					path: `/v0/page_links/${one}`,
					body: {
						path: '/spring sale',
						target: { targetType: 'audience', audienceId: second },
						tenantDomainId: null,
					},
				},
				{
					method: 'PATCH',
					path: `/v0/page_links/${two}`,
					body: {
						path: '/été',
						target: { targetType: 'audience', audienceId: first },
						tenantDomainId: null,
					},
				},
			],
			outputs: [
				{ record: { pageLinkId: one, path: '/spring sale', tenantDomainId: null } },
				{ record: { pageLinkId: two, path: '/été', tenantDomainId: null } },
			],
		},
	];
};
