import { recordNotFound } from '../api/errors.mts';
import {
	canonicalDomain,
	findAccountOfDomain,
	isAccountFound,
	isPersonActivity,
	tenantId,
	wantsDeleted,
	wantsEmptyOnly,
	wantsPersonActivity,
	writeMoment,
} from '../guesses.mts';
import type { Account } from '../records/index.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { takeByCursor, takeByOffset } from './paging.mts';

const formatAccount = (store: Store, account: Account) => ({
	...account,
	linkedPersons: store.persons.of(account.domain),
});

function findAccount(store: Store, accountId: string): Account {
	const account = store.accounts.get(accountId);
	if (!account) throw recordNotFound('Account', accountId);
	return account;
}

export function createAccount({ store, body }: Call<{ domain: string; name?: string }>) {
	const domain = canonicalDomain(body.domain);
	const known = findAccountOfDomain(store.accounts, domain);
	if (known) return formatAccount(store, known);
	const createdAt = writeMoment();
	const account = store.accounts.add({
		accountId: store.randomness.id('account'),
		tenantId,
		domain,
		name: body.name ?? null,
		createdAt,
		updatedAt: createdAt,
		latestActivityAt: null,
	});
	return formatAccount(store, account);
}

export function updateAccount({ store, params, body }: Call<{ name: string }>) {
	const account = findAccount(store, params.account_id);
	account.name = body.name;
	account.updatedAt = writeMoment();
	return formatAccount(store, account);
}

export function searchAccounts({ store, query, guesses }: Call) {
	const onlyEmpty = wantsEmptyOnly(query.includeEmptyOnly);
	const isFound = (account: Account) =>
		isAccountFound(account, query.query ?? '') &&
		!(onlyEmpty && store.persons.of(account.domain).length > 0);
	const found = takeByCursor(store.accounts.all(), query, guesses, isFound);
	const items = found.items.map((account) => ({
		...account,
		linkedPersonsCount: store.persons.of(account.domain).length,
	}));
	return { ...found, items };
}

export function listAccountActivity({ store, params, query, guesses }: Call) {
	const { accountId } = findAccount(store, params.account_id);
	const withDeleted = wantsDeleted(query.includeDeleted);
	const withPersons = wantsPersonActivity(query.includePersonActivity);
	const entries = store.activities
		.of(accountId)
		.filter(
			(entry) =>
				(withDeleted || entry.deletedAt === null) && (withPersons || !isPersonActivity(entry)),
		);
	return takeByOffset(entries, query, guesses);
}
