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
import { email, linkedinProfileUrl, personName, phoneNumber } from '../contactFields';
import { listIdentities } from './identity';

export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create person log',
		description: "Write an entry into a person's log; a person who is not known yet is created",
		builderHint: {
			propertyHint:
				'Use this for forms and for contacts from a CRM: one input item is one entry. Give at least one of email, phoneNumber, linkedinProfileUrl and personId under person, else the entry belongs to nobody. Set payloadMode to json with an object in payload; the other modes are not there in an AI tool.',
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
				'Where the entry comes from, up to 100 characters: lower-case letters and digits, words joined by single hyphens',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'string',
			default: 'webhook',
			placeholder: 'e.g. contact-updated',
			description:
				'What happened, up to 100 characters: lower-case letters and digits, words joined by single hyphens',
		},
		{
			displayName: 'Person',
			name: 'person',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			description:
				'Who the entry is about: at least one of Person ID, Email, Phone Number and LinkedIn Profile URL. How the service finds a person from these is not documented; one who is not found is created.',
			options: [email, linkedinProfileUrl, personName, personId, phoneNumber],
		},
		{
			displayName: 'Payload',
			name: 'payloadMode',
			type: 'options',
			default: 'fields',
			displayOptions: { hide: { '@tool': [true] } },
			description: 'What the entry holds',
			options: [
				{ name: 'Using Fields Below', value: 'fields', description: 'Name the fields one by one' },
				{ name: 'Using JSON', value: 'json', description: 'Give an object' },
				{
					name: 'Whole Input Item',
					value: 'inputItem',
					description: 'Send everything that the input item holds',
				},
			],
		},
		{
			displayName: 'Payload',
			name: 'payloadMode',
			type: 'options',
			default: 'json',
			// An agent's input item is the whole conversation, and its rows of fields would share one value.
			displayOptions: { show: { '@tool': [true] } },
			description: 'What the entry holds',
			options: [{ name: 'Using JSON', value: 'json', description: 'Give an object' }],
		},
		{
			displayName: 'Payload Fields',
			name: 'payloadFields',
			type: 'assignmentCollection',
			default: {},
			displayOptions: { show: { payloadMode: ['fields'] } },
			description: 'The fields of the entry. A dot in a name is part of the name.',
		},
		{
			displayName: 'Payload JSON',
			name: 'payload',
			type: 'json',
			typeOptions: { rows: 5 },
			default: '{}',
			required: true,
			displayOptions: { show: { payloadMode: ['json'] } },
			description: 'The content of the entry as a JSON object, e.g. { "stage": "won" }',
		},
		{
			displayName: 'Idempotency Key',
			name: 'idempotency',
			type: 'options',
			default: 'auto',
			description:
				'A key by which the service can tell a repeated entry from a new one. What it does with a repeated key is not documented.',
			options: [
				{
					name: 'Automatic',
					value: 'auto',
					description:
						'One key per item and execution, as an AI tool per call: safe to send again after a lost connection',
				},
				{
					name: 'Custom',
					value: 'custom',
					description: 'A key of your own, e.g. the ID of the event',
					builderHint: {
						propertyHint: 'Choose this where the source has an ID of the event or record.',
					},
				},
				{
					name: 'From Content',
					value: 'content',
					description: 'The same entry always has the same key: for syncs that repeat',
					builderHint: {
						propertyHint:
							'Choose this for scheduled syncs that read the same records again, and for AI agents that may repeat a call.',
					},
				},
				{
					name: 'None',
					value: 'none',
					description: 'Send no key; a lost connection is then never tried again',
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
			description: 'The key of this entry, up to 255 characters',
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
				'holds no value for Person ID, Email, Phone Number or LinkedIn Profile URL, so the entry would belong to nobody',
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
	writesTo: ({ person }) => listIdentities(person),
});
