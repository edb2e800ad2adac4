import { path } from '../../../api/path';
import { length, nonBlank } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';
import { additionalFields } from '../collections';
import { exactDomain } from './domain';
import { accountName, domain } from './fields';

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create account',
		description: 'Create an account for a company domain',
	},
	properties: [domain, { ...additionalFields, options: [accountName] }],
	checks: { domain: exactDomain, additionalFields: { name: nonBlank(length(1, 255)) } },
	writes: {
		id: 'accountId',
		changes: (values) => [`account domain ${values.domain.toLowerCase()}`],
	},
	request: (values) => ({
		method: 'POST',
		path: path`/accounts`,
		body: { domain: values.domain, ...values.additionalFields },
	}),
});
