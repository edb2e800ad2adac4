import { offset } from '../../../api/paginate';
import { path } from '../../../api/path';
import { accountIdFormat, trimmedText } from '../../../parameters/checks';
import { accountId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';
import { activity } from './activity.shape';

export const getActivity = defineOperation({
	option: {
		name: 'Get Activity',
		value: 'getActivity',
		action: 'Get account activity',
		description: 'List what happened on an account',
	},
	properties: [
		accountId,
		{
			...filters,
			options: [
				// `spec/api.md` shows both as strings without their accepted values.
				{
					displayName: 'Include Deleted',
					name: 'includeDeleted',
					type: 'string',
					default: '',
					description: 'Sent as it is; the API does not document which values it accepts',
				},
				{
					displayName: 'Include Person Activity',
					name: 'includePersonActivity',
					type: 'string',
					default: '',
					description: 'Sent as it is; the API does not document which values it accepts',
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
	shape: activity,
});
