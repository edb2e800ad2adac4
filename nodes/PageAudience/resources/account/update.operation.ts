import { path } from '../../../api/path';
import { accountIdFormat, length, nonBlank } from '../../../parameters/checks';
import { accountId } from '../../../parameters/locators';
import { defineOperation } from '../../operation/operation';
import { accountName } from './fields';

export const update = defineOperation({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update account',
		description: 'Change the name of an account',
	},
	properties: [
		accountId,
		{ ...accountName, required: true, description: 'New company name, up to 255 characters' },
	],
	checks: { accountId: accountIdFormat, name: nonBlank(length(1, 255)) },
	writes: { id: 'accountId', changes: ({ accountId: id }) => [`account ${id}`] },
	request: ({ accountId: id, name }) => ({
		method: 'PATCH',
		path: path`/accounts/${id}`,
		body: { name },
	}),
});
