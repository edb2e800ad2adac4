import { path } from '../../../api/path';
import { readItems } from '../../../api/response';
import { defineOperation } from '../../operation/operation';

export const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search pages',
		description: 'Find pages by their content, the best matches first',
		builderHint: {
			propertyHint:
				'The only operation that finds pages; its pageId is what audiences, sessions and analytics need.',
		},
	},
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. spring campaign',
			description: "The text to look for in the pages' own content",
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			default: 50,
			typeOptions: { minValue: 1, numberPrecision: 0 },
			description: 'Max number of results to return',
		},
	],
	request: ({ query, limit }) => ({
		method: 'GET',
		path: path`/pages/search`,
		query: { query, limit },
	}),
	records: readItems,
});
