import { path } from '../../../api/path';
import { pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { checkTimeSpan, dateFilters } from '../dateFilters';

export const getAnalyticsSummary = defineOperation({
	option: {
		name: 'Get Analytics Summary',
		value: 'getAnalyticsSummary',
		action: 'Get page analytics summary',
		description: 'Get session, engagement and conversion figures of a page',
	},
	properties: [pageId, dateFilters],
	request: ({ pageId: id, filters }) => ({
		method: 'GET',
		path: path`/pages/${id}/analytics/summary`,
		query: checkTimeSpan(filters),
	}),
	additions: ({ pageId: id }) => ({ pageId: id }),
});
