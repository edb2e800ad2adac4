import { path } from '../../../api/path';
import { addAnswers, includeInteractions } from '../../../parameters/interactions';
import { pageId } from '../../../parameters/locators';
import { sessionShape } from '../../../records/shapes';
import { listInteractionFields } from '../../../records/interactions';
import { defineOperation } from '../../operation/operation';
import { ownOptions } from '../../operation/sharedParameters';
import { checkTimeSpan, dateFilters } from '../dateFilters';
import { interactionFields, withInteractions } from './withInteractions';

export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audience sessions',
		description: "List visits to a page's audiences",
		builderHint: {
			propertyHint:
				'For a regular export, let the periods overlap and match rows by audienceSessionId, because the API does not say whether the dates of the filter are inclusive. To read what visitors did, turn on includeInteractions. For their answers as fields, set options.addAnswers.',
		},
	},
	properties: [pageId, includeInteractions, dateFilters, { ...ownOptions, options: [addAnswers] }],
	request: ({ pageId: id, filters }) => ({
		method: 'GET',
		path: path`/pages/${id}/audience_sessions`,
		query: checkTimeSpan(filters),
	}),
	paging: 'cursor',
	completion: {
		fields: ({ includeInteractions: include, options }) =>
			listInteractionFields({ includeInteractions: include, addAnswers: options.addAnswers }),
		complete: withInteractions,
	},
	output: { shape: sessionShape, adds: interactionFields },
});
