import { conflict, recordNotFound } from '../api/errors.mts';
import {
	canonicalDomain,
	findAccountOfDomain,
	isAccountFound,
	isAccountShown,
	isBefore,
	isPersonActivity,
	tenantId,
	wantsDeleted,
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

export function createAccount({ store, body, guesses }: Call<{ domain: string; name?: string }>) {
	const domain = canonicalDomain(body.domain);
	const known = findAccountOfDomain(store.accounts, domain);
	if (known && guesses.existingAccount === 'conflict') {
		throw conflict(`An account with the domain ${domain} already exists`);
	}
	if (known && guesses.existingAccount === 'returned') return formatAccount(store, known);
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
	const isSearchable = isBefore(guesses.searchLagMs);
	const isFound = (account: Account) =>
		isSearchable(account.updatedAt) &&
		isAccountFound(account, query.query ?? '') &&
		isAccountShown(store.persons.of(account.domain).length, query.includeEmptyOnly, guesses);
	const found = takeByCursor(store.accounts.all(), query, guesses, { isFound });
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
