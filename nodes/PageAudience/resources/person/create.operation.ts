import { path } from '../../../api/path';
import { length, trimmedText } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create person',
		description: 'Create a person. The API can neither change nor delete one afterwards.',
	},
	properties: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Nathan Smith',
			description: 'The full name of the person, up to 255 characters',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Domain',
					name: 'domain',
					type: 'string',
					default: '',
					placeholder: 'e.g. example.com',
					description: 'The domain of the company that the person works for',
				},
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'name@email.com',
					description: 'The email address of the person',
				},
				{
					displayName: 'LinkedIn Profile URL',
					name: 'linkedinProfileUrl',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://www.linkedin.com/in/nathan-smith',
					description: 'The address of the LinkedIn profile of the person',
				},
				{
					displayName: 'Phone Number',
					name: 'phoneNumber',
					type: 'string',
					default: '',
					placeholder: 'e.g. +49 30 1234567',
					description: 'The phone number of the person, best with its country code',
				},
			],
		},
	],
	checks: {
		name: length(1, 255),
		additionalFields: {
			domain: trimmedText,
			email: trimmedText,
			linkedinProfileUrl: trimmedText,
			phoneNumber: trimmedText,
		},
	},
	request: ({ name, additionalFields }) => ({
		method: 'POST',
		path: path`/persons`,
		body: { name, ...additionalFields },
	}),
});
