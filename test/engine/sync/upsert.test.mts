import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type FirstCreation, run as runWith, sandbox } from './creating.mts';
import { requestLimits } from '../../groups.mts';

const { store, guesses } = sandbox;
beforeEach(() => store.accounts.clear());

const parameters: INodeParameters = {
	resource: 'account',
	operation: 'upsert',
	domain: '={{ $json.domain }}',
	name: '={{ $json.name }}',
};
type UpsertRun = Partial<Parameters<typeof runWith>[1]>;
const run = async (items: IDataObject[], given: UpsertRun = {}) => {
	const result = await runWith(items, { parameters, ...given });
	const isWrite = (request: string) => !request.startsWith('GET');
	return { ...result, writes: result.requests.filter(isWrite) };
};
const onError = 'continueErrorOutput';

const longAgo = '2020-01-01T00:00:00.000Z';
let added = 0;
const add = (domain: string, name = 'Old') => {
	const moments = { createdAt: longAgo, updatedAt: longAgo, latestActivityAt: null };
	const accountId = `account_${String(++added).padStart(26, '0')}`;
	return store.accounts.add({ accountId, tenantId: 'tenant', domain, name, ...moments });
};
const named = (domain: string) =>
	store.accounts.all().flatMap((each) => (each.domain === domain ? [each.name] : []));

test('finds, renames and creates accounts by their domain', async () => {
	// The service has tidied the name.
	const first = add('one.example', 'Zoë & Co');
	const second = add('two.example');
	// A search finds it, too.
	add('shop.one.example');
	const result = await run([
		{ domain: 'one.example', name: ' Zoe\u0308 \u00a0& Co' },
		{ domain: 'https://WWW.TWO.example:443/about?x=1', name: 'Renamed' },
		{ domain: 'Info@New.example', name: 'New' },
	]);
	expect(result.outcomes).toEqual(['unchanged', 'updated', 'created']);
	expect(result.output[0].json).toMatchObject({ ...first, outcome: 'unchanged' });
	expect(result.output[2].json).toMatchObject({ domain: 'new.example', name: 'New' });
	expect(named('two.example')).toEqual(['Renamed']);
	expect(result.writes).toEqual([`PATCH /v0/accounts/${second.accountId}`, 'POST /v0/accounts']);
	expect(result.hints).toEqual(['1 created, 1 updated, 1 unchanged']);
});

describe('items with one domain', () => {
	const items = [
		['www.One.example', 'A'],
		['https://one.example/', 'A'],
		['two.example', 'Two'],
		['one.example', ' B'],
		['info@ONE.example', 'B'],
	].map(([domain, name]) => ({ domain, name }));
	const options = requestLimits({ concurrency: 10 });
	const hint =
		'Items of one domain have different names. The account gets the name of the last of these items [items 0 and 1, counted from 0].';

	test('share what the first one found, and the name of the last one', async () => {
		guesses.searchLagMs = 60_000;
		const { outcomes, requests, hints } = await run(items, { options });
		expect(outcomes).toEqual(['created', 'unchanged', 'created', 'unchanged', 'unchanged']);
		expect([named('one.example'), named('two.example')]).toEqual([['B'], ['Two']]);
		expect(requests.filter((each) => each.includes('search'))).toHaveLength(2);
		expect(hints).toEqual(['2 created, 3 unchanged', hint]);
	});

	test('change their account once, and not at all in the second night', async () => {
		const { accountId } = add('one.example', 'A');
		add('two.example', 'Two');
		const first = await run(items, { options });
		expect(first.writes).toEqual([`PATCH /v0/accounts/${accountId}`]);
		expect(first.outcomes[0]).toBe('updated');
		const second = await run(items, { options });
		expect(second.writes).toEqual([]);
		expect(second.hints).toEqual(['5 unchanged', hint]);
		expect(named('one.example')).toEqual(['B']);
	});

	test('take no name from an item that is invalid', async () => {
		const invalid = { domain: 'one.example', name: 'N/A' };
		const { errors } = await run([...items, invalid], { options, onError });
		expect(errors).toHaveLength(1);
		expect(named('one.example')).toEqual(['B']);
	});
});

test.each(['münchen.example', 'xn--mnchen-3ya.example'])(
	'finds a domain with other letters that is stored as %s',
	async (domain) => {
		const { accountId } = add(domain);
		const asked = ['https://MÜNCHEN.example/', 'www.xn--mnchen-3ya.example'];
		for (const each of asked) {
			const items = [each, 'one.example'].map((of) => ({ domain: of, name: `By ${each}` }));
			const { output, outcomes } = await run(items);
			expect(outcomes[0]).toBe('updated');
			expect(output[0].json.accountId).toBe(accountId);
		}
	},
);

test('updates an account that only the attempt to create it, or an option, brings to light', async () => {
	guesses.emptyAccounts = 'hidden';
	add('one.example');
	const items = ['one.example', 'two.example'].map((domain) => ({ domain, name: 'New' }));
	expect((await run(items)).outcomes).toEqual(['updated', 'created']);
	const again = await run(items, { options: { includeEmptyOnly: ' true ' } });
	expect(again.outcomes).toEqual(['unchanged', 'unchanged']);
	expect(named('one.example')).toEqual(['New']);
});

test('several accounts with one domain are named, and nothing is written to them', async () => {
	const accountIds = [1, 2].map(() => add('one.example').accountId);
	const items = ['one.example', 'two.example'].map((domain) => ({ domain, name: 'A' }));
	const { errors, writes } = await run(items, { onError });
	expect(errors[0].json).toMatchObject({
		error: `2 accounts have the domain "one.example": ${accountIds.join(' and ')} [item 0]`,
		details: {
			description:
				'Nothing was written. Keep one of them in the service, or use Account > Update with its ID.',
			accountIds,
		},
	});
	expect(writes).toEqual(['POST /v0/accounts']);
});

