import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../api/path';
import { length, nonBlank, trimmedText } from '../../../parameters/checks';
import { refuseItem } from '../../../parameters/problem';
import type { Call } from '../../operation/call';
import { defineOperation } from '../../operation/operation';
import { type Decision, LookupError, type Situation } from '../../operation/settle';
import { ownOptions } from '../collections';
import { doubtDomain } from '../contactFields';
import { AccountLookup } from './accountLookup';
import { toCanonicalDomain, toDomain } from './domain';

/** A request that is still under way at the service, and a search that lags, get this long. */
const patienceMs = 2_000;

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
			displayName: 'Domain',
			name: 'domain',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. example.com',
			description:
				'Main domain of the company. It identifies the account. A URL or an email address is reduced to its domain.',
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Example Inc.',
			description: 'Company name, up to 255 characters',
		},
		{
			...ownOptions,
			options: [
				{
					displayName: 'Include Empty Only',
					name: 'includeEmptyOnly',
					type: 'string',
					default: '',
					// `sandbox/openapi.yaml` has a string and names no accepted values.
					placeholder: 'e.g. true',
					description:
						'Sent with the search. Set it if the search leaves out accounts without people.',
				},
			],
		},
	],
	checks: {
		domain: trimmedText,
		name: nonBlank(length(1, 255)),
		options: { includeEmptyOnly: trimmedText },
	},
	writes: true,
	replacesState: true,
	uses: ['GET /v0/accounts/search', 'POST /v0/accounts', 'PATCH /v0/accounts/{account_id}'],
	request: (values) => {
		if (toDomain(values.domain) === '') refuseItem('Domain', `"${values.domain}" has no domain`);
		return createAccount(values);
	},
	decide: async (values, call, situation) => {
		const { domain: given, name, options } = values;
		const domain = toCanonicalDomain(given);
		const accounts = call.once('accounts', () => new AccountLookup(call));
		if (situation.after === 'success') {
			accounts.remember(situation.record, domain);
			reportDomain(toDomain(given), situation.record, call);
			return decideAfter(situation, name);
		}
		const account =
			situation.after === 'nothing'
				? await accounts.find(domain, options.includeEmptyOnly)
				: await findAgain(accounts, domain, options.includeEmptyOnly, call);
		if (account && account.name === name) {
			const outcome = situation.after === 'doubt' ? 'created' : 'unchanged';
			return { outcome, record: account };
		}
		// The next item with the same domain would find what this one leaves behind.
		if (call.isDryRun) accounts.remember({ ...account, name }, domain);
		return account
			? updateName(account, name)
			: { outcome: 'created', request: createAccount(values) };
	},
	forTools: ['accountId', 'domain', 'name', 'outcome'],
	adds: { outcome: 'string' },
	doubts: ({ domain }) => doubtDomain(toDomain(domain)),
	writesTo: ({ domain }) => [`account domain ${toCanonicalDomain(domain)}`],
});

const createAccount = ({ domain, name }: { domain: string; name: string }) =>
	({ method: 'POST', path: path`/accounts`, body: { domain: toDomain(domain), name } }) as const;

function updateName({ accountId }: IDataObject, name: string): Decision {
	// In a dry run, an account that an earlier item would create has no ID.
	const id = String(accountId ?? 'new');
	return {
		outcome: 'updated',
		request: { method: 'PATCH', path: path`/accounts/${id}`, body: { name } },
		id: accountId === undefined ? {} : { accountId },
	};
}

/** Creating an account for a domain that is known may return the account that exists, with its own name. */
function decideAfter(
	{ outcome, record }: Extract<Situation, { after: 'success' }>,
	name: string,
): Decision {
	return outcome === 'created' && record.name !== name
		? updateName(record, name)
		: { outcome, record };
}

/**
 * Looks again after an attempt to create that may have succeeded, or that an account stands against.
 * @throws {LookupError} when the search finds none, which is no proof that there is none
 */
async function findAgain(
	accounts: AccountLookup,
	domain: string,
	includeEmptyOnly: string | undefined,
	call: Call,
): Promise<IDataObject> {
	const first = await accounts.search(domain, includeEmptyOnly);
	if (first) return first;
	await call.wait(patienceMs);
	const second = await accounts.search(domain, includeEmptyOnly);
	if (second) return second;
	throw new LookupError(
		`No account was found for "${domain}" after an attempt to create it`,
		'Check in the service whether the account exists before you retry.',
	);
}

function reportDomain(sent: string, { domain }: IDataObject, call: Call): void {
	if (typeof domain === 'string' && domain !== sent)
		call.hint('found', `The service stored the domain "${sent}" as "${domain}".`);
}
