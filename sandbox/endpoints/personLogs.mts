import { conflict, recordNotFound } from '../api/errors.mts';
import {
	findLogOfKey,
	matchPerson,
	nameUnknownPerson,
	personActivityType,
	type PersonMatch,
	writeMoment,
} from '../guesses.mts';
import type { Person, PersonLog } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { addPerson } from './persons.mts';

interface PersonLogCreate extends PersonMatch {
	source: string;
	type: string;
	payload: Record<string, unknown>;
	personId?: string;
	idempotencyKey?: string;
	name?: string;
}

export function createPersonLog({ store, body, guesses }: Call<PersonLogCreate>) {
	const repeated = findLogOfKey(store.personLogs, body.idempotencyKey);
	if (repeated && guesses.repeatedKey === 'conflict') {
		throw conflict(`A log with the idempotency key '${repeated.idempotencyKey}' already exists`);
	}
	if (repeated && guesses.repeatedKey === 'returned') return formatLog(repeated);
	const known = findPerson(store, body);
	const name = nameUnknownPerson(body.name, body.email, body.phoneNumber);
	const person = known ?? addPerson(store, { ...body, name });
	const log = store.personLogs.add({
		personId: person.personId,
		personLogId: store.randomness.id('accountlog'),
		createdAt: writeMoment(),
		createdPerson: known === undefined,
		source: body.source,
		type: body.type,
		payload: body.payload,
		idempotencyKey: body.idempotencyKey ?? null,
	});
	addToAccount(store, person, log);
	return formatLog(log);
}

function findPerson(store: Store, body: PersonLogCreate): Person | undefined {
	if (body.personId === undefined) return matchPerson(store.persons.all(), body);
	const person = store.persons.get(body.personId);
	if (!person) throw recordNotFound('Person', body.personId);
	return person;
}

function addToAccount(store: Store, person: Person, log: PersonLog): void {
	const [account] = person.domain === null ? [] : store.accounts.of(person.domain);
	if (!account) return;
	account.latestActivityAt = log.createdAt;
	store.activities.add({
		activityId: store.randomness.id('activity'),
		activityType: personActivityType,
		accountId: account.accountId,
		accountLogId: null,
		personId: person.personId,
		personLogId: log.personLogId,
		personName: person.name,
		source: log.source,
		type: log.type,
		payload: log.payload,
		idempotencyKey: log.idempotencyKey,
		createdAt: log.createdAt,
		updatedAt: log.createdAt,
		deletedAt: null,
	});
}

function formatLog({ payload: _payload, idempotencyKey: _key, ...log }: PersonLog) {
	return log;
}
