import { path } from '../../../api/path';
import { personShape } from '../../../records/shapes';
import { defineOperation } from '../../operation/operation';

export const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search persons',
		description: 'Search people by text',
	},
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. smith',
			description: 'Text to search for',
		},
	],
	request: ({ query }) => ({ method: 'GET', path: path`/persons/search`, query: { query } }),
	paging: 'cursor',
	output: { shape: personShape },
});
