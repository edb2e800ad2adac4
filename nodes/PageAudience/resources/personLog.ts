import type { IDataObject } from 'n8n-workflow';
import { at, readKey, POST } from '../../api/request';
import {
	type Check,
	describeNothing,
	kebabCase,
	length,
	trimmedText,
} from '../../parameters/checks';
import { findInexact } from '../../parameters/json';
import { ItemRefusedError, type LeftOut, refuseItem } from '../../parameters/problem';
import { wayOut } from '../../parameters/read';
import type { ValuesOf } from '../../parameters/values';
import { hashContent } from '../../runtime/canonical';
import { isAbsent } from '../../runtime/absent';
import { defineOperation, type Operation } from '../operation/operation';
import {
	cellChecks,
	type IdentityField,
	identityFields,
	leftOut as leftOutField,
	listIdentityKeys,
} from './contactFields';
import { logFields } from './personLogFields';

/** What tells records and versions apart. A text that says nothing is the same for all records that have none. */
export const syncText: Check = Object.assign(
	(given: string) => {
		const text = trimmedText(given);
		if (isAbsent(text, 'record')) throw describeNothing(text);
		return text;
	},
	{ asIs: (text: string) => text.trim() },
);

const longestKey = length(1, 255);

const keyText: Check = Object.assign((key: string) => longestKey(syncText(key)), {
	asIs: (key: string) => longestKey(key.trim()),
});

const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create person log entry',
	description: "Add an entry to a person's log, and create people who are new",
	forModels:
		'Use this for forms and CRM contacts: each input item becomes one entry. Set at least one of email, phoneNumber, linkedinProfileUrl and personId under person, or the entry is not linked to anyone. Set payloadMode to json and put an object in payload: an AI tool has no other mode.',
	properties: logFields,
	checks: {
		source: kebabCase,
		type: kebabCase,
		person: cellChecks('personLog'),
		options: {
			idempotency: { key: keyText },
			onlyNewOrChanged: { recordId: syncText, recordVersion: syncText, startOver: trimmedText },
		},
	},
	writes: {
		id: 'personLogId',
		identifiedBy: 'options.onlyNewOrChanged.value.recordId',
		outcomes: ['written', 'skipped'],
		changes: ({ person }) => listPeople(person),
		synced: ({ source, type = 'webhook', options }, request) => {
			const key = readKey(request);
			const recordId = readRecordId(options);
			if (recordId === undefined || key === undefined) return undefined;
			return {
				key,
				record: `record ${source} ${type} ${recordId}`,
				output: { recordId, source, type, idempotencyKey: key, alreadyWritten: true },
			};
		},
		alreadyStored: ({ source, type = 'webhook' }) => ({ source, type, alreadyStored: true }),
	},
	request: (
		{ source, type = 'webhook', person, ...values },
		{ json, makeIdempotencyKey, leftOut, hint },
	) => {
		if (Object.keys(person).length === 0)
			hint("The entry isn't linked to anyone, because nothing is added under Person.");
		else refuseUnidentified(person, leftOut);
		const payload = { fields: values.payloadFields, json: values.payload, inputItem: json }[
			values.payloadMode ?? 'inputItem'
		];
		const problem = values.payloadMode === 'inputItem' ? findInexact(json) : undefined;
		if (problem !== undefined) refuseItem('Payload', problem);
		const entry = { source, type, payload: payload ?? {}, ...person };
		const idempotencyKey = chooseKey(values.options, entry, () =>
			makeIdempotencyKey({ source, type, ...person }),
		);
		const request = POST(at.personLog`/person_logs`, { ...entry, idempotencyKey });
		return { ...request, repeatable: idempotencyKey !== undefined };
	},
	output: {
		adds: {
			idempotencyKey: { type: 'string', value: (_, request) => readKey(request) },
			recordId: {
				type: 'string',
				requires: 'Only New or Changed Records',
				value: ({ options }) => readRecordId(options),
			},
			leftOut: leftOutField,
			alreadyWritten: {
				type: 'boolean',
				requires: 'Only New or Changed Records',
				value: ({ options }) => (readRecordId(options) === undefined ? undefined : false),
			},
		},
	},
});

type Person = Partial<Record<IdentityField | 'personId' | 'name', string>>;

function listPeople(person: Person): string[] {
	return [...(person.personId ? [`person ${person.personId}`] : []), ...listIdentityKeys(person)];
}

/** @throws {ItemRefusedError} when nothing identifies the person, with what was left out */
function refuseUnidentified(person: Person, leftOut: readonly LeftOut[]): void {
	const isIdentified = person.personId ?? identityFields.some((field) => person[field]);
	if (isIdentified) return;
	const reasons = leftOut.map(
		({ parameter, message }) => `${parameter.split(' > ').at(-1)} ${message}`,
	);
	if (reasons.length === 0)
		refuseItem(
			'Person',
			"needs an email, phone number, LinkedIn URL or person ID. Otherwise, the entry isn't linked to anyone",
		);
	const reason = `has no usable email, phone number or LinkedIn URL: ${reasons.join(', ')}`;
	throw new ItemRefusedError([{ parameter: 'Person', message: reason + wayOut, reason }]);
}

type Options = ValuesOf<typeof logFields>['options'];

function readRecordId({ onlyNewOrChanged }: Options): string | undefined {
	return onlyNewOrChanged?.value?.recordId;
}

/**
 * @param entry what is sent, without the key
 * @param makeKey makes a key of this item in this execution
 * @returns undefined for an entry without a key
 * @throws {ItemRefusedError} for two rules at once
 */
function chooseKey(
	{ onlyNewOrChanged, idempotency }: Options,
	entry: IDataObject & { source: string; type: string },
	makeKey: () => string,
): string | undefined {
	const { mode = 'auto', key } = idempotency?.value ?? {};
	if (onlyNewOrChanged?.value) {
		if (idempotency?.value)
			refuseItem(
				'Options > Only New or Changed Records',
				'makes the idempotency key itself: remove Duplicate Detection',
			);
		const { recordId, recordVersion, startOver } = onlyNewOrChanged.value;
		const { source, type } = entry;
		// Without a Record Version, the content tells one version from another.
		const version = recordVersion === undefined ? { content: entry } : { version: recordVersion };
		return hashContent({ source, type, recordId, ...version, startOver });
	}
	return {
		auto: makeKey,
		content: () => hashContent(entry),
		custom: () => key,
		none: () => undefined,
	}[mode]();
}

export const personLog: Operation[] = [create];
