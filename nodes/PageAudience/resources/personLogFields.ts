import type { INodeProperties } from 'n8n-workflow';
import { choiceField, collectionField, groupField, textField } from '../../parameters/fields';
import { personId } from '../../parameters/locators';
import { ownOptions } from '../operation/sharedParameters';
import { email, linkedinProfileUrl, personName, phoneNumber } from './contactFields';

export const logFields = [
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
		...collectionField('Person', 'person', 'field'),
		// Nearly every entry has one.
		default: { email: '' },
		description:
			'Who the entry is about. Needs an email, phone number, LinkedIn URL or person ID. Remove all fields to link it to no one.',
		options: [
			{
				...email,
				description:
					'Email address of the person. Without an email, add another field. To link the entry to no one, remove all fields.',
			},
			linkedinProfileUrl,
			personName,
			personId,
			phoneNumber,
		],
	},
	choiceField(
		'Payload',
		'payloadMode',
		'What to store in the entry',
		{
			inputItem: ['Whole Input Item', 'Store all fields of the input item'],
			fields: ['Using Fields Below', 'Store only the fields that you choose'],
			json: ['Using JSON', 'Enter a JSON object'],
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
		description: "Fields to store in the entry. A dot in a name doesn't create a nested field.",
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
	{
		...ownOptions,
		options: [
			// By which key the service, and a later run, recognize the entry.
			groupField(
				'Duplicate Detection',
				'idempotency',
				'How the service can tell that an entry arrived twice (idempotency key). Without this option, a retry of an execution has the same key.',
				[
					choiceField(
						'Detect By',
						'mode',
						'What makes two entries the same (idempotency key). Without this option, only a retry of the same execution has the same key.',
						{
							custom: [
								'ID',
								'An ID that you enter, for example of the event or record',
								'Choose this if the source has an ID for the event or record.',
							],
							content: [
								'Content',
								'The same content has the same key',
								'Choose this for AI agents that may repeat a call. For scheduled syncs, set options.onlyNewOrChanged instead.',
							],
							auto: ['Execution', 'Only a retry of the same execution'],
							none: ['Nothing', "No key. The entry isn't resent after a lost connection."],
						},
					),
					textField(
						'Event or Record ID',
						'key',
						'By this ID, the service can recognize an entry that arrives again. Up to 255 characters.',
						{
							placeholder: 'e.g. evt-4711',
							required: true,
							displayOptions: { show: { mode: ['custom'] } },
						},
					),
				],
			),
			groupField(
				'Only New or Changed Records',
				'onlyNewOrChanged',
				'Skip records that an earlier execution has written. For a sync that reads the same records again.',
				[
					textField(
						'Record ID',
						'recordId',
						'ID of the record in its source, for example your CRM. Records that an earlier execution has written are skipped until they change.',
						{ placeholder: 'e.g. 4711', required: true },
					),
					textField(
						'Record Version',
						'recordVersion',
						'Usually the time of the last change. The record is sent again when this value changes.',
						{
							placeholder: 'e.g. 2026-01-31T09:30:00Z',
							hint: 'Leave empty to compare what you send (recommended)',
						},
					),
					textField(
						'Start Over',
						'startOver',
						'Enter a new text to resend every record once, e.g. after you have corrected a field',
						{ placeholder: 'e.g. corrected mapping' },
					),
				],
				{
					builderHint: {
						propertyHint:
							'Set this for scheduled syncs that read the same records again. Do not put the node in a loop, and add no Remove Duplicates node.',
					},
					// An agent decides itself what to write.
					displayOptions: { hide: { '@tool': [true] } },
				},
			),
		],
	},
] as const satisfies INodeProperties[];
