import { conflict } from '../errors.mts';
import {
	type Guesses,
	isBefore,
	searchableFields,
	slugify,
	tenantId,
	writeMoment,
} from '../guesses.mts';
import type { PersonCreate } from '../openapi.d.mts';
import type { Person } from '../records.mts';
import type { Store } from '../store/store.mts';
import { canonicalDomain } from './accounts.mts';
import { EndpointReply, type Call } from './call.mts';
import { takeByCursor } from './paging.mts';

const freeMail = new Set(['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'hotmail.com']);

function domainOf({ domain, email }: PersonCreate): string | null {
	const chosen = canonicalDomain(domain ?? email?.split('@')[1] ?? '');
	return domain === undefined && (chosen === '' || freeMail.has(chosen)) ? null : chosen;
}

/** The person with the email address, otherwise with the phone number, otherwise with the LinkedIn URL. */
export function matchPerson(
	{ persons }: Store,
	{ email, phoneNumber, linkedinProfileUrl }: Partial<PersonCreate>,
): Person | undefined {
	const address = email?.toLowerCase();
	return (
		(address && persons.find((person) => person.email?.toLowerCase() === address)) ||
		(phoneNumber && persons.find((person) => person.phoneNumber === phoneNumber)) ||
		(linkedinProfileUrl &&
			persons.find((person) => person.linkedinProfileUrl === linkedinProfileUrl)) ||
		undefined
	);
}

export function addPerson({ persons, randomness }: Store, input: PersonCreate): Person {
	const createdAt = writeMoment();
	return persons.add({
		personId: randomness.id('prospect'),
		tenantId,
		name: input.name,
		email: input.email ?? null,
		domain: domainOf(input),
		// With a running number, so that it is unique.
		slug: slugify(`${input.name} ${persons.size + 1}`),
		phoneNumber: input.phoneNumber ?? null,
		linkedinProfileUrl: input.linkedinProfileUrl ?? null,
		createdAt,
		updatedAt: createdAt,
	});
}

export function createPerson({
	store,
	body,
	guesses,
}: Call<'createPerson'>): Person | EndpointReply {
	const { existingPerson } = guesses;
	const known = existingPerson === 'duplicate' ? undefined : matchPerson(store, body);
	if (!known) return addPerson(store, body);
	if (existingPerson === 'conflict') {
		throw conflict('A person with this email address, phone number or LinkedIn URL already exists');
	}
	return existingPerson === 'returned' ? new EndpointReply(200, known) : known;
}

function takePersons(
	{ store, query, guesses }: Pick<Call<'listPersons'>, 'store' | 'query' | 'guesses'>,
	isFound: (person: Person) => boolean,
) {
	const page = takeByCursor(store.persons.all(), query, guesses, { isFound });
	return guesses.totalCountOfPersons === 'null' ? { ...page, totalCount: null } : page;
}

export function listPersons(call: Call<'listPersons'>) {
	const isListed = isBefore(call.guesses.listLagMs);
	return takePersons(call, ({ createdAt }) => isListed(createdAt));
}

function listSearched(
	choice: Guesses['personSearch'],
): ReadonlyArray<(typeof searchableFields)[number]> {
	if (choice === 'all') return searchableFields;
	if (choice === 'some') return ['name', 'email'];
	return choice === 'names' ? ['name', 'slug'] : [choice];
}

export function searchPersons(call: Call<'searchPersons'>) {
	const { query, guesses } = call;
	const wanted = (query.query ?? '').trim().toLowerCase();
	const fields = listSearched(guesses.personSearch);
	const isSearchable = isBefore(guesses.searchLagMs);
	return takePersons(call, (person) => {
		const hasQuery = () => fields.some((field) => person[field]?.toLowerCase().includes(wanted));
		return isSearchable(person.updatedAt) && (wanted === '' || hasQuery());
	});
}
