import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run, RunResult } from '../engine.mts';
import { openStage } from '../stage.mts';

const stage = openStage();

const parameters: INodeParameters = {
	resource: 'account',
	operation: 'upsert',
	domain: '={{ $json.domain }}',
	name: '={{ $json.name }}',
	options: { concurrency: 1 },
};

const run = async (items: IDataObject[], given = parameters, more: Partial<Run> = {}) =>
	await stage.run(given, items, more);
const outcomes = ({ output }: RunResult) => output.map(({ json }) => json.outcome ?? json.error);
const accounts = () => stage.sandbox.store.accounts.all();
const sentWrites = () => stage.received.filter((request) => !request.startsWith('GET'));

test('finds, renames and creates accounts by their domain', async () => {
	const [first, second] = accounts();
	const result = await run([
		{ domain: first.domain, name: first.name },
		{ domain: `https://WWW.${second.domain.toUpperCase()}:443/about?x=1`, name: 'Renamed' },
		{ domain: 'Info@Brand-New.example', name: 'Brand New' },
	]);
	expect(result.error).toBeUndefined();
	expect(outcomes(result)).toEqual(['unchanged', 'updated', 'created']);
	expect(result.output.map(({ json }) => json.domain)).toEqual([
		first.domain,
		second.domain,
		'brand-new.example',
	]);
	expect(result.output[0].json).toHaveProperty('linkedPersonsCount');
	expect(stage.sandbox.store.accounts.get(second.accountId)?.name).toBe('Renamed');
	expect(sentWrites()).toEqual([`PATCH /v0/accounts/${second.accountId}`, 'POST /v0/accounts']);
	expect(result.hints).toContain('1 created, 1 updated, 1 unchanged');
});

test('takes no account of another domain for the one that it searches', async () => {
	const [first, second, third] = accounts();
	const body = { items: [second, first, third], hasMore: false, nextOffset: null };
	const fault = {
		kind: 'status',
		status: 200,
		body,
		operationId: 'searchAccounts',
		times: 9,
	} as const;
	stage.sandbox.faults.add(fault);
	const result = await run([
		{ domain: first.domain, name: 'Renamed' },
		{ domain: 'brand-new.example', name: 'New' },
	]);
	expect(outcomes(result)).toEqual(['updated', 'created']);
	expect(result.output[0].json.accountId).toBe(first.accountId);
});

test('leaves names alone that the service has tidied', async () => {
	const items = [
		{ domain: 'alpha.example', name: ' Alpha  GmbH ' },
		{ domain: 'zoe.example', name: 'Zoe\u0308 \u00a0& Co' },
	];
	expect(outcomes(await run(items))).toEqual(['created', 'created']);
	for (const account of accounts().slice(-2))
		account.name = String(account.name).replace(/\s+/g, ' ').trim().normalize('NFC');
	expect(outcomes(await run(items))).toEqual(['unchanged', 'unchanged']);
	const renamed = items.map(({ domain }) => ({ domain, name: 'Alpha AG' }));
	expect(outcomes(await run(renamed))).toEqual(['updated', 'updated']);
});

test('finds an international domain in either spelling', async () => {
	const items = [
		{ domain: 'https://www.Bücher.de/', name: 'Books' },
		{ domain: 'xn--bcher-kva.de', name: 'Books' },
	];
	expect(outcomes(await run(items))).toEqual(['created', 'unchanged']);
	expect(accounts().at(-1)?.domain).toBe('xn--bcher-kva.de');
	expect(outcomes(await run(items))).toEqual(['unchanged', 'unchanged']);
});

test.each(['upsert', 'create'])('%s sends nothing if an item has no domain', async (operation) => {
	const items = ['fine.example', 'https:', 'localhost'].map((domain) => ({ domain, name: 'A' }));
	const result = await run(items, { ...parameters, operation }, { onError: 'stopWorkflow' });
	expect(result.error?.message).toContain('Domain must be a domain such as "example.com"');
	expect(stage.received).toEqual([]);
});

