import { cursor } from '../../../api/paginate';
import { path } from '../../../api/path';
import { trimmedText } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';

export const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search accounts',
		description: 'Find accounts by name or domain',
	},
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. example.com',
			description: 'The name or domain to look for',
		},
		{
			...filters,
			options: [
				{
					displayName: 'Include Empty Only',
					name: 'includeEmptyOnly',
					type: 'string',
					default: '',
					// `spec/api.md` shows a string without its accepted values.
					description: 'Sent as it is; the API does not document which values it accepts',
				},
			],
		},
	],
	checks: { filters: { includeEmptyOnly: trimmedText } },
	request: ({ query, filters }) => ({
		method: 'GET',
		path: path`/accounts/search`,
		query: { query, ...filters },
	}),
	paging: cursor,
});
