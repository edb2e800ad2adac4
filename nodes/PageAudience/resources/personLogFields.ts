import type { INodeProperties } from 'n8n-workflow';
import { choiceField, textField } from '../../parameters/fields';
import { personId } from '../../parameters/locators';
import { ownOptions } from '../operation/sharedParameters';
import { email, linkedinProfileUrl, personName, phoneNumber } from './contactFields';

export const entryFields = [
	textField(
		'Source',
		'source',
		'Where the entry comes from. Use lowercase letters, digits and single hyphens, up to 100 characters.',
		{ placeholder: 'e.g. hubspot', required: true },
	),
	textField(
		'Type',
		'type',
		'What happened. Use lowercase letters, digits and single hyphens, up to 100 characters. Leave empty to send "webhook".',
		{ placeholder: 'e.g. contact-updated' },
	),
	{
		displayName: 'Person',
		name: 'person',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		description:
			'The person the entry is about. Add at least an email, phone number, LinkedIn URL or person ID: without any, the entry is linked to no one.',
		options: [email, linkedinProfileUrl, personName, personId, phoneNumber],
	},
	choiceField(
		'Payload',
		'payloadMode',
		'What to store in the entry',
		{
			fields: ['Using Fields Below', 'Enter the fields one by one'],
			json: ['Using JSON', 'Enter a JSON object'],
			inputItem: ['Whole Input Item', 'Send the complete input item'],
		},
		{ displayOptions: { hide: { '@tool': [true] } } },
	),
	// An agent's input item is the whole conversation, and all rows of fields would share one value.
	choiceField(
		'Payload',
		'payloadMode',
		'What to store in the entry',
		{ json: ['Using JSON', 'Enter a JSON object'] },
		{ displayOptions: { show: { '@tool': [true] } } },
	),
	{
		displayName: 'Payload Fields',
		name: 'payloadFields',
		type: 'assignmentCollection',
		default: {},
		displayOptions: { show: { payloadMode: ['fields'] } },
		description:
			"Fields to store. A dot in a name doesn't create a nested field. Of two fields with one name, the last is stored.",
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

/** By which key the service, and a later run, recognize the entry. */
export const keyFields = [
	// An agent decides itself what to write.
	choiceField(
		'Write',
		'write',
		'Which records to send',
		{
			all: ['Everything', 'Send every item'],
			changed: [
				'Only New or Changed Records',
				'Skip records that an earlier run has written. Use this for a nightly sync.',
				'Choose this for scheduled syncs that read the same records again. Do not put the node in a loop, and add no Remove Duplicates node.',
			],
		},
		{ displayOptions: { hide: { '@tool': [true] } } },
	),
	textField(
		'Record ID',
		'recordId',
		'ID of the record in its source, e.g. the contact in your CRM. With another Source or Type, it is another record.',
		{ placeholder: 'e.g. 4711', required: true, displayOptions: { show: { write: ['changed'] } } },
	),
	textField(
		'Record Version',
		'recordVersion',
		'Usually the time of the last change. The record is sent again when this value changes.',
		{
			placeholder: 'e.g. 2026-01-31T09:30:00Z',
			hint: 'Leave empty to compare what you send (recommended). A record that changes back is then skipped.',
			displayOptions: { show: { write: ['changed'] } },
		},
	),
	choiceField(
		'Idempotency Key',
		'idempotency',
		'Lets the service recognize an entry that it already has, for example after a retry',
		{
			auto: ['Automatic', 'A new key for each item and execution, the same in a retry'],
			custom: [
				'Custom',
				'Your own key, for example the ID of an event',
				'Choose this if the source has an ID for the event or record.',
			],
			content: [
				'From Content',
				'Same content, same key. For events that may arrive twice.',
				'Choose this for AI agents that may repeat a call. For scheduled syncs, set write to changed instead.',
			],
			none: ['None', "No key. The entry isn't resent after a lost connection."],
		},
		{ displayOptions: { hide: { write: ['changed'] } } },
	),
	textField('Custom Idempotency Key', 'idempotencyKey', 'Key of this entry, up to 255 characters', {
		placeholder: 'e.g. evt-4711',
		required: true,
		displayOptions: { show: { idempotency: ['custom'] }, hide: { write: ['changed'] } },
	}),
	{
		...ownOptions,
		options: [
			textField(
				'Start Over',
				'startOver',
				'Enter a new text to resend every record once, e.g. after you have corrected a field',
				{
					placeholder: 'e.g. corrected mapping',
					displayOptions: { show: { '/write': ['changed'] } },
				},
			),
		],
	},
] as const satisfies INodeProperties[];
