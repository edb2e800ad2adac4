import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../api/path';
import { length, nonBlank, trimmedText } from '../../../parameters/checks';
import { defineOperation } from '../../operation/operation';
import { LookupError } from '../../operation/lookupError';
import { ownOptions } from '../../operation/sharedParameters';
import { openAccountFinder } from './accountFinder';
import { domainText, toCanonicalDomain, toSentDomain } from './domain';
import * as fields from './fields';

export const upsert = defineOperation({
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update account',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		builderHint: {
			propertyHint:
				'Prefer this over Create and Update: it finds the account by its domain, so that no ID is needed.',
		},
	},
	properties: [
		{
			...fields.domain,
			description:
				'Main domain of the company. It identifies the account. A URL or an email address is reduced to its domain.',
		},
		{ ...fields.accountName, required: true },
		{
			...ownOptions,
			options: [
				{
					...fields.includeEmptyOnly,
					description:
						'Sent with the search. Set it if the search leaves out accounts without people.',
				},
			],
		},
	],
	checks: {
		domain: domainText,
		name: nonBlank(length(1, 255)),
		options: { includeEmptyOnly: trimmedText },
	},
	writes: {
		id: 'accountId',
		changes: ({ domain }) => [`account domain ${toCanonicalDomain(domain)}`],
		replacesState: true,
	},
	uses: ['GET /v0/accounts/search', 'POST /v0/accounts', 'PATCH /v0/accounts/{account_id}'],
	request: ({ domain, name }) => ({
		method: 'POST',
		path: path`/accounts`,
		body: { domain: toSentDomain(domain), name },
	}),
	ensure: {
		openFinder: openAccountFinder,
		check: refuseOther,
		update: (account, values) => {
			refuseOther(account, values);
			// In a dry run, an account that an earlier item would create has no ID.
			const { accountId = 'new', name: current } = account;
			const { name } = values;
			return current === name
				? undefined
				: { method: 'PATCH', path: path`/accounts/${String(accountId)}`, body: { name } };
		},
	},
	output: {
		adds: { outcome: { type: 'string' } },
		forTools: ['accountId', 'domain', 'name', 'outcome'],
	},
});

/**
 * A service may count one domain to another, and return the account of that one. Where the names differ too, it existed
 * before, and the name of the asked domain is not its own.
 */
function refuseOther(account: IDataObject, { domain, name }: { domain: string; name: string }) {
	const { accountId, domain: stored, name: current } = account;
	if (typeof stored !== 'string' || current === name) return;
	if (toCanonicalDomain(stored) === toCanonicalDomain(domain)) return;
	throw new LookupError(
		`The service returned the account of "${stored}" for "${toSentDomain(domain)}". Its name is unchanged`,
		'To change the name of that account, enter its own domain.',
		{ accountId },
	);
}
