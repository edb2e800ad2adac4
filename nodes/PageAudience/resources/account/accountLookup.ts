import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../api/path';
import type { Call } from '../../operation/call';
import { SeveralRecordsError } from '../../operation/settle';
import { toCanonicalDomain } from './domain';

/** Finds accounts for all items of one call of the node. Items with the same domain share what the first one found. */
export class AccountLookup {
	private readonly call: Call;

	private readonly known = new Map<string, IDataObject>();

	constructor(call: Call) {
		this.call = call;
	}

	/** @param domain canonical */
	remember(account: IDataObject, domain: string): void {
		this.known.set(domain, account);
	}

	/**
	 * @returns undefined when the search finds none. That is no proof: there is no list of accounts.
	 * @throws {SeveralRecordsError}
	 */
	async find(domain: string, includeEmptyOnly?: string): Promise<IDataObject | undefined> {
		return this.known.get(domain) ?? (await this.search(domain, includeEmptyOnly));
	}

	/** Whatever was found before. */
	async search(domain: string, includeEmptyOnly?: string): Promise<IDataObject | undefined> {
		const reader = this.call.openList(
			{
				method: 'GET',
				path: path`/accounts/search`,
				query: { query: domain, includeEmptyOnly },
			},
			{ largest: 100 },
		);
		const accounts = new Map<unknown, IDataObject>();
		for (const account of await reader.readAll()) {
			const isMatch =
				typeof account.domain === 'string' && toCanonicalDomain(account.domain) === domain;
			if (isMatch) accounts.set(account.accountId, account);
		}
		if (accounts.size > 1) throw describeSeveral(domain, [...accounts.keys()].map(String));
		const [account] = accounts.values();
		if (account) this.remember(account, domain);
		return account;
	}
}

function describeSeveral(domain: string, accountIds: string[]): SeveralRecordsError {
	return new SeveralRecordsError(
		`${accountIds.length} accounts have the domain "${domain}": ${accountIds.join(', ')}`,
		'Nothing was written. Keep one of them in the service, or use Account > Update with its ID.',
		{ accountIds },
	);
}
