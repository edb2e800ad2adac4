import { offset } from '../../../api/paginate';
import { path } from '../../../api/path';
import { accountIdFormat, trimmedText } from '../../../parameters/checks';
import { accountId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';
import { activityShape } from '../../../records/activity';

export const getActivity = defineOperation({
	option: {
		name: 'Get Activity',
		value: 'getActivity',
		action: 'Get account activity',
		description: 'List the activity of an account',
	},
	properties: [
		accountId,
		{
			...filters,
			options: [
				// `sandbox/openapi.yaml` has both as strings and names no accepted values.
				{
					displayName: 'Include Deleted',
					name: 'includeDeleted',
					type: 'string',
					default: '',
					placeholder: 'e.g. true',
				},
				{
					displayName: 'Include Person Activity',
					name: 'includePersonActivity',
					type: 'string',
					default: '',
					placeholder: 'e.g. true',
				},
			],
		},
	],
	checks: {
		accountId: accountIdFormat,
		filters: { includeDeleted: trimmedText, includePersonActivity: trimmedText },
	},
	request: ({ accountId: id, filters }) => ({
		method: 'GET',
		path: path`/accounts/${id}/activity`,
		query: filters,
	}),
	paging: offset,
	shape: activityShape,
});
