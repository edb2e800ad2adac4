import { readKey } from '../../api/request';
import { path } from '../../api/path';
import { kebabCase, length, personIdFormat, trimmedText } from '../../parameters/checks';
import { findInexact } from '../../parameters/exactNumbers';
import { refuseItem } from '../../parameters/problem';
import { defineOperation, type Resource } from '../operation/operation';
import { listIdentityKeys, loggedPersonChecks, withoutPlaceholders } from './contactFields';
import { chooseKey, entryFields, keyFields } from './personLogFields';

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
	properties: [...entryFields, ...keyFields],
	checks: {
		source: kebabCase,
		type: kebabCase,
		idempotencyKey: (value) => length(1, 255)(trimmedText(value)),
		recordId: trimmedText,
		recordVersion: trimmedText,
		options: { startOver: trimmedText },
		person: { ...loggedPersonChecks, personId: personIdFormat },
	},
	writes: {
		id: 'personLogId',
		outcomes: ['written', 'skipped'],
		changes: ({ person, write, recordId, source, type = 'webhook' }) => [
			...(person.personId ? [`person ${person.personId}`] : []),
			...listIdentityKeys(person),
			...(write === 'changed' ? [`record ${source} ${type} ${recordId}`] : []),
		],
		synced: ({ write, recordId, source, type = 'webhook' }, request) => {
			const key = readKey(request);
			if (write !== 'changed' || key === undefined) return undefined;
			return {
				key,
				output: { recordId, source, type, idempotencyKey: key, alreadyWritten: true },
			};
		},
		alreadyStored: ({ source, type = 'webhook' }) => ({ source, type, alreadyStored: true }),
	},
	request: ({ source, type = 'webhook', person: given, ...values }, { json, makeKey }) => {
		const person = withoutPlaceholders(given);
		const payload = {
			fields: values.payloadFields,
			json: values.payload,
			inputItem: json,
		}[values.payloadMode ?? 'fields'];
		const problem = values.payloadMode === 'inputItem' ? findInexact(json) : undefined;
		if (problem !== undefined) refuseItem('Payload', problem);
		const entry = { source, type, payload: payload ?? {}, ...person };
		const idempotencyKey = chooseKey(values, entry, () => makeKey({ source, type, ...person }));
		return {
			method: 'POST',
			path: path`/person_logs`,
			body: { ...entry, idempotencyKey },
			repeatable: idempotencyKey !== undefined,
		};
	},
	output: {
		adds: {
			idempotencyKey: { type: 'string', from: (_, request) => readKey(request) },
			recordId: {
				type: 'string',
				with: 'Write: Only New or Changed Records',
				from: ({ write, recordId }) => (write === 'changed' ? recordId : undefined),
			},
			alreadyWritten: {
				type: 'boolean',
				with: 'Write: Only New or Changed Records',
				from: ({ write }) => (write === 'changed' ? false : undefined),
			},
		},
	},
});

export const personLog: Resource = {
	option: { name: 'Person Log', value: 'personLog' },
	operations: [create],
};
