import { tenantId } from '../guesses.mts';
import type { Person } from '../records/index.mts';
import { slugify } from '../slug.mts';
import type { Store } from '../store/store.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';
import { firstNames, lastNames } from './words.mts';

/** The next person, usually at a company that has an account. */
export function makePerson({ persons, accounts, randomness }: Store): Person {
	const number = persons.size + 1;
	const firstName = randomness.pick(firstNames);
	const lastName = randomness.pick(lastNames);
	const atCompany = randomness.chance(0.85);
	const domain = atCompany ? randomness.pick(accounts.all()).domain : null;
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