describe('a creation whose response is lost', () => {
	const items = ['one.example', 'two.example'].map((domain) => ({ domain, name: domain }));
	beforeEach(() => (guesses.existingAccount = 'duplicate'));

	test.each<[FirstCreation, sent: number]>([
		['lost after the work', 2],
		['lost before the work', 3],
		[{ status: 503, body: {} }, 3],
	])('is looked into, and created where it is not there: %j', async (first, sent) => {
		const { outcomes, creations } = await run(items, { first });
		expect(outcomes).toEqual(['created', 'created']);
		expect(items.map(({ domain }) => named(domain).length)).toEqual([1, 1]);
		expect(creations).toBe(sent);
	});

	test('is looked into by a Retry', async () => {
		const options = requestLimits({ maxRetries: 0 });
		const retryOf = await run(items, { first: 'lost before the work', options });
		expect(retryOf.error?.message).toContain('connection');
		expect((await run(items, { retryOf })).outcomes).toEqual(['created', 'created']);
		expect(items.map(({ domain }) => named(domain))).toEqual([['one.example'], ['two.example']]);
	});

	test('is in doubt for the next item with the domain, which waits for the search', async () => {
		guesses.searchLagMs = 1_500;
		const same = ['A', 'B'].map((name) => ({ domain: 'one.example', name }));
		const options = requestLimits({ maxRetries: 0 });
		const given = { first: 'lost after the work', options, onError } as const;
		const { errors, outcomes, writes } = await run(same, given);
		expect(errors.map(({ json }) => json.details)).toMatchObject([{ maybeDone: true }]);
		expect(outcomes).toEqual(['created']);
		expect(writes).toEqual(['POST /v0/accounts']);
	});
});

describe('a change whose response is lost', () => {
	/** Loses the first response to a change, or several. */
	const losing = (count: number, isDone: boolean): UpsertRun => {
		let changes = 0;
		return {
			answer: (request) => {
				const isLost = request.method === 'PATCH' && changes++ < count;
				if (!isLost) return sandbox.answer(request);
				if (isDone) sandbox.answer(request);
				return { lost: 'ECONNRESET', message: 'lost' };
			},
			options: requestLimits({ maxRetries: 0 }),
		};
	};
	const item = { domain: 'one.example', name: 'New' };
	beforeEach(() => add('one.example'));

	test.each([
		['made', 'unchanged', true],
		['not made', 'updated', false],
	])('and which was %s is told by a Retry as %s', async (_, outcome, isDone) => {
		const retryOf = await run([item], losing(1, isDone));
		expect(retryOf.error?.message).toContain('connection');
		expect((await run([item], { retryOf })).outcomes).toEqual([outcome]);
		expect(named('one.example')).toEqual(['New']);
	});

	// What was found before the change is not believed any more.
	test.each([
		['made', 'unchanged', true],
		['not made', 'updated', false],
	])('and which was %s leaves the next item %s', async (_, outcome, isDone) => {
		const { outcomes, writes } = await run([item, item], { ...losing(1, isDone), onError });
		expect(outcomes).toEqual([outcome]);
		expect(writes).not.toContain('POST /v0/accounts');
		expect(named('one.example')).toEqual(['New']);
	});

	test('is no creation where only the attempt to create the account brought it to light', async () => {
		guesses.emptyAccounts = 'hidden';
		const items = [item, { ...item, domain: 'two.example' }];
		const retryOf = await run(items, losing(1, true));
		guesses.emptyAccounts = 'shown';
		expect((await run(items, { retryOf })).outcomes).toEqual(['unchanged', 'created']);
	});

	test('is no creation when Retry On Fail sends two items with the domain again', async () => {
		const { outcomes } = await run([item, item], {
			...losing(2, false),
			onError: 'continueRegularOutput',
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(outcomes).toEqual(['updated', 'unchanged']);
	});

	test('is no doubt for the items after one that found the account again', async () => {
		const { outcomes } = await run([item, item, item], { ...losing(1, false), onError });
		expect(outcomes).toEqual(['updated', 'unchanged']);
	});
});

test('the account of another domain, which the service returns for a part of it, keeps its name', async () => {
	const { accountId } = add('other.example');
	const first = { status: 200, body: { accountId, domain: 'other.example', name: 'Old' } };
	const items = ['shop.other.example', 'https://shop.other.example/', 'new.example'].map(
		(domain) => ({ domain, name: 'Shop' }),
	);
	const { errors, outcomes, writes } = await run(items, { first, onError });
	expect(errors.map(({ json }) => json)).toMatchObject(
		[0, 1].map((item) => ({
			error: `The service returned the account of "other.example" for "shop.other.example". The name of that account was not changed [item ${item}]`,
			details: {
				description: 'To change the name of that account, enter its own domain.',
				accountId,
			},
		})),
	);
	expect(outcomes).toEqual(['created']);
	expect(writes).not.toContain(`PATCH /v0/accounts/${accountId}`);
	// With the same name, it was probably created now.
	const own = await run([{ domain: 'blog.other.example', name: 'Old' }], { first });
	expect(own.outcomes).toEqual(['created']);
});

test('a model gets little, and reads all of it', async () => {
	const { output, hints } = await run([{ domain: 'one.example', name: 'One' }], { asTool: true });
	expect(output.map(({ json }) => Object.keys(json))).toEqual([
		['accountId', 'domain', 'name', 'outcome'],
	]);
	expect(hints).toEqual([]);
});
