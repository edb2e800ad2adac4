import { accountActivityType, personActivityType, slugify, tenantId } from '../guesses.mts';
import type { Account, AccountActivity, Person } from '../records.mts';
import type { Collections } from '../store/collections.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';
import {
	companyStems,
	companyTrades,
	firstNames,
	lastNames,
	logSources,
	logTypes,
	questions,
	topLevels,
} from './words.mts';

/** The next account. Each pair of stem and trade names one company. */
export function makeAccount({ accounts, randomness }: Collections): Account {
	const number = accounts.size;
	const stem = companyStems[number % companyStems.length];
	const trade = companyTrades[Math.floor(number / companyStems.length) % companyTrades.length];
	const createdAt = momentAfter(number * minutesBetweenRecords);
	return {
		accountId: randomness.id('account'),
		tenantId,
		domain: `${stem}-${trade}.${randomness.pick(topLevels)}`.toLowerCase(),
		name: number % 12 === 11 ? null : `${stem} ${trade}`,
		createdAt,
		updatedAt: createdAt,
		latestActivityAt: null,
	};
}

/** The next person, usually at a company that has an account. */
export function makePerson({ persons, accounts, randomness }: Collections): Person {
	const number = persons.size + 1;
	const firstName = randomness.pick(firstNames);
	const lastName = randomness.pick(lastNames);
	const domain = randomness.chance(0.85) ? randomness.pick(accounts.all()).domain : null;
	const names = [slugify(firstName), slugify(lastName), number];
	const slug = names.join('-');
	const email = randomness.chance(0.92) ? `${names.join('.')}@${domain ?? 'gmail.com'}` : null;
	const createdAt = momentAfter(number * minutesBetweenRecords);
	return {
		personId: randomness.id('prospect'),
		tenantId,
		name: `${firstName} ${lastName}`,
		email,
		domain,
		slug,
		phoneNumber: randomness.chance(0.6) ? `+4930${String(5_550_000 + number)}` : null,
		linkedinProfileUrl: randomness.chance(0.5) ? `https://www.linkedin.com/in/${slug}` : null,
		createdAt,
		updatedAt: createdAt,
	};
}

/** The next activity of an account: two of three belong to a person, the others to the company. */
export function makeActivity(
	{ activities, persons, randomness }: Collections,
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

/** Adds the next activity of an account. */
export function addActivity(store: Collections, account: Account): AccountActivity {
	const entry = store.activities.add(makeActivity(store, account));
	account.latestActivityAt = entry.createdAt;
	return entry;
}
