import { path } from '../../../api/path';
import { trimmedText } from '../../../parameters/checks';
import { accountSearchItemShape } from '../../../records/shapes';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';
import { includeEmptyOnly } from './fields';

export const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search accounts',
		description: 'Search accounts by name or domain',
	},
	properties: [
		{
			displayName: 'Query',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. example.com',
			description: 'Name or domain to search for',
		},
		{ ...filters, options: [includeEmptyOnly] },
	],
	checks: { filters: { includeEmptyOnly: trimmedText } },
	request: ({ query, filters }) => ({
		method: 'GET',
		path: path`/accounts/search`,
		query: { query, ...filters },
	}),
	paging: 'cursor',
	output: { shape: accountSearchItemShape },
});
