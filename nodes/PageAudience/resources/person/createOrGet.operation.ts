import { path } from '../../../api/path';
import type { ApiRequest } from '../../../api/request';
import { length, nonBlank, trimmedText } from '../../../parameters/checks';
import { refuseItem } from '../../../parameters/problem';
import type { Call } from '../../operation/call';
import { defineOperation } from '../../operation/operation';
import { additionalFields, ownOptions } from '../collections';
import {
	contactChecks,
	domain,
	doubtDomain,
	doubtEmail,
	email,
	linkedinProfileUrl,
	personName,
	phoneNumber,
} from '../contactFields';
import { type Identities, type IdentityField, listIdentityKeys, toCanonical } from '../identity';
import { reportDuplicates } from './duplicates';
import { type Lookup, PersonLookup, type Target } from './personLookup';

export const createOrGet = defineOperation({
	option: {
		name: 'Create or Get',
		value: 'createOrGet',
		action: 'Create or get person',
		description: 'Find a person by email, LinkedIn profile URL or phone number, or create one',
		builderHint: {
			propertyHint:
				'Prefer this over Create: it never creates a person who already exists. To find people by what identifies them best, set matchOn.',
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
			options: [domain, email, linkedinProfileUrl, phoneNumber],
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
							description: 'Always read the whole list of people, once for all items',
						},
						{
							name: 'Search',
							value: 'search',
							description:
								'Never read the list. Items fail if the search cannot prove that the person is new.',
						},
					],
				},
			],
		},
	],
	checks: {
		email: trimmedText,
		linkedinProfileUrl: trimmedText,
		phoneNumber: trimmedText,
		name: nonBlank(length(1, 255)),
		additionalFields: contactChecks,
	},
	writes: true,
	uses: ['GET /v0/persons/search', 'GET /v0/persons', 'POST /v0/persons'],
	request: (values) => {
		const { field, value, key } = readTarget(values);
		if (values.additionalFields[field] !== undefined)
			refuseItem(`Additional Fields > ${labels[field]}`, 'is already set under Match On');
		if (key === '') refuseItem(`${labels[field]} to Match`, `"${value}" identifies nobody`);
		return createPerson(values);
	},
	decide: async (values, call, situation) => {
		const target = readTarget(values);
		const lookup = openLookup(call);
		if (situation.after === 'success') {
			lookup.remember(situation.record, target);
			// The API documents 201 for a new person. With 200, the service probably returns one who exists.
			const outcome = situation.status === 200 ? 'found' : situation.outcome;
			return { outcome, record: situation.record };
		}
		const isRepeated = situation.after !== 'nothing';
		const person = await (isRepeated ? lookup.findAgain(target) : lookup.find(target));
		// After a lost answer, a person who was not there before is the one that was created.
		if (person)
			return { outcome: situation.after === 'doubt' ? 'created' : 'found', record: person };
		// The next item with the same value would find the person that this one creates.
		if (call.isDryRun) lookup.remember({}, target);
		return { outcome: 'created', request: createPerson(values) };
	},
	review: async (written, call) => {
		const created = written.filter(({ record }) => record.outcome === 'created');
		const targets = created.map(({ values }) => readTarget(values));
		if (created.length > 0)
			await reportDuplicates(
				openLookup(call),
				created.map(({ record }) => record),
				targets,
				call,
			);
	},
	forTools: [
		'personId',
		'name',
		'email',
		'phoneNumber',
		'linkedinProfileUrl',
		'outcome',
		'duplicateIds',
	],
	adds: { outcome: 'string', duplicateIds: 'array' },
	doubts: ({ email: address, additionalFields: more }) => [
		...doubtEmail(address ?? more.email),
		...doubtDomain(more.domain),
	],
	writesTo: (values) => listIdentityKeys({ ...values.additionalFields, ...readMatch(values) }),
});

const labels: Record<IdentityField, string> = {
	email: email.displayName,
	linkedinProfileUrl: linkedinProfileUrl.displayName,
	phoneNumber: phoneNumber.displayName,
};

interface Values extends Partial<Record<IdentityField, string>> {
	matchOn: IdentityField;
	name: string;
	additionalFields: Identities & { domain?: string };
	options: { lookup?: Lookup };
}

function readMatch({ matchOn, ...values }: Values): Partial<Record<IdentityField, string>> {
	return { [matchOn]: values[matchOn] };
}

function readTarget({ matchOn, options, ...values }: Values): Target {
	const value = values[matchOn] ?? '';
	const canonical = toCanonical(matchOn, value);
	const key = canonical && `${matchOn} ${canonical}`;
	return { field: matchOn, value, key, lookup: options.lookup ?? 'auto' };
}

function createPerson(values: Values): ApiRequest {
	const { name, additionalFields: more } = values;
	return { method: 'POST', path: path`/persons`, body: { name, ...more, ...readMatch(values) } };
}

function openLookup(call: Call<Values>): PersonLookup {
	return call.once('persons', () => new PersonLookup(call, call.values.map(readTarget)));
}
