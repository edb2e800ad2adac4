import { tenantId } from '../guesses.mts';
import type { Person } from '../records.mts';
import type { Store } from '../store.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';
import { firstNames, lastNames } from './words.mts';

/** Lower-case ASCII with hyphens: `Zoë Müller` becomes `zoe-muller`. */
export const slugify = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.replaceAll('ø', 'o')
		.replaceAll('ı', 'i')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '');

/** The next person, at a company that has an account where there is one. */
export function describePerson({ persons, accounts, randomness }: Store): Person {
	const number = persons.size + 1;
	const firstName = randomness.pick(firstNames);
	const lastName = randomness.pick(lastNames);
	const atCompany = randomness.chance(0.85);
	const domain = atCompany ? randomness.pick(accounts.all()).domain : null;
	const slug = slugify(`${firstName} ${lastName} ${number}`);
	const address = `${slugify(firstName)}.${slugify(lastName)}.${number}`;
	const email = randomness.chance(0.92) ? `${address}@${domain ?? 'gmail.com'}` : null;
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
