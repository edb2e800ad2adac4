import { accountActivityType, personActivityType } from '../guesses.mts';
import type { Account, AccountActivity } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { momentAfter } from './calendar.mts';
import { logSources, logTypes, questions } from './words.mts';

/** The next activity of an account: two of three belong to a person, the others to the company. */
export function makeActivity(
	{ activities, persons, randomness }: Store,
	{ accountId, domain }: Account,
): AccountActivity {
	const number = activities.of(accountId).length;
	const colleagues = persons.of(domain);
	const person =
		colleagues.length > 0 && number % 3 > 0 ? colleagues[number % colleagues.length] : null;
	const createdAt = momentAfter(40_000 + number * 53);
	return {
		activityId: randomness.id('activity'),
		activityType: person ? personActivityType : accountActivityType,
		accountId,
		accountLogId: person ? null : randomness.id('accountlog'),
		personId: person?.personId ?? null,
		personLogId: person ? randomness.id('accountlog') : null,
		personName: person?.name ?? null,
		source: randomness.pick(logSources),
		type: randomness.pick(logTypes),
		payload: { subject: randomness.pick(questions), durationMinutes: randomness.between(1, 60) },
		idempotencyKey: number % 4 === 0 ? `seed-${number}` : null,
		createdAt,
		updatedAt: createdAt,
		deletedAt: null,
	};
}