test('shares the first response for equal domains, and the last name stays', async () => {
	stage.sandbox.guesses.searchLagMs = 60_000;
	const result = await run(
		[
			{ domain: 'www.Shared.example', name: 'A' },
			{ domain: 'other.example', name: 'Other' },
			{ domain: 'https://shared.example/', name: 'A' },
			{ domain: 'shared.example', name: 'B' },
			{ domain: 'info@SHARED.example', name: 'B' },
		],
		{ ...parameters, options: { concurrency: 10 } },
	);
	expect(outcomes(result)).toEqual(['created', 'created', 'unchanged', 'updated', 'unchanged']);
	expect(sentWrites()).toHaveLength(3);
	expect(accounts().filter(({ domain }) => domain === 'shared.example')).toMatchObject([
		{ name: 'B' },
	]);
	expect(stage.received.filter((each) => each.includes('search'))).toHaveLength(2);
});

test('updates the account that the service returns for a domain it knows', async () => {
	stage.sandbox.guesses.emptyAccounts = 'hidden';
	const account = stage.sandbox.store.accounts.add({
		...accounts()[0],
		accountId: `account_${'e'.repeat(26)}`,
		domain: 'empty.example',
		name: 'Old',
	});
	const items = [
		{ domain: 'empty.example', name: 'New' },
		{ domain: 'other.example', name: 'Other' },
	];
	expect(outcomes(await run(items))).toEqual(['updated', 'created']);
	expect(account.name).toBe('New');
	const again = await run(items, { ...parameters, options: { includeEmptyOnly: ' true ' } });
	expect(outcomes(again)).toEqual(['unchanged', 'unchanged']);
});

test('looks again after a conflict, and fails the item where there is nothing to find', async () => {
	Object.assign(stage.sandbox.guesses, { existingAccount: 'conflict', emptyAccounts: 'hidden' });
	const lonely = {
		...accounts()[0],
		accountId: `account_${'f'.repeat(26)}`,
		domain: 'lonely.example',
	};
	stage.sandbox.store.accounts.add(lonely);
	const result = await run(
		[
			{ domain: 'lonely.example', name: 'A' },
			{ domain: 'fine.example', name: 'B' },
		],
		parameters,
		{ onError: 'continueErrorOutput' },
	);
	expect(result.errors.map(({ json }) => json.details)).toMatchObject([
		{ status: 409, itemIndex: 0 },
	]);
	expect(outcomes(result)).toEqual(['created']);
});

test('names several accounts with the domain, and writes nothing to them', async () => {
	const [account] = accounts();
	stage.sandbox.store.accounts.add({ ...account, accountId: `account_${'g'.repeat(26)}` });
	const result = await run(
		[
			{ domain: account.domain, name: 'A' },
			{ domain: 'fine.example', name: 'B' },
		],
		parameters,
		{ onError: 'continueRegularOutput' },
	);
	const accountIds = [account.accountId, `account_${'g'.repeat(26)}`];
	expect(result.output[0].json).toMatchObject({
		error: `2 accounts have the domain "${account.domain}": ${accountIds.join(' and ')} [item 0]`,
		details: {
			description:
				'Nothing was written. Keep one of them in the service, or use Account > Update with its ID.',
			accountIds,
		},
	});
	expect(sentWrites()).toEqual(['POST /v0/accounts']);
});

test.each(['resetAfter', 'resetBefore'] as const)(
	'creates no second account after an answer that is lost (%s)',
	async (kind) => {
		stage.sandbox.guesses.existingAccount = 'duplicate';
		stage.sandbox.faults.add({ operationId: 'createAccount', kind });
		const result = await run(
			[
				{ domain: 'lost.example', name: 'A' },
				{ domain: 'kept.example', name: 'B' },
			],
			parameters,
			{ onError: 'continueErrorOutput' },
		);
		const created = accounts().filter(({ domain }) => domain === 'lost.example');
		if (kind === 'resetAfter') {
			expect(outcomes(result)).toEqual(['created', 'created']);
			expect(created).toHaveLength(1);
		} else {
			// No list of accounts can prove that there is none.
			expect(result.errors.map(({ json }) => json.details)).toMatchObject([{ maybeDone: true }]);
			expect(created).toHaveLength(0);
		}
	},
);

