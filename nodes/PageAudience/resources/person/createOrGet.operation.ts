import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../api/path';
import { length, nonBlank, quote } from '../../../parameters/checks';
import { refuseItem } from '../../../parameters/problem';
import { LookupError } from '../../operation/lookupError';
import { defineOperation } from '../../operation/operation';
import { ownOptions } from '../../operation/sharedParameters';
import { additionalFields } from '../collections';
import {
	contactFields,
	email,
	identityChecks,
	linkedinProfileUrl,
	newPersonChecks,
	personName,
	phoneNumber,
	warnOfDomain,
} from '../contactFields';
import { listIdentityKeys } from '../identity';
import { PersonFinder } from './personFinder';
import { type MatchValues, readTarget } from './target';

const identityParameters = { email, linkedinProfileUrl, phoneNumber };

export const createOrGet = defineOperation({
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
		{
			displayName: 'Match On',
			name: 'matchOn',
			type: 'options',
			default: 'email',
			description: 'The field that identifies the person',
			options: [
				{ name: 'Email', value: 'email' },
				{ name: 'LinkedIn Profile URL', value: 'linkedinProfileUrl' },
				{ name: 'Phone Number', value: 'phoneNumber' },
			],
		},
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
			description: 'Full name of a person who is created, up to 255 characters',
		},
		{
			...additionalFields,
			description: 'Fields of a person who is created. A person who exists stays unchanged.',
			options: contactFields,
		},
		{
			...ownOptions,
			options: [
				{
					displayName: 'Lookup',
					name: 'lookup',
					type: 'options',
					default: 'auto',
					description: 'How to find out whether the person exists',
					options: [
						{
							name: 'Auto',
							value: 'auto',
							description:
								'Search where the search can be trusted, otherwise read the list of people',
						},
						{
							name: 'List',
							value: 'list',
							description: 'Always read the whole list of people. All items share it.',
						},
						{
							name: 'Search',
							value: 'search',
							description:
								'Never read the list. Items fail if the search cannot confirm that the person is new.',
						},
					],
				},
			],
		},
	],
	checks: {
		...identityChecks,
		name: nonBlank(length(1, 255)),
		additionalFields: newPersonChecks,
	},
	writes: {
		id: 'personId',
		changes: (values) => {
			const { field, value } = readTarget(values);
			return listIdentityKeys({ ...values.additionalFields, [field]: value });
		},
	},
	uses: ['GET /v0/persons/search', 'GET /v0/persons', 'POST /v0/persons'],
	request: (values) => {
		const { field, value, key } = readTarget(values);
		const { name, additionalFields } = values;
		const { displayName } = identityParameters[field];
		if (additionalFields[field] !== undefined)
			refuseItem(`Additional Fields > ${displayName}`, 'is already set under Match On');
		if (key === '')
			refuseItem(`${displayName} to Match`, `${quote(value)} cannot identify a person`);
		return {
			method: 'POST',
			path: path`/persons`,
			body: { name, ...additionalFields, [field]: value },
		};
	},
	ensure: {
		openFinder: (call) => new PersonFinder(call),
		// With its list of people. Where only the search may look, an item fails instead.
		provesAbsence: true,
		// The API documents 201 for a new person. With 200, the service probably returns one who exists.
		existingStatus: 200,
		check: refuseOther,
		hint: (person, values) => {
			const other = describeOther(person, values);
			return (
				other &&
				`The service returned a person for ${quote(readTarget(values).value)} with another value: ${other}. Check that it is the right one.`
			);
		},
	},
	output: {
		adds: { outcome: { type: 'string' }, duplicateIds: { type: 'array' } },
		forTools: [
			'personId',
			'name',
			'email',
			'phoneNumber',
			'linkedinProfileUrl',
			'outcome',
			'duplicateIds',
		],
	},
	warnings: ({ additionalFields }) => warnOfDomain(additionalFields.domain),
});

/** A service may find a person by any of the values that are sent. A field that a record does not have says nothing. */
function describeOther(person: IDataObject, values: MatchValues): string | undefined {
	const { field, key } = readTarget(values);
	const { personId, [field]: stored } = person;
	const isShown = stored === null || typeof stored === 'string';
	if (!isShown || listIdentityKeys(person, [field]).includes(key)) return undefined;
	const { displayName } = identityParameters[field];
	return `${String(personId)}, whose ${displayName} is ${stored ? quote(stored) : 'empty'}`;
}

/** A new person has what the service made of the value. */
function refuseOther(person: IDataObject, values: MatchValues, isNew: boolean): void {
	const other = describeOther(person, values);
	const { field, value, key } = readTarget(values);
	if (other === undefined || isNew || (field === 'phoneNumber' && isCompleted(person, key))) return;
	throw new LookupError(
		`The service returned another person for ${quote(value)}: ${other}`,
		'The service may have found this person by another value, such as one under Additional Fields. Remove that value, or match on it.',
		{ personId: person.personId },
	);
}

/** The service may have put the country code in place of the zeros at the beginning, so only the end is compared. */
function isCompleted(person: IDataObject, key: string): boolean {
	const [stored = ''] = listIdentityKeys(person, ['phoneNumber']);
	const sent = splitNumber(key);
	const other = splitNumber(stored);
	const end = sent.digits.slice(-6);
	return end.length === 6 && other.digits.endsWith(end) && other.extension === sent.extension;
}

function splitNumber(key: string): { digits: string; extension: string | undefined } {
	const [number = '', extension] = key.split(';');
	return { digits: number.replace(/\D/g, '').replace(/^0+/, ''), extension };
}
