import { path } from '../../../api/path';
import { length, nonBlank } from '../../../parameters/checks';
import { refuseItem } from '../../../parameters/problem';
import { defineOperation } from '../../operation/operation';
import { ownOptions } from '../../operation/sharedParameters';
import { additionalFields } from '../collections';
import {
	contactFields,
	email,
	linkedinProfileUrl,
	newPersonChecks,
	personName,
	phoneNumber,
	warnOfDomain,
} from '../contactFields';
import { listIdentityKeys } from '../identity';
import { PersonFinder } from './personFinder';
import { readTarget } from './target';

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
		...newPersonChecks,
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
		const { displayName } = { email, linkedinProfileUrl, phoneNumber }[field];
		if (additionalFields[field] !== undefined)
			refuseItem(`Additional Fields > ${displayName}`, 'is already set under Match On');
		if (key === '') refuseItem(`${displayName} to Match`, `"${value}" cannot identify a person`);
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