test('creates an account whose request was lost, once a person has looked and chose Retry', async () => {
	stage.sandbox.faults.add({ operationId: 'createAccount', kind: 'resetBefore' });
	const items = ['first.example', 'second.example'].map((domain) => ({ domain, name: domain }));
	const options = { concurrency: 1 };
	const failed = await run(items, { ...parameters, options });
	expect(failed.error?.message).toContain('connection');
	const result = await run(items, { ...parameters, options }, { retryOf: failed });
	expect(outcomes(result)).toEqual(['created', 'created']);
	for (const { domain } of items)
		expect(accounts().filter((account) => account.domain === domain)).toHaveLength(1);
});

test('never renames the account of another domain, which the service returns for a part of it', async () => {
	const [account, other] = accounts();
	const { accountId, domain, name } = account;
	const body = { ...account, linkedPersons: [] };
	const times = Infinity;
	const fault = { kind: 'status', status: 200, body, times } as const;
	stage.sandbox.faults.add({ operationId: 'createAccount', ...fault });
	const result = await run(
		[
			{ domain: `shop.${domain}`, name: 'Shop' },
			{ domain: `blog.${domain}`, name },
			{ domain: `https://shop.${domain}/`, name: 'Shop' },
			{ domain: other.domain, name: 'Renamed' },
		],
		parameters,
		{ onError: 'continueErrorOutput' },
	);
	const message = `The service returned the account of "${domain}" for "shop.${domain}". Its name is unchanged`;
	expect(result.errors.map(({ json }) => json)).toMatchObject(
		[0, 2].map((item) => ({
			error: `${message} [item ${item}]`,
			details: {
				description: 'To change the name of that account, enter its own domain.',
				accountId,
			},
		})),
	);
	expect(outcomes(result)).toEqual(['created', 'updated']);
	expect(sentWrites().filter((each) => each.startsWith('PATCH'))).toEqual([
		`PATCH /v0/accounts/${other.accountId}`,
	]);
	expect(stage.sandbox.store.accounts.get(accountId)?.name).toBe(name);
});

test('returns little to a model, which reads all of it', async () => {
	const { output, hints } = await run([{ domain: 'tool.example', name: 'Tool' }], parameters, {
		asTool: true,
	});
	expect(output.map(({ json }) => Object.keys(json))).toEqual([
		['accountId', 'domain', 'name', 'outcome'],
	]);
	expect(hints).toEqual([]);
});

test('says in a dry run what would happen', async () => {
	const [known] = accounts();
	const result = await run(
		[
			{ domain: known.domain, name: known.name },
			{ domain: known.domain, name: 'Other' },
			{ domain: 'new.example', name: 'New' },
			{ domain: 'new.example', name: 'New' },
		],
		{ ...parameters, options: { dryRun: true } },
	);
	const id = { accountId: known.accountId };
	expect(result.output.map(({ json }) => json)).toMatchObject([
		{ request: null, outcome: 'unchanged', ...id },
		{
			request: {
				method: 'PATCH',
				path: `/v0/accounts/${known.accountId}`,
				body: { name: 'Other' },
			},
			outcome: 'wouldUpdate',
			...id,
		},
		{
			request: { method: 'POST', body: { domain: 'new.example', name: 'New' } },
			outcome: 'wouldCreate',
		},
		{ request: null, outcome: 'unchanged' },
	]);
	expect(sentWrites()).toEqual([]);
});

test('of which the creation is in doubt is not created for the next item either', async () => {
	Object.assign(stage.sandbox.guesses, { existingAccount: 'duplicate', searchLagMs: 60_000 });
	stage.sandbox.faults.add({ operationId: 'createAccount', kind: 'resetAfter' });
	const items = ['A', 'B'].map((name) => ({ domain: 'doubt.example', name }));
	const { errors } = await run(items, parameters, { onError: 'continueErrorOutput' });
	expect(errors).toHaveLength(2);
	expect(errors.map(({ json }) => json.details)).toMatchObject([
		{ maybeDone: true },
		{ maybeDone: true },
	]);
	expect(sentWrites()).toEqual(['POST /v0/accounts']);
});
