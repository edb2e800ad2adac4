import { tenantId } from '../guesses.mts';
import type { Account } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import { minutesBetweenRecords, momentAfter } from './calendar.mts';
import { companyStems, companyTrades, topLevels } from './words.mts';

/** The next account. Each pair of stem and trade names one company. */
export function makeAccount({ accounts, randomness }: Store): Account {
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
