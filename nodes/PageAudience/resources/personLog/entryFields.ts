import type { INodeProperties } from 'n8n-workflow';
import { personId } from '../../../parameters/locators';
import { email, linkedinProfileUrl, personName, phoneNumber } from '../contactFields';

/** What the entry is about, and what it contains. */
export const entryFields = [
	{
		displayName: 'Source',
		name: 'source',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. hubspot',
		description:
			'Where the entry comes from. Use lowercase letters, digits and single hyphens, up to 100 characters.',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'string',
		default: '',
		placeholder: 'e.g. contact-updated',
		description:
			'What happened. Use lowercase letters, digits and single hyphens, up to 100 characters. Leave empty to send "webhook".',
	},
	{
		displayName: 'Person',
		name: 'person',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		description:
			'The person the entry is about. Fill in at least one of Person ID, Email, Phone Number and LinkedIn Profile URL. The service creates a person it does not find.',
		options: [email, linkedinProfileUrl, personName, personId, phoneNumber],
	},
	{
		displayName:
			'Without a field under Person, the entry is not linked to anyone. Add an Email, LinkedIn Profile URL, Person ID or Phone Number.',
		name: 'personNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			hide: {
				'@tool': [true],
				'/person.email': [{ _cnd: { exists: true } }],
				'/person.linkedinProfileUrl': [{ _cnd: { exists: true } }],
				'/person.personId': [{ _cnd: { exists: true } }],
				'/person.phoneNumber': [{ _cnd: { exists: true } }],
			},
		},
	},
	{
		displayName: 'Payload',
		name: 'payloadMode',
		type: 'options',
		default: 'fields',
		displayOptions: { hide: { '@tool': [true] } },
		description: 'What the entry contains',
		options: [
			{ name: 'Using Fields Below', value: 'fields', description: 'Enter the fields one by one' },
			{ name: 'Using JSON', value: 'json', description: 'Enter a JSON object' },
			{
				name: 'Whole Input Item',
				value: 'inputItem',
				description: 'Send the complete input item',
			},
		],
	},
	{
		displayName: 'Payload',
		name: 'payloadMode',
		type: 'options',
		default: 'json',
		// An agent's input item is the whole conversation, and all rows of fields would share one value.
		displayOptions: { show: { '@tool': [true] } },
		description: 'What the entry contains',
		options: [{ name: 'Using JSON', value: 'json', description: 'Enter a JSON object' }],
	},
	{
		displayName: 'Payload Fields',
		name: 'payloadFields',
		type: 'assignmentCollection',
		default: {},
		displayOptions: { show: { payloadMode: ['fields'] } },
		description: 'Fields of the entry. A dot in a name does not create a nested field.',
	},
	{
		displayName: 'Payload JSON',
		name: 'payload',
		type: 'json',
		typeOptions: { rows: 5 },
		default: '{}',
		required: true,
		displayOptions: { show: { payloadMode: ['json'] } },
		description: 'Content of the entry as a JSON object, e.g. { "stage": "won" }',
	},
] as const satisfies INodeProperties[];
