import type { IDataObject } from 'n8n-workflow';
import { path } from '../../api/path';
import type { RunContext } from '../operation/context';
import { nameSome, type RecordFinder, SeveralRecordsError } from '../operation/ensure';
import { readDomain } from './contact/email';
import { identityOf } from './contact/reading';

interface UpsertValues {
	domain: string;
	name: string;
	options: { includeEmptyOnly?: string };
}

/** Finds accounts by their domain. Items with the same domain share what the first one found. */
export function openAccountFinder(call: RunContext<UpsertValues>): RecordFinder<UpsertValues> {
	/** By domain. */
	const known = new Map<string, IDataObject>();
	const remember = (account: IDataObject, { domain }: UpsertValues) => known.set(domain, account);
	return {
		remember,
		// There is no list of accounts.
		provesAbsence: () => false,
		findAgain: async (values) => await search(call, values),
		find: async (values) => {
			const account = known.get(values.domain) ?? (await search(call, values));
			if (account) remember(account, values);
			return account;
		},
	};
}

/** @throws {SeveralRecordsError} */
async function search(
	call: RunContext<UpsertValues>,
	{ domain, options: { includeEmptyOnly } }: UpsertValues,
): Promise<IDataObject | undefined> {
	const query = { query: domain, includeEmptyOnly };
	const found = await call.readList(
		{ method: 'GET', path: path`/accounts/search`, query },
		{ largest: 100 },
	);
	const accounts = new Map(
		found
			.filter((account) => identityOf(readDomain, account.domain) === domain)
			.map((account) => [account.accountId, account]),
	);
	if (accounts.size <= 1) return [...accounts.values()].at(0);
	const accountIds = [...accounts.keys()].map(String);
	throw new SeveralRecordsError(
		`${accountIds.length} accounts have the domain "${domain}": ${nameSome(accountIds)}`,
		'Nothing was written. Keep one of them in the service, or use Account > Update with its ID.',
		{ accountIds },
	);
}
