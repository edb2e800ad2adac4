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
export class AccountFinder implements RecordFinder<UpsertValues> {
	private readonly call: Call<UpsertValues>;

	/** By canonical domain. */
	private readonly known = new Map<string, IDataObject>();

	constructor(call: Call<UpsertValues>) {
		this.call = call;
	}

	remember(account: IDataObject, { domain }: UpsertValues): void {
		this.known.set(toCanonicalDomain(domain), account);
	}

	/**
	 * @returns undefined when the search finds none. That is no proof: there is no list of accounts.
	 * @throws {SeveralRecordsError}
	 */
	async find(values: UpsertValues): Promise<IDataObject | undefined> {
		return this.known.get(toCanonicalDomain(values.domain)) ?? (await this.search(values));
	}

	async findAgain(values: UpsertValues, isLast: boolean): Promise<IDataObject | undefined> {
		const account = await this.search(values);
		if (account || !isLast) return account;
		throw new LookupError(
			`No account was found for "${toSentDomain(values.domain)}" after an attempt to create it`,
			'Check in the service whether the account exists before you retry.',
		);
	}

	/** Whatever was found before. */
	private async search(values: UpsertValues): Promise<IDataObject | undefined> {
		const domain = toCanonicalDomain(values.domain);
		const accounts = new Map<unknown, IDataObject>();
		for (const form of listStoredForms(values.domain)) {
			for (const account of await this.searchFor(form, values)) {
				const isMatch =
					typeof account.domain === 'string' && toCanonicalDomain(account.domain) === domain;
				if (isMatch) accounts.set(account.accountId, account);
			}
		}
		if (accounts.size > 1) throw describeSeveral(domain, [...accounts.keys()].map(String));
		const [account] = accounts.values();
		if (account) this.remember(account, values);
		return account;
	}

	private async searchFor(
		query: string,
		{ options: { includeEmptyOnly } }: UpsertValues,
	): Promise<IDataObject[]> {
		const request = {
			method: 'GET',
			path: path`/accounts/search`,
			query: { query, includeEmptyOnly },
		} as const;
		return await this.call.openList(request, { largest: 100 }).readAll();
	}
}

function describeSeveral(domain: string, accountIds: string[]): SeveralRecordsError {
	return new SeveralRecordsError(
		`${accountIds.length} accounts have the domain "${domain}": ${accountIds.join(', ')}`,
		'Nothing was written. Keep one of them in the service, or use Account > Update with its ID.',
		{ accountIds },
	);
}
