import { conflict, found } from '../errors.mts';
import { isBefore, personActivityType, tenantId, writeMoment } from '../guesses.mts';
import type { Account, AccountActivity } from '../records.mts';
import type { Store } from '../store/store.mts';
import type { Call } from './call.mts';
import { readFlag, takeByCursor, takeByOffset } from './paging.mts';

const formatAccount = (store: Store, account: Account) => ({
	...account,
	linkedPersons: store.persons.of(account.domain),
});

/** The canonical form of a host name. */
export const canonicalDomain = (domain: string): string => domain.trim().toLowerCase();

export function createAccount({ store, body, guesses }: Call<'createAccount'>) {
	const domain = canonicalDomain(body.domain);
	const [known] = store.accounts.of(domain);
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

export function updateAccount({ store, params, body }: Call<'updateAccount'>) {
	const account = found(store.accounts.get(params.account_id), 'Account', params.account_id);
	Object.assign(account, { name: body.name, updatedAt: writeMoment() });
	return formatAccount(store, account);
}

export function searchAccounts({ store, query, guesses }: Call<'searchAccounts'>) {
	const isSearchable = isBefore(guesses.searchLagMs);
	const wanted = (query.query ?? '').trim().toLowerCase();
	const countPersons = ({ domain }: Account) => store.persons.of(domain).length;
	const onlyEmpty = readFlag(query.includeEmptyOnly, guesses) === true;
	const isShown = (account: Account) =>
		countPersons(account) > 0
			? !onlyEmpty
			: guesses.emptyAccounts === 'shown' || query.includeEmptyOnly !== undefined;
	const isFound = (account: Account) =>
		isSearchable(account.updatedAt) &&
		[account.name ?? '', account.domain].some((text) => text.toLowerCase().includes(wanted)) &&
		isShown(account);
	const page = takeByCursor(store.accounts.all(), query, guesses, { isFound });
	const items = page.items.map((account) => ({
		...account,
		linkedPersonsCount: countPersons(account),
	}));
	return { ...page, items };
}

export function listAccountActivity({
	store,
	params,
	query,
	guesses,
}: Call<'listAccountActivity'>) {
	const account = found(store.accounts.get(params.account_id), 'Account', params.account_id);
	const withDeleted = readFlag(query.includeDeleted, guesses) === true;
	const withPersons = readFlag(query.includePersonActivity, guesses) !== false;
	const isShown = ({ deletedAt, activityType }: AccountActivity) =>
		(deletedAt === null || withDeleted) && (activityType !== personActivityType || withPersons);
	return takeByOffset(store.activities.of(account.accountId).filter(isShown), query, guesses);
}
