import { hashContent } from '../../../api/canonical';
import { path } from '../../../api/path';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../../api/request';
import {
	kebabCase,
	length,
	nonBlank,
	personIdFormat,
	trimmedText,
} from '../../../parameters/checks';
import { personId } from '../../../parameters/locators';
import { refuseItem } from '../../../parameters/problem';
import { defineOperation } from '../../operation/operation';
import { doubtEmail, email, linkedinProfileUrl, personName, phoneNumber } from '../contactFields';
import { listIdentities } from './identity';

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create person log entry',
		description: "Add an entry to a person's log. People who are new are created.",
		builderHint: {
			propertyHint:
				'Use this for forms and CRM contacts: each input item becomes one entry. Set at least one of email, phoneNumber, linkedinProfileUrl and personId under person, or the entry is not linked to anyone. Set payloadMode to json and put an object in payload: an AI tool has no other mode.',
		},
	},
	properties: [
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
					'person.email': [{ _cnd: { exists: true } }],
					'person.linkedinProfileUrl': [{ _cnd: { exists: true } }],
					'person.personId': [{ _cnd: { exists: true } }],
					'person.phoneNumber': [{ _cnd: { exists: true } }],
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
		{
			displayName: 'Idempotency Key',
			name: 'idempotency',
			type: 'options',
			default: 'auto',
			description: 'Key by which the service can recognize an entry that was sent before',
			options: [
				{
					name: 'Automatic',
					value: 'auto',
					description:
						'One key per item and execution (per call in an AI tool), so that an entry can be resent after a lost connection',
				},
				{
					name: 'Custom',
					value: 'custom',
					description: 'Your own key, for example the ID of an event',
					builderHint: {
						propertyHint: 'Choose this if the source has an ID for the event or record.',
					},
				},
				{
					name: 'From Content',
					value: 'content',
					description: 'The same entry always has the same key. Use this for recurring syncs.',
					builderHint: {
						propertyHint:
							'Choose this for scheduled syncs that read the same records again, and for AI agents that may repeat a call.',
					},
				},
				{
					name: 'None',
					value: 'none',
					description: 'Send no key. Requests are then not resent after a lost connection.',
				},
			],
		},
		{
			displayName: 'Custom Idempotency Key',
			name: 'idempotencyKey',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { idempotency: ['custom'] } },
			placeholder: 'e.g. evt-4711',
			description: 'Key of this entry, up to 255 characters',
		},
	],
	checks: {
		source: kebabCase,
		type: kebabCase,
		idempotencyKey: (value) => length(1, 255)(trimmedText(value)),
		person: {
			personId: personIdFormat,
			email: trimmedText,
			linkedinProfileUrl: trimmedText,
			name: nonBlank(length(1, 255)),
			phoneNumber: trimmedText,
		},
	},
	request: ({ source, type = 'webhook', person, ...values }, { json, makeKey }) => {
		if (Object.keys(person).length > 0 && listIdentities(person).length === 0) {
			refuseItem(
				'Person',
				'needs a Person ID, Email, Phone Number or LinkedIn Profile URL, or the entry is not linked to anyone',
			);
		}
		const payload = {
			fields: values.payloadFields,
			json: values.payload,
			inputItem: json,
		}[values.payloadMode ?? 'fields'];
		const entry = { source, type, payload: payload ?? {}, ...person };
		const idempotencyKey = {
			auto: makeKey,
			content: () => hashContent(entry),
			custom: () => values.idempotencyKey,
			none: () => undefined,
		}[values.idempotency]();
		return {
			method: 'POST',
			path: path`/person_logs`,
			body: { ...entry, idempotencyKey },
			repeatable: idempotencyKey !== undefined,
		};
	},
	additions: (_, { body }) =>
		isObject(body) && typeof body.idempotencyKey === 'string'
			? { idempotencyKey: body.idempotencyKey }
			: {},
	alreadyDone: ({ body }) => {
		const { source, type } = body as IDataObject;
		return { source, type, alreadyStored: true };
	},
	doubts: ({ person }) => doubtEmail(person.email),
	writesTo: ({ person }) => listIdentities(person),
});
