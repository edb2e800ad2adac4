import type { IDataObject } from 'n8n-workflow';
import { DescribedError } from '../../api/errors';
import { at, GET, PATCH, POST } from '../../api/request';
import {
	includeDeleted,
	includeEmptyOnly,
	includePersonActivity,
	textField,
} from '../../parameters/fields';
import { accountIdFormat, namingText } from '../../parameters/checks';
import { accountId } from '../../parameters/locators';
import { accountSearchItemShape, activityShape } from '../../records/shapes';
import { ensureRecord, type FindGroup, findRecord } from '../operation/ensure';
import { searchSpellings } from './searchSpellings';
import { defineOperation, type ItemContext, type Operation } from '../operation/operation';
import { isFound, keepEmpty, ownOptions } from '../operation/sharedParameters';
import { additionalFields } from './collections';
import { readDomain } from '../../cells/domain';
import { readName } from '../../cells/name';
import { identityOf } from '../../cells/reading';
import { cellChecks } from './contactFields';

/** Fields of an account that several operations share. */

const accountDomain = textField(
	'Domain',
	'domain',
	'Domain of the company, which identifies the account. You can also enter a website or an email address.',
	{ placeholder: 'e.g. example.com', required: true },
);

const accountName = textField('Name', 'name', 'Company name, up to 255 characters', {
	placeholder: 'e.g. Example Inc.',
});

const keyOfDomain = (values: { domain: string }): string => `account domain ${values.domain}`;

const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create account',
	description: 'Create an account for a company domain',
	properties: [accountDomain, { ...additionalFields, options: [accountName] }],
	checks: { ...cellChecks('account'), additionalFields: cellChecks('account') },
	writes: { id: 'accountId', changes: (values) => [keyOfDomain(values)] },
	request: (values) =>
		POST(at.account`/accounts`, { domain: values.domain, ...values.additionalFields }),
});

const upsert = defineOperation({
	name: 'Create or Update',
	value: 'upsert',
	action: 'Create or update account',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	forModels:
		'Prefer this over Create and Update: it finds the account by its domain, so that no ID is needed.',
	properties: [
		accountDomain,
		{ ...accountName, required: true },
		{ ...ownOptions, options: [includeEmptyOnly] },
	],
	checks: cellChecks('account'),
	writes: {
		id: 'accountId',
		changes: (values) => [keyOfDomain(values)],
		outcomes: ['created', 'updated', 'unchanged'],
	},
	// An account that the search does not show would be created again.
	keepsWhole: ['options.includeEmptyOnly'],
	uses: ['GET /v0/accounts/search', 'POST /v0/accounts', 'PATCH /v0/accounts/{account_id}'],
	request: ({ domain, name }) => POST(at.account`/accounts`, { domain, name }),
	run: async (given, context) => {
		const { values, run } = takeLastName(given, context);
		return await ensureRecord<UpsertValues>(values, run, {
			...findByDomain,
			update: (account, wanted) => {
				refuseOtherAccount(account, wanted);
				const { name } = wanted;
				if (hasName(account, name)) return undefined;
				// In a dry run, an account that an earlier item would create has no ID.
				const id = String(account.accountId ?? (run.isDryRun ? 'new' : ''));
				return PATCH(at.account`/accounts/${id}`, { name });
			},
		});
	},
	output: {
		adds: { outcome: { type: 'string' } },
		forTools: ['accountId', 'domain', 'name', 'outcome'],
	},
});

interface DomainValues {
	domain: string;
	options: { includeEmptyOnly?: string };
}

const findByDomain: FindGroup<DomainValues> = {
	id: 'accountId',
	key: keyOfDomain,
	// There is no list of accounts.
	openFinder:
		(run) =>
		async ({ domain, options: { includeEmptyOnly } }) =>
			await searchSpellings(run, domain, GET(at.account`/accounts/search`, { includeEmptyOnly }), {
				id: 'accountId',
				pick: (account) => (identityOf(readDomain, account.domain) === domain ? [account] : []),
			}),
	describeSeveral: ({ domain }) => `accounts have the domain "${domain}"`,
	otherwise: 'use Account > Update with its ID',
};

