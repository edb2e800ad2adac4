import {
	findRepeat,
	matchPerson,
	nameStranger,
	personActivityType,
	type PersonMatch,
	writeMoment,
} from '../guesses.mts';
import type { Person, PersonLog } from '../records.mts';
import { unknownRecord } from '../refusal.mts';
import type { Store } from '../store.mts';
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

export function createPersonLog({ store, body }: Call<PersonLogCreate>) {
	const repeated = findRepeat(store.personLogs, body.idempotencyKey);
	if (repeated) return describe(repeated);
	const known = findPerson(store, body);
	const person = known ?? addPerson(store, { ...body, name: nameLogged(body) });
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
	return describe(log);
}

function findPerson(store: Store, body: PersonLogCreate): Person | undefined {
	if (body.personId === undefined) return matchPerson(store.persons.all(), body);
	const person = store.persons.get(body.personId);
	if (!person) throw unknownRecord('person', body.personId);
	return person;
}

const nameLogged = ({ name, email, phoneNumber }: PersonLogCreate): string =>
	nameStranger(name, email, phoneNumber);

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

const describe = ({
	personId,
	personLogId,
	createdAt,
	createdPerson,
	source,
	type,
}: PersonLog) => ({
	personId,
	personLogId,
	createdAt,
	createdPerson,
	source,
	type,
});
