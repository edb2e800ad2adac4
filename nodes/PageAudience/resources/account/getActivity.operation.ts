import { path } from '../../../api/path';
import { activityFilterChecks, activityFilters } from '../../../parameters/activityFilters';
import { accountIdFormat } from '../../../parameters/checks';
import { accountId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { filters } from '../collections';
import { activityShape } from '../../../records/shapes';

export const getActivity = defineOperation({
	option: {
		name: 'Get Activity',
		value: 'getActivity',
		action: 'Get account activity',
		description: 'List the activity of an account',
	},
	properties: [accountId, { ...filters, options: activityFilters }],
	checks: {
		accountId: accountIdFormat,
		filters: activityFilterChecks,
	},
	request: ({ accountId: id, filters }) => ({
		method: 'GET',
		path: path`/accounts/${id}/activity`,
		query: filters,
	}),
	paging: 'offset',
	output: { shape: activityShape },
});