interface UpsertValues extends DomainValues {
	name: string;
}

/** Contacts of one company name it differently. Each item with its own name would change the account, every night. */
function takeLastName<V extends UpsertValues>(
	given: V,
	context: ItemContext<V>,
): { values: V; run: ItemContext<V> } {
	const { all, request, once, hint } = context;
	const names = once('names', () => new Map(all.map(({ domain, name }) => [domain, name])));
	const name = names.get(given.domain) ?? given.name;
	if (!hasName(given, name))
		hint(
			'Items of one domain have different names. The account gets the name of the last of these items.',
		);
	const body = { ...request.body, name };
	return { values: { ...given, name }, run: { ...context, request: { ...request, body } } };
}

/**
 * A service may count one domain to another, and return the account of that one. Where the names differ too, it existed
 * before, and the name of the asked domain is not its own.
 */
function refuseOtherAccount(account: IDataObject, { domain, name }: UpsertValues): void {
	const { accountId, domain: stored } = account;
	if (typeof stored !== 'string' || hasName(account, name)) return;
	if (identityOf(readDomain, stored) === domain) return;
	throw new DescribedError(
		`The service returned the account of "${stored}" for "${domain}". The name of that account was not changed`,
		'To change the name of that account, enter its own domain.',
		{ accountId },
	);
}

/** A service may store a name without its superfluous blanks. */
function hasName(account: { name?: unknown }, name: string): boolean {
	return identityOf(readName, account.name) === identityOf(readName, name);
}

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get account',
	description: 'Find an account by its domain',
	properties: [accountDomain, { ...ownOptions, options: [includeEmptyOnly, keepEmpty] }],
	checks: cellChecks('account'),
	uses: ['GET /v0/accounts/search'],
	request: ({ domain, options: { includeEmptyOnly } }) =>
		GET(at.account`/accounts/search`, { query: domain, includeEmptyOnly }),
	run: async (values, run) =>
		await findRecord<DomainValues>(values, run, { ...findByDomain, otherwise: 'use its ID' }),
	output: { shape: accountSearchItemShape, adds: { found: isFound } },
});

const getActivity = defineOperation({
	name: 'Get Activity',
	value: 'getActivity',
	action: 'Get account activity',
	description: 'List the activity of an account',
	properties: [accountId, { ...ownOptions, options: [includeDeleted, includePersonActivity] }],
	checks: { accountId: accountIdFormat },
	request: ({ accountId: id, options: { includeDeleted, includePersonActivity } }) =>
		GET(at.account`/accounts/${id}/activity`, { includeDeleted, includePersonActivity }),
	paging: 'offset',
	output: { shape: activityShape },
});

const search = defineOperation({
	name: 'Search',
	value: 'search',
	action: 'Search accounts',
	description: 'Search accounts by name or domain, or list all',
	properties: [
		textField('Query', 'query', 'Name or domain to search for', {
			placeholder: 'e.g. example.com',
		}),
		{ ...ownOptions, options: [includeEmptyOnly] },
	],
	checks: { query: namingText },
	narrowedBy: { query: 'enter the name or domain of an account' },
	request: ({ query, options: { includeEmptyOnly } }) =>
		GET(at.account`/accounts/search`, { query, includeEmptyOnly }),
	paging: 'cursor',
	output: { shape: accountSearchItemShape },
});

const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update account',
	description: 'Change the name of an account',
	properties: [
		accountId,
		{ ...accountName, required: true, description: 'New company name, up to 255 characters' },
	],
	checks: { ...cellChecks('account'), accountId: accountIdFormat },
	writes: { id: 'accountId', changes: ({ accountId: id }) => [`account ${id}`] },
	request: ({ accountId: id, name }) => PATCH(at.account`/accounts/${id}`, { name }),
});

export const account: Operation[] = [create, upsert, get, getActivity, search, update];
