import type { IDataObject } from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { at } from '../../api/request';
import { namingText, quote } from '../../parameters/checks';
import { choiceField, textField } from '../../parameters/fields';
import { refuseItem } from '../../parameters/problem';
import { personShape } from '../../records/shapes';
import { ensureRecord } from '../operation/ensure';
import { defineOperation, type Resource } from '../operation/operation';
import { ownOptions } from '../operation/sharedParameters';
import { additionalFields } from './collections';
import {
	cellChecks,
	contactFields,
	email,
	linkedinProfileUrl,
	listIdentityKeys,
	personName,
	phoneNumber,
} from './contactFields';
import { type MatchValues, openPersonFinder, readTarget } from './personFinder';

const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create person',
		description:
			"Create a person. Use Create or Get to avoid duplicates: the API can't change or delete people.",
	},
	properties: [
		{ ...personName, required: true },
		{ ...additionalFields, options: contactFields },
	],
	checks: { ...cellChecks('person'), additionalFields: cellChecks('person') },
	writes: { id: 'personId' },
	request: ({ name, additionalFields }) => ({
		method: 'POST',
		...at.person`/persons`,
		body: { name, ...additionalFields },
	}),
});

const identityParameters = { email, linkedinProfileUrl, phoneNumber };

const createOrGet = defineOperation({
	option: {
		name: 'Create or Get',
		value: 'createOrGet',
		action: 'Create or get person',
		description: 'Find a person by email, LinkedIn profile URL or phone number, or create one',
		builderHint: {
			propertyHint:
				'Prefer this over Create: it creates a person only after confirming that none exists. To find people by what identifies them best, set matchOn.',
		},
	},
	properties: [
		choiceField('Match On', 'matchOn', 'The field that identifies the person', {
			email: 'Email',
			linkedinProfileUrl: 'LinkedIn Profile URL',
			phoneNumber: 'Phone Number',
		}),
		// A model sees labels only, and must tell these from the fields of a new person.
		{
			...email,
			displayName: 'Email to Match',
			required: true,
			displayOptions: { show: { matchOn: ['email'] } },
		},
		{
			...linkedinProfileUrl,
			displayName: 'LinkedIn Profile URL to Match',
			required: true,
			displayOptions: { show: { matchOn: ['linkedinProfileUrl'] } },
		},
		{
			...phoneNumber,
			displayName: 'Phone Number to Match',
			required: true,
			displayOptions: { show: { matchOn: ['phoneNumber'] } },
		},
		{
			...personName,
			required: true,
			description: 'Full name, up to 255 characters. Used only for new people.',
		},
		{
			...additionalFields,
			description: "Used only for new people. Existing people aren't changed.",
			options: contactFields,
		},
		{
			...ownOptions,
			options: [
				choiceField('Lookup', 'lookup', 'How to look for existing people', {
					auto: [
						'Auto',
						'For a single person, search first, and read the list of people only if no one is found. For several, read the list once. Recommended.',
					],
					list: ['List', 'Always read the whole list of people, once for all items'],
					search: [
						'Search',
						"Only search. Choose this if your service's search is reliable: everyone it doesn't find is created.",
					],
				}),
			],
		},
	],
	checks: { ...cellChecks('person'), additionalFields: cellChecks('person') },
	writes: {
		id: 'personId',
		changes: (values) => {
			const { matchOn, additionalFields } = values;
			return listIdentityKeys({ ...additionalFields, [matchOn]: readTarget(values).value });
		},
		outcomes: ['created', 'found'],
	},
	uses: ['GET /v0/persons/search', 'GET /v0/persons', 'POST /v0/persons'],
	request: (values) => {
		const { matchOn, name, additionalFields } = values;
		if (additionalFields[matchOn] !== undefined)
			refuseItem(
				`Additional Fields > ${identityParameters[matchOn].displayName}`,
				'is already set under Match On',
			);
		return {
			method: 'POST',
			...at.person`/persons`,
			body: { name, ...additionalFields, [matchOn]: readTarget(values).value },
		};
	},
	run: async (values, item) =>
		await ensureRecord(values, item, {
			id: 'personId',
			key: (wanted) => readTarget(wanted).key,
			keysOf: (person) => listIdentityKeys(person),
			openFinder: openPersonFinder,
			describeSeveral: (several) => ({
				what: `people have ${quote(readTarget(several).value)}`,
				otherwise: 'match on another field',
			}),
			// The API documents 201 for a new person. With 200, the service probably returns one who exists.
			existingStatus: 200,
			check: refuseOtherPerson,
		}),
	output: {
		adds: { outcome: { type: 'string' } },
		forTools: ['personId', 'name', 'email', 'phoneNumber', 'linkedinProfileUrl', 'outcome'],
	},
});

/** A service may find a person by any of the values that are sent. A field that a record does not have says nothing. */
function refuseOtherPerson(person: IDataObject, values: MatchValues): void {
	const { matchOn } = values;
	const { personId, [matchOn]: stored } = person;
	const { value, key } = readTarget(values);
	if (stored === undefined || listIdentityKeys(person, [matchOn]).includes(key)) return;
	throw new DescribedError(
		`The service returned another person for ${quote(value)}: ${String(personId)}, whose ${identityParameters[matchOn].displayName} is ${stored ? quote(String(stored)) : 'empty'}`,
		'The service may have found this person by a value under Additional Fields. Remove that value, or match on it.',
		{ personId },
	);
}

const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many persons',
		description: 'List people',
	},
	properties: [],
	request: () => ({ method: 'GET', ...at.person`/persons` }),
	paging: 'cursor',
	output: { shape: personShape },
});

const search = defineOperation({
	option: {
		name: 'Search',
		value: 'search',
		action: 'Search persons',
		description: 'Search people by text',
	},
	properties: [textField('Query', 'query', 'Text to search for', { placeholder: 'e.g. smith' })],
	checks: { query: namingText },
	narrowedBy: { query: 'enter a text to search for, or use Person > Get Many to list all people' },
	request: ({ query }) => ({ method: 'GET', ...at.person`/persons/search`, query: { query } }),
	paging: 'cursor',
	output: { shape: personShape },
});

export const person: Resource = {
	option: { name: 'Person', value: 'person' },
	operations: [create, createOrGet, getAll, search],
};
