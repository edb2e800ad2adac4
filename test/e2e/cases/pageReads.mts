import type { CasesOf } from '../case.mts';
import { locate } from '../case.mts';

export const pageReadCases: CasesOf = (store) => {
	const [first, second] = store.pages.all().map(({ pageId }) => pageId);
	return [
		{
			endpoint: 'searchPages',
			parameters: {
				resource: 'page',
				operation: 'search',
				query: '={{ $json.words }}',
				limit: '={{ $json.limit }}',
			},
			items: [
				{ words: 'logistics teams', limit: 2 },
				{ words: 'demo', limit: 1 },
			],
			requests: [
				{
					method: 'GET',
					path: '/v0/pages/search',
					query: { query: 'logistics teams', limit: '2' },
				},
				{ method: 'GET', path: '/v0/pages/search', query: { query: 'demo', limit: '1' } },
			],
			outputs: [
				{ read: '/v0/pages/search?query=logistics%20teams&limit=2' },
				{ read: '/v0/pages/search?query=demo&limit=1' },
			],
		},
		{
			endpoint: 'getPageAnalyticsSummary',
			parameters: {
				resource: 'page',
				operation: 'getAnalyticsSummary',
				pageId: locate('page'),
				filters: { startDate: '={{ $json.from }}', endDate: '={{ $json.to }}' },
			},
			items: [
				{ page: first, from: '2024-01-01T00:00:00Z', to: '2024-12-31T23:59:59+01:00' },
				{ page: second },
			],
			requests: [
				{
					method: 'GET',
					path: `/v0/pages/${first}/analytics/summary`,
					query: { startDate: '2024-01-01T00:00:00Z', endDate: '2024-12-31T23:59:59+01:00' },
				},
				{ method: 'GET', path: `/v0/pages/${second}/analytics/summary` },
			],
			outputs: [
				{
					read: `/v0/pages/${first}/analytics/summary?startDate=2024-01-01T00:00:00Z&endDate=2024-12-31T22:59:59Z`,
					added: { pageId: first },
				},
				{ read: `/v0/pages/${second}/analytics/summary`, added: { pageId: second } },
			],
		},
	];
};
