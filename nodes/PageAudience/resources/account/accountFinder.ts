import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../api/path';
import type { Call } from '../../operation/call';
import { LookupError, SeveralRecordsError } from '../../operation/lookupError';
import type { RecordFinder } from '../../operation/operation';
import { listStoredForms, toCanonicalDomain, toSentDomain } from './domain';

interface UpsertValues {
	domain: string;
	options: { includeEmptyOnly?: string };
}

/** Finds accounts by their domain. Items with the same domain share what the first one found. */
export function openAccountFinder(call: Call<UpsertValues>): RecordFinder<UpsertValues> {
	/** By canonical domain. */
	const known = new Map<string, IDataObject>();
	const searchAnew = async (values: UpsertValues) => {
		const account = await search(call, values);
		if (account) known.set(toCanonicalDomain(values.domain), account);
		return account;
	};
	return {
		remember: (account, { domain }) => known.set(toCanonicalDomain(domain), account),
		// Finding none is no proof: there is no list of accounts.
		find: async (values) =>
			known.get(toCanonicalDomain(values.domain)) ?? (await searchAnew(values)),
		findAgain: async (values, isLast) => {
			const account = await searchAnew(values);
			if (account || !isLast) return account;
			throw new LookupError(
				`No account was found for "${toSentDomain(values.domain)}" after an attempt to create it`,
				'Check in the service whether the account exists before you retry.',
			);
		},
	};
}

/** @throws {SeveralRecordsError} */
async function search(
	call: Call<UpsertValues>,
	{ domain: given, options: { includeEmptyOnly } }: UpsertValues,
): Promise<IDataObject | undefined> {
	const domain = toCanonicalDomain(given);
	const accounts = new Map<unknown, IDataObject>();
	for (const query of listStoredForms(given)) {
		const reader = call.openList(
			{ method: 'GET', path: path`/accounts/search`, query: { query, includeEmptyOnly } },
			{ largest: 100 },
		);
		for (const account of await reader.readAll()) {
			const isMatch =
				typeof account.domain === 'string' && toCanonicalDomain(account.domain) === domain;
			if (isMatch) accounts.set(account.accountId, account);
		}
	}
	if (accounts.size <= 1) return [...accounts.values()].at(0);
	const accountIds = [...accounts.keys()].map(String);
	throw new SeveralRecordsError(
		`${accountIds.length} accounts have the domain "${domain}": ${accountIds.join(', ')}`,
		'Nothing was written. Keep one of them in the service, or use Account > Update with its ID.',
		{ accountIds },
	);
}
