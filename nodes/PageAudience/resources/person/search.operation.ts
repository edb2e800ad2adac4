import { cursor } from '../../../api/paginate';
import { path } from '../../../api/path';
import { defineOperation } from '../../operation/operation';

export const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search persons',
		description: 'Find persons by a text',
	},
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. smith',
			// `spec/api.md` does not state which fields it matches.
			description: 'The text to look for. Which fields are searched is up to the service.',
		},
	],
	request: ({ query }) => ({ method: 'GET', path: path`/persons/search`, query: { query } }),
	paging: cursor,
});
