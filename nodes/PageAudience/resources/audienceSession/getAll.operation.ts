import { cursor } from '../../../api/paginate';
import { path } from '../../../api/path';
import { pageId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { checkTimeSpan, dateFilters } from '../dateFilters';
import { sessionShape } from './session.shape';

export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audience sessions',
		description: 'List the visits of the audiences of a page',
		builderHint: {
			propertyHint:
				'For a regular export let the time spans overlap and match rows by audienceSessionId: whether the edges of the filter count is not documented. Feed the output into audienceSession.getInteractions for what visitors did.',
		},
	},
	properties: [pageId, dateFilters],
	request: ({ pageId: id, filters }) => ({
		method: 'GET',
		path: path`/pages/${id}/audience_sessions`,
		query: checkTimeSpan(filters),
	}),
	paging: cursor,
	shape: sessionShape,
});
