import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { at, GET, POST } from '../../api/request';
import { namingText, quote } from '../../parameters/checks';
import { choiceField, textField } from '../../parameters/fields';
import { refuseItem } from '../../parameters/problem';
import { personShape } from '../../records/shapes';
import { ensureRecord, type FindGroup, findRecord } from '../operation/ensure';
import { defineOperation, type Operation } from '../operation/operation';
import { isFound, keepEmpty, ownOptions } from '../operation/sharedParameters';
import { additionalFields } from './collections';
import {
	cellChecks,
	contactFields,
	email,
	leftOut,
	linkedinProfileUrl,
	listIdentityKeys,
	personName,
	phoneNumber,
} from './contactFields';
import { type MatchValues, openPersonFinder, readMatch } from './personFinder';

const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create person',
	description:
		"Create a person. Use Create or Get to avoid duplicates: the API can't change or delete people.",
	properties: [
		{ ...personName, required: true },
		{ ...additionalFields, options: contactFields },
	],
	checks: { ...cellChecks('person'), additionalFields: cellChecks('personDetails') },
	writes: { id: 'personId' },
	request: ({ name, additionalFields }) => POST(at.person`/persons`, { name, ...additionalFields }),
	output: { adds: { leftOut } },
});

const identityParameters = { email, linkedinProfileUrl, phoneNumber };

/** A model sees labels only, and must tell these from the fields of a new person. */
const matched = <F extends INodeProperties>(field: F, displayName: string) => ({
	...field,
	displayName,
	required: true as const,
	displayOptions: { show: { matchOn: [field.name] } },
});

const matchParameters = [
	choiceField('Match On', 'matchOn', 'The field that identifies the person', {
		email: 'Email',
		linkedinProfileUrl: 'LinkedIn Profile URL',
		phoneNumber: 'Phone Number',
	}),
	matched(email, 'Email to Match'),
	matched(linkedinProfileUrl, 'LinkedIn Profile URL to Match'),
	matched(phoneNumber, 'Phone Number to Match'),
] as const satisfies INodeProperties[];

const lookupMethod = choiceField('Lookup Method', 'lookup', 'How to look for existing people', {
	auto: [
		'Automatic',
		'Search first, and read the whole list if no one is found. For several items, read the list once.',
	],
	list: ['Whole List', 'Read the list of people once for all items'],
	search: ['Search Only', "Trust the search. Create or Get creates everyone it doesn't find."],
});

const newPersonFields = [
	{
		...personName,
		required: true,
		description:
			'Full name, up to 255 characters. Name and Additional Fields are used only for new people.',
	},
	{
		...additionalFields,
		description: "Used only for new people. Existing people aren't changed.",
		options: contactFields,
	},
	{ ...ownOptions, options: [lookupMethod] },
] as const satisfies INodeProperties[];

const getOptions = [
	{ ...ownOptions, options: [keepEmpty, lookupMethod] },
] as const satisfies INodeProperties[];

const findByMatch: FindGroup<MatchValues> = {
	id: 'personId',
	key: (wanted) => readMatch(wanted).key,
	openFinder: openPersonFinder,
	describeSeveral: (wanted) => `people have ${quote(readMatch(wanted).value)}`,
	otherwise: 'match on another field',
};

const createOrGet = defineOperation({
	name: 'Create or Get',
	value: 'createOrGet',
	action: 'Create or get person',
	description: 'Find a person by email, LinkedIn profile URL or phone number, or create one',
	forModels:
		'Prefer this over Create: it creates a person only after confirming that none exists. To find people by what identifies them best, set matchOn.',
	properties: [...matchParameters, ...newPersonFields],
	checks: { ...cellChecks('person'), additionalFields: cellChecks('personDetails') },
	writes: {
		id: 'personId',
		changes: (values) => {
			const { matchOn, additionalFields } = values;
			return listIdentityKeys({ ...additionalFields, [matchOn]: readMatch(values).value });
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
		return POST(at.person`/persons`, {
			name,
			...additionalFields,
			[matchOn]: readMatch(values).value,
		});
	},
	run: async (values, run) =>
		await ensureRecord(values, run, {
			...findByMatch,
			keysOf: (person) => listIdentityKeys(person),
			// The API documents 201 for a new person. With 200, the service probably returns one who exists.
			existingStatus: 200,
			check: refuseOtherPerson,
		}),
	output: {
		adds: { outcome: { type: 'string' }, leftOut },
		forTools: ['personId', 'name', 'email', 'phoneNumber', 'linkedinProfileUrl', 'outcome'],
	},
});

/** A service may find a person by any of the values that are sent. A field that a record does not have says nothing. */
function refuseOtherPerson(person: IDataObject, values: MatchValues): void {
	const { matchOn } = values;
	const { personId, [matchOn]: stored } = person;
	const { value, key } = readMatch(values);
	if (stored === undefined || listIdentityKeys(person, [matchOn]).includes(key)) return;
	throw new DescribedError(
		`The service returned another person for ${quote(value)}: ${String(personId)}, whose ${identityParameters[matchOn].displayName} is ${stored ? quote(String(stored)) : 'empty'}`,
		'The service may have found this person by a value under Additional Fields. Remove that value, or match on it.',
		{ personId },
	);
}

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get person',
	description: 'Find a person by email, LinkedIn profile URL or phone number',
	properties: [...matchParameters, ...getOptions],
	checks: cellChecks('person'),
	uses: ['GET /v0/persons/search', 'GET /v0/persons'],
	request: (values) => GET(at.person`/persons/search`, { query: readMatch(values).value }),
	run: async (values, run) => await findRecord(values, run, findByMatch),
	output: { shape: personShape, adds: { found: isFound } },
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many people',
	description: 'List people',
	properties: [],
	request: () => GET(at.person`/persons`),
	paging: 'cursor',
	output: { shape: personShape },
});

const search = defineOperation({
	name: 'Search',
	value: 'search',
	action: 'Search people',
	description: 'Search people by text',
	properties: [textField('Query', 'query', 'Text to search for', { placeholder: 'e.g. smith' })],
	checks: { query: namingText },
	narrowedBy: { query: 'enter a text to search for, or use Person > Get Many to list all people' },
	request: ({ query }) => GET(at.person`/persons/search`, { query }),
	paging: 'cursor',
	output: { shape: personShape },
});

export const person: Operation[] = [create, createOrGet, get, getAll, search];
