import {
	canonicalDomain,
	domainOfEmail,
	isPersonFound,
	slugPerson,
	tenantId,
	type PersonMatch,
	writeMoment,
} from '../guesses.mts';
import type { Person } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { takeByCursor } from './paging.mts';

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

export const createPerson = ({ store, body }: Call<PersonCreate>): Person => addPerson(store, body);

export const listPersons = ({ store, query, guesses }: Call) =>
	takeByCursor(store.persons.all(), query, guesses);

export const searchPersons = ({ store, query, guesses }: Call) =>
	takeByCursor(store.persons.all(), query, guesses, (person) =>
		isPersonFound(person, query.query ?? ''),
	);
