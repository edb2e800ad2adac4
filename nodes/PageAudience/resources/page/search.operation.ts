import { path } from '../../../api/path';
import { readItems } from '../../../api/response';
import { defineOperation } from '../../operation/operation';

export const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search pages',
		description: 'Search pages by their content, best matches first',
		builderHint: {
			propertyHint:
				'The only operation that finds pages. Audiences, sessions and analytics need the pageId that it returns.',
		},
	},
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. spring campaign',
			description: 'Text to search for in the content of pages',
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
