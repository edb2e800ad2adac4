import { conflict } from '../api/errors.mts';
import {
	canonicalDomain,
	domainOfEmail,
	findPersonsBy,
	isBefore,
	matchPerson,
	slugPerson,
	tenantId,
	type PersonMatch,
	writeMoment,
	type Guesses,
} from '../guesses.mts';
import type { Person } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { Reply, type Call } from './call.mts';
import { takeByCursor, type PageQuery } from './paging.mts';

export interface PersonCreate extends PersonMatch {
	name: string;
	domain?: string;
}

export function addPerson(store: Store, input: PersonCreate): Person {
	const createdAt = writeMoment();
	const personId = store.randomness.id('prospect');
	return store.persons.add({
		personId,
		tenantId,
		name: input.name,
		email: input.email ?? null,
		domain: input.domain === undefined ? domainOfEmail(input.email) : canonicalDomain(input.domain),
		slug: slugPerson(input.name, store.persons.size + 1),
		phoneNumber: input.phoneNumber ?? null,
		linkedinProfileUrl: input.linkedinProfileUrl ?? null,
		createdAt,
		updatedAt: createdAt,
	});
}

export function createPerson({ store, body, guesses }: Call<PersonCreate>): Person | Reply {
	const { existingPerson } = guesses;
	if (existingPerson === 'duplicate') return addPerson(store, body);
	const existing = matchPerson(store.persons.all(), body);
	if (!existing) return addPerson(store, body);
	if (existingPerson === 'conflict') {
		throw conflict('A person with this email address, phone number or LinkedIn URL already exists');
	}
	return existingPerson === 'returned' ? new Reply(200, existing) : existing;
}

function takePersons(
	store: Store,
	query: PageQuery,
	guesses: Guesses,
	isFound: (person: Person) => boolean,
) {
	const found = takeByCursor(store.persons.all(), query, guesses, { isFound });
	return guesses.totalCountOfPersons === 'null' ? { ...found, totalCount: null } : found;
}

export function listPersons({ store, query, guesses }: Call) {
	const isListed = isBefore(guesses.listLagMs);
	return takePersons(store, query, guesses, ({ createdAt }) => isListed(createdAt));
}

export function searchPersons({ store, query, guesses }: Call) {
	const isSearchable = isBefore(guesses.searchLagMs);
	const hasQuery = findPersonsBy(query.query ?? '', guesses);
	const isFound = (person: Person) => isSearchable(person.updatedAt) && hasQuery(person);
	const most = guesses.personSearchMost;
	if (most === 0) return takePersons(store, query, guesses, isFound);
	const shown = new Set(store.persons.all().filter(isFound).slice(0, most));
	return takePersons(store, query, guesses, (person) => shown.has(person));
}
