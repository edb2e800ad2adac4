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
		description: "List visits to a page's audiences",
		builderHint: {
			propertyHint:
				'For a regular export, let the periods overlap and match rows by audienceSessionId, because the API does not say whether the dates of the filter are inclusive. To read what visitors did, connect audienceSession.getInteractions to the output.',
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
