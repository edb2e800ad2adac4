import { path } from '../../../api/path';
import { length, nonBlank, trimmedText } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';
import { additionalFields } from '../collections';
import { warnOfDomain } from '../contactFields';

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create account',
		description: 'Create an account for a company domain',
	},
	properties: [
		{
			displayName: 'Domain',
			name: 'domain',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. example.com',
			description: 'Main domain of the company. It identifies the account.',
		},
		{
			...additionalFields,
			options: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Example Inc.',
					description: 'Company name, up to 255 characters',
				},
			],
		},
	],
	checks: { domain: trimmedText, additionalFields: { name: nonBlank(length(1, 255)) } },
	writes: { id: 'accountId', changes: ({ domain }) => [`account domain ${domain.toLowerCase()}`] },
	request: ({ domain, additionalFields }) => ({
		method: 'POST',
		path: path`/accounts`,
		body: { domain, ...additionalFields },
	}),
	warnings: ({ domain }) => warnOfDomain(domain),
});
