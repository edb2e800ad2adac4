import { readKey } from '../../api/request';
import { path } from '../../api/path';
import {
	type Check,
	InvalidValueError,
	kebabCase,
	length,
	nonBlank,
	personIdFormat,
	trimmedText,
} from '../../parameters/checks';
import { findInexact } from '../../parameters/json';
import { refuseItem } from '../../parameters/problem';
import { defineOperation, type Resource } from '../operation/operation';
import { contactChecks } from './contactFields';
import { identityFields, listIdentityKeys } from './identity';
import { chooseKey, entryFields, keyFields } from './personLogFields';

/** An expression writes every object within a text in the same way, so that all items would have one key. */
const ofOneRecord: Check = (value) => {
	if (value.includes('[object Object]'))
		throw new InvalidValueError('contains an object: choose one of its fields');
	return value.trim();
};

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
		idempotencyKey: (value) => length(1, 255)(ofOneRecord(value)),
		recordId: ofOneRecord,
		recordVersion: ofOneRecord,
		options: { startOver: trimmedText },
		person: {
			...contactChecks,
			personId: personIdFormat,
			name: nonBlank(length(1, 255)),
		},
	},
	writes: {
		id: 'personLogId',
		identifiedBy: 'recordId',
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
	request: ({ source, type = 'webhook', person, ...values }, { json, makeKey }) => {
		const isIdentified = (['personId', ...identityFields] as const).some((field) => person[field]);
		if (Object.keys(person).length > 0 && !isIdentified) {
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
			idempotencyKey: { type: 'string', value: (_, request) => readKey(request) },
			recordId: {
				type: 'string',
				requires: 'Write: Only What Was Not Written Before',
				value: ({ write, recordId }) => (write === 'changed' ? recordId : undefined),
			},
			alreadyWritten: {
				type: 'boolean',
				requires: 'Write: Only What Was Not Written Before',
				value: ({ write }) => (write === 'changed' ? false : undefined),
			},
		},
	},
});

export const personLog: Resource = {
	option: { name: 'Person Log', value: 'personLog' },
	operations: [create],
};
