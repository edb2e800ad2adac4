import { conflict, found } from '../errors.mts';
import { personActivityType, writeMoment } from '../guesses.mts';
import type { Person, PersonLog } from '../records.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { addPerson, matchPerson } from './persons.mts';

export function createPersonLog({ store, body, guesses }: Call<'createPersonLog'>) {
	const { idempotencyKey = null, personId, email, phoneNumber } = body;
	const [repeated] = idempotencyKey === null ? [] : store.personLogs.of(idempotencyKey);
	if (repeated && guesses.repeatedKey === 'conflict') {
		throw conflict(`A log with the idempotency key '${idempotencyKey}' already exists`);
	}
	if (repeated && guesses.repeatedKey === 'returned') return formatLog(repeated);
	const known =
		personId === undefined
			? matchPerson(store, body)
			: found(store.persons.get(personId), 'Person', personId);
	const name = body.name ?? email?.split('@')[0] ?? phoneNumber ?? 'Unknown person';
	const person = known ?? addPerson(store, { ...body, name });
	const log = store.personLogs.add({
		personId: person.personId,
		personLogId: store.randomness.id('accountlog'),
		createdAt: writeMoment(),
		createdPerson: known === undefined,
		source: body.source,
		type: body.type,
		payload: body.payload,
		idempotencyKey,
	});
	addToAccount(store, person, log);
	return formatLog(log);
}

function addToAccount(store: Store, { name, domain }: Person, log: PersonLog): void {
	const [account] = domain === null ? [] : store.accounts.of(domain);
	if (!account) return;
	const { createdPerson: _, ...facts } = log;
	account.latestActivityAt = log.createdAt;
	store.activities.add({
		activityId: store.randomness.id('activity'),
		activityType: personActivityType,
		accountId: account.accountId,
		accountLogId: null,
		personName: name,
		...facts,
		updatedAt: log.createdAt,
		deletedAt: null,
	});
}

function formatLog({ payload: _payload, idempotencyKey: _key, ...log }: PersonLog) {
	return log;
}
