import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { requestLimits } from '../../groups.mts';
import { startOfTime } from '../clock.mts';
import { originOf } from '../engine.mts';
import type { Reply } from '../fakeNetwork.mts';
import { type FirstCreation, lost, run as runWith, sandbox } from './creating.mts';

/* Person > Create or Get, and Account > Create or Update. Who is found, whatever the service's search and list show, is in
 * properties/createOrGet. */

const { store, guesses } = sandbox;
// A made person works somewhere.
const [employer] = store.accounts;
beforeEach(() => {
	store.accounts.clear();
	store.accounts.add(employer);
});

const person: INodeParameters = {
	...{ resource: 'person', operation: 'createOrGet', matchOn: 'email' },
	...{ email: '={{ $json.email }}', name: '={{ $json.name ?? "Somebody" }}' },
};
const account: INodeParameters = {
	...{ resource: 'account', operation: 'upsert' },
	...{ domain: '={{ $json.domain }}', name: '={{ $json.name }}' },
};
const matching = (matchOn: string): INodeParameters => ({
	...{ ...person, matchOn },
	[matchOn]: '={{ $json.value }}',
});

type LookUpRun = Partial<Parameters<typeof runWith>[1]>;
const run = async (items: IDataObject[], given: LookUpRun = {}) => {
	const result = await runWith(items, { parameters: person, ...given });
	return { ...result, writes: result.requests.filter((each) => !each.startsWith('GET')) };
};
const upsert = async (items: IDataObject[], given: LookUpRun = {}) =>
	await run(items, { parameters: account, ...given });
const onError = 'continueErrorOutput';
const conflict: Reply = { status: 409, body: {} };
const noRetries = requestLimits({ maxRetries: 0 });
const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const add = (of: IDataObject) => {
	const nothing = { email: null, phoneNumber: null, linkedinProfileUrl: null, domain: null };
	return store.addPersons(1, { ...nothing, ...of })[0];
};
const longAgo = '2020-01-01T00:00:00.000Z';
let added = 0;
const addAccount = (domain: string, name = 'Old') => {
	const moments = { createdAt: longAgo, updatedAt: longAgo, latestActivityAt: null };
	const accountId = `account_${String(++added).padStart(26, '0')}`;
	return store.accounts.add({ accountId, tenantId: 'tenant', domain, name, ...moments });
};
const named = (domain: string) =>
	store.accounts.all().flatMap((each) => (each.domain === domain ? [each.name] : []));
/** How many records there are of each item. */
const countEach = (items: IDataObject[]) =>
	items.map(({ email, domain }) =>
		domain === undefined
			? store.persons.all().filter((each) => each.email === email).length
			: named(String(domain)).length,
	);

test('who exists is returned, and others are created once', async () => {
	const ada = add({ name: 'Ada', email: 'ada@a.example' });
	const emails = [' ADA@a.example ', 'bea@b.example', 'Bea@b.example'];
	const items = emails.map((email) => ({ email, name: 'New' }));
	const result = await run(items, { options: requestLimits({ concurrency: 10 }) });
	const outcomes = ['found', 'created', 'found'];
	expect(result).toMatchObject({ outcomes, creations: 1, hints: ['1 created, 2 found'] });
	const [first, bea, third] = result.output.map(({ json }) => json);
	expect(first).toEqual({ ...ada, outcome: 'found' });
	expect(bea).toMatchObject({ name: 'New', email: 'bea@b.example' });
	expect(third.personId).toBe(bea.personId);
	expect(result.output.map(originOf)).toEqual([0, 1, 2]);
});

test('finds, renames and creates accounts by their domain', async () => {
	// The service has tidied the name.
	const first = addAccount('one.example', 'Zoë & Co');
	const second = addAccount('two.example');
	// A search finds it, too.
	addAccount('shop.one.example');
	const result = await upsert([
		{ domain: 'one.example', name: ' Zoe\u0308 \u00a0& Co' },
		{ domain: 'https://WWW.TWO.example:443/about?x=1', name: 'Renamed' },
		{ domain: 'Info@New.example', name: 'New' },
	]);
	expect(result.output.map(({ json }) => json)).toMatchObject([
		{ ...first, outcome: 'unchanged' },
		{ accountId: second.accountId, name: 'Renamed', outcome: 'updated' },
		{ domain: 'new.example', name: 'New', outcome: 'created' },
	]);
	expect(named('two.example')).toEqual(['Renamed']);
	expect(result.writes).toEqual([`PATCH /v0/accounts/${second.accountId}`, 'POST /v0/accounts']);
	expect(result.hints).toEqual(['1 created, 1 updated, 1 unchanged']);
});

test('who is listed without an ID is the error of the item', async () => {
	const answer = () => ({ status: 200, body: { items: [{ email: 'ada@a.example' }] } });
	const items = ['ada@a.example', 'ADA@a.example'].map((email) => ({ email }));
	const { errors } = await run(items, { answer, onError });
	expect(errors.map(({ json }) => json.error)).toEqual(
		[0, 1].map((item) => `The service listed the record without its personId [item ${item}]`),
	);
});

const otherField = 'Keep one of them in the service, or match on another field.';
const nothing = 'Nothing was written.';

// Of Get, which writes nothing, that is not told.
test.each<[operation: string, told: string, written: string[]]>([
	['person.createOrGet', `${nothing} ${otherField}`, ['POST /v0/persons']],
	['person.get', otherField, []],
	[
		'account.upsert',
		`${nothing} Keep one of them in the service, or use Account > Update with its ID.`,
		['POST /v0/accounts'],
	],
	['account.get', 'Keep one of them in the service, or use its ID.', []],
])('several with one value are the error of their item in %s, with their IDs', async (...row) => {
	const [name, description, writes] = row;
	const [resource, operation] = name.split('.');
	const isOfPeople = resource === 'person';
	const personIds = [1, 2].map(() => add({ email: 'ada@a.example' }).personId);
	const accountIds = [1, 2].map(() => addAccount('a.example').accountId);
	const domains = ['a.example', 'b.example'];
	const items = domains.map((domain) => ({ name: 'Ada', email: `ada@${domain}`, domain }));
	const parameters = { ...(isOfPeople ? person : account), operation };
	const result = await run(items, { parameters, onError });
	const [are, ids] = isOfPeople
		? ['people have "ada@a.example"', personIds]
		: ['accounts have the domain "a.example"', accountIds];
	const details = { description, [`${resource}Ids`]: ids };
	expect(result.errors.map(({ json }) => json)).toMatchObject([
		{ error: `2 ${are}: ${ids.join(' and ')} [item 0]`, details },
	]);
	expect(result.writes).toEqual(writes);
});

test.each([
	['Phone Number', { ...matching('phoneNumber'), phoneNumber: ' - ' }],
	[
		'Additional Fields > Email is already set under Match On [all 2 items]',
		{ ...person, additionalFields: { email: 'other@b.example' } },
	],
])('%s is refused before anything is sent', async (message, given) => {
	const items = ['ada@a.example', 'bea@b.example'].map((email) => ({ email }));
	const { error, requests } = await run(items, { parameters: given });
	expect(error?.message).toContain(message);
	expect(requests).toEqual([]);
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
		const { outcomes, requests, hints } = await upsert(items, { options });
		expect(outcomes).toEqual(['created', 'unchanged', 'created', 'unchanged', 'unchanged']);
		expect([named('one.example'), named('two.example')]).toEqual([['B'], ['Two']]);
		expect(requests.filter((each) => each.includes('search'))).toHaveLength(2);
		expect(hints).toEqual(['2 created, 3 unchanged', hint]);
	});

	test('change their account once, and not at all in the second night', async () => {
		const { accountId } = addAccount('one.example', 'A');
		addAccount('two.example', 'Two');
		const first = await upsert(items, { options });
		expect(first.writes).toEqual([`PATCH /v0/accounts/${accountId}`]);
		expect(first.outcomes[0]).toBe('updated');
		const second = await upsert(items, { options });
		expect(second.writes).toEqual([]);
		expect(second.hints).toEqual(['5 unchanged', hint]);
		expect(named('one.example')).toEqual(['B']);
	});

	test('take no name from an item that is invalid', async () => {
		const invalid = { domain: 'one.example', name: 'N/A' };
		const { errors } = await upsert([...items, invalid], { options, onError });
		expect(errors).toHaveLength(1);
		expect(named('one.example')).toEqual(['B']);
	});
});

describe('the look-up', () => {
	const search = 'GET /v0/persons/search';
	const list = 'GET /v0/persons';
	const create = 'POST /v0/persons';

	test.each<[lookup: string, emails: string[], requests: string[], outcomes: string[]]>([
		['auto', ['ada@a.example'], [search], ['found']],
		['auto', ['new@b.example'], [search, list, create], ['created']],
		['auto', ['new@b.example', 'ada@a.example'], [list, create], ['created', 'found']],
		['list', ['ada@a.example'], [list], ['found']],
		['search', ['new@b.example', 'ada@a.example'], [search, create, search], ['created', 'found']],
	])('%s of %j sends %j', async (lookup, emails, requests, outcomes) => {
		guesses.maximumLimit = 1_000;
		add({ email: 'ada@a.example' });
		const result = await run(
			emails.map((email) => ({ email })),
			{ options: { lookup } },
		);
		expect(result).toMatchObject({ requests, outcomes });
	});

	test.each([
		['person', 'found', 'münchen.example'],
		['person', 'found', 'xn--mnchen-3ya.example'],
		['account', 'updated', 'münchen.example'],
		['account', 'updated', 'xn--mnchen-3ya.example'],
	])('finds a domain with other letters in both forms: %s, %s, %s', async (of, outcome, stored) => {
		const isOfPeople = of === 'person';
		const given = isOfPeople ? { options: { lookup: 'search' } } : { parameters: account };
		const known = isOfPeople ? add({ email: `ada@${stored}` }) : addAccount(stored);
		for (const domain of ['MÜNCHEN.example', 'xn--mnchen-3ya.example']) {
			const items = [domain, 'one.example'].map((each) => ({
				...{ email: `Ada@${each}`, domain: `https://www.${each}/`, name: `By ${domain}` },
			}));
			const { output } = await run(items, given);
			const { personId, accountId } = output[0].json;
			expect(known).toMatchObject(isOfPeople ? { personId } : { accountId });
			expect(output[0].json.outcome).toBe(outcome);
		}
	});

	test('asks for the handle of a profile, because its address has many forms', async () => {
		const value = 'https://de.linkedin.com/in/ada-berg/?trk=1';
		const { exchanges } = await run([{ value }], { parameters: matching('linkedinProfileUrl') });
		expect(exchanges[0].request.query).toMatchObject({ query: 'ada-berg' });
	});
});

test('updates an account that only the attempt to create it, or an option, brings to light', async () => {
	guesses.emptyAccounts = 'hidden';
	addAccount('one.example');
	const items = ['one.example', 'two.example'].map((domain) => ({ domain, name: 'New' }));
	expect((await upsert(items)).outcomes).toEqual(['updated', 'created']);
	const again = await upsert(items, { options: { includeEmptyOnly: ' true ' } });
	expect(again.outcomes).toEqual(['unchanged', 'unchanged']);
	expect(named('one.example')).toEqual(['New']);
});

describe('a creation whose response is lost', () => {
	const people = ['lost@one.example', 'kept@one.example'].map((email) => ({ email }));
	const companies = ['lost.example', 'kept.example'].map((domain) => ({ domain, name: domain }));
	beforeEach(() => (guesses.existingAccount = 'duplicate'));

	test.each<[lookup: string | undefined, FirstCreation, sent: number]>([
		['auto', 'lost after the work', 2],
		['auto', 'lost before the work', 3],
		['auto', { status: 500, body: {} }, 3],
		['search', 'lost after the work', 2],
		['search', 'lost before the work', 3],
		['search', { status: 500, body: {} }, 3],
		// Nobody is there after a conflict.
		['auto', conflict, 3],
		[undefined, 'lost after the work', 2],
		[undefined, 'lost before the work', 3],
		[undefined, { status: 503, body: {} }, 3],
	])('is looked into (Lookup: %s), and made where it is not there: %j', async (...row) => {
		const [lookup, first, creations] = row;
		const items = lookup ? people : companies;
		const given = lookup ? { options: { lookup } } : { parameters: account };
		const result = await run(items, { ...given, first });
		expect(result).toMatchObject({ creations, outcomes: ['created', 'created'] });
		expect(countEach(items)).toEqual([1, 1]);
	});

	test('is looked into by Retry On Fail and by a Retry, too', async () => {
		const given = { first: 'lost after the work', options: noRetries } as const;
		expect((await run(people, { ...given, settings: retryOnFail })).outcomes).toEqual([
			'created',
			'created',
		]);
		const retryOf = await upsert(companies, { first: 'lost before the work', options: noRetries });
		expect(retryOf.error?.message).toContain('connection');
		expect((await upsert(companies, { retryOf })).outcomes).toEqual(['created', 'created']);
		expect(countEach([...people, ...companies])).toEqual([1, 1, 1, 1]);
	});

	test('is told as created, too, where the service answers the next attempt with a conflict', async () => {
		Object.assign(guesses, { existingPerson: 'conflict', searchLagMs: 3_000 });
		const options = { lookup: 'search' };
		const result = await run(people, { first: 'lost after the work', options });
		expect(result).toMatchObject({ creations: 3, outcomes: ['created', 'created'] });
	});

	test('leaves no doubt beside it when another item is cancelled while it looks', async () => {
		const controller = new AbortController();
		const { contextData } = await run(people, {
			options: noRetries,
			signal: controller.signal,
			answer: (request) => {
				controller.abort();
				return sandbox.answer(request);
			},
		});
		expect(JSON.stringify(contextData)).not.toContain('doubt');
	});

	// The next item also has something new.
	test.each<[maxRetries: number, outcomes: unknown[]]>([
		[0, [expect.stringContaining('connection'), 'created']],
		[3, ['created', 'found']],
	])('is known to the next item with the value (%i retries)', async (maxRetries, outcomes) => {
		const additionalFields = { phoneNumber: '={{ $json.phone }}' };
		const same = [people[0], { email: 'LOST@one.example', phone: '+49 30 12345' }];
		const result = await run(same, {
			parameters: { ...person, additionalFields },
			options: { ...requestLimits({ maxRetries }), lookup: 'list' },
			first: 'lost after the work',
			onError: 'continueRegularOutput',
		});
		expect(result).toMatchObject({ creations: 1, outcomes });
	});

	// A dry run takes back no doubt.
	test.each([false, true])(
		'is looked for twice by the next run (a dry run before: %s)',
		async (dry) => {
			const items = [people[0]];
			const underWay: Array<() => void> = [];
			await run(items, {
				options: noRetries,
				onError,
				answer: (request) => {
					if (request.method === 'GET') return sandbox.answer(request);
					underWay.push(() => sandbox.answer(request));
					return lost;
				},
			});
			if (dry) await run(items, { options: { dryRun: true } });
			await run(items, {
				answer: (request) => {
					const reply = sandbox.answer(request);
					// The service is done with the first attempt after this run's first look.
					const isListed =
						request.path === '/v0/persons' && 'status' in reply && reply.status === 200;
					if (isListed) underWay.pop()?.();
					return reply;
				},
			});
			expect(countEach(items)).toEqual([1]);
		},
	);

	test('is in doubt for the next item with the domain, which waits for the search', async () => {
		guesses.searchLagMs = 1_500;
		const same = ['A', 'B'].map((name) => ({ domain: 'one.example', name }));
		const given = { first: 'lost after the work', options: noRetries, onError } as const;
		const { errors, outcomes, writes } = await upsert(same, given);
		expect(errors.map(({ json }) => json.details)).toMatchObject([{ maybeDone: true }]);
		expect(outcomes).toEqual(['created']);
		expect(writes).toEqual(['POST /v0/accounts']);
	});
});

describe('a conflict', () => {
	const email = 'new@one.example';
	const items = [{ email }, { email: 'bea@b.example' }];

	test('with who is there by then finds that person', async () => {
		const now = new Date(startOfTime).toISOString();
		Object.assign(guesses, { existingPerson: 'conflict', searchLagMs: 60_000, listLagMs: 1_500 });
		add({ email, createdAt: now, updatedAt: now });
		const result = await run(items, { options: noRetries });
		expect(result).toMatchObject({ creations: 2, outcomes: ['found', 'created'] });
	});

	test('that comes again is the error of the item', async () => {
		const { errors, outcomes, writes } = await run(items, {
			onError,
			answer: (request) => {
				const isOfFirst = (request.body as IDataObject | undefined)?.email === email;
				return isOfFirst ? conflict : sandbox.answer(request);
			},
		});
		expect(outcomes).toEqual(['created']);
		const details = { status: 409, maybeDone: false, itemIndex: 0 };
		expect(errors.map(({ json }) => json.details)).toMatchObject([details]);
		expect(writes).toHaveLength(3);
	});
});

describe('a change whose response is lost', () => {
	/** Loses the first responses to a change. */
	const losing = (count: number, isDone: boolean): LookUpRun => {
		let changes = 0;
		return {
			answer: (request) => {
				const isLost = request.method === 'PATCH' && changes++ < count;
				if (!isLost) return sandbox.answer(request);
				if (isDone) sandbox.answer(request);
				return lost;
			},
			options: noRetries,
		};
	};
	const item = { domain: 'one.example', name: 'New' };
	const ways = {
		'a Retry': {},
		'the next item': { onError },
		'Retry On Fail': { onError: 'continueRegularOutput', settings: retryOnFail },
	} as const;
	beforeEach(() => addAccount('one.example'));

	// What was found before the change is not believed any more.
	test.each<[by: keyof typeof ways, items: number, lost: number, isDone: boolean, told: string[]]>([
		['a Retry', 1, 1, true, ['unchanged']],
		['a Retry', 1, 1, false, ['updated']],
		['the next item', 2, 1, true, ['unchanged']],
		['the next item', 2, 1, false, ['updated']],
		['the next item', 3, 1, false, ['updated', 'unchanged']],
		['Retry On Fail', 2, 2, false, ['updated', 'unchanged']],
	])('is seen to by %s: of %i items, %i lost, done: %s, told: %j', async (...row) => {
		const [by, count, lostChanges, isDone, told] = row;
		const items = Array<IDataObject>(count).fill(item);
		const first = await upsert(items, { ...losing(lostChanges, isDone), ...ways[by] });
		const result = by === 'a Retry' ? await upsert(items, { retryOf: first }) : first;
		expect(result.outcomes).toEqual(told);
		expect([...first.writes, ...result.writes]).not.toContain('POST /v0/accounts');
		expect(named('one.example')).toEqual(['New']);
	});

	test('is no creation where only the attempt to create the account brought it to light', async () => {
		guesses.emptyAccounts = 'hidden';
		const items = [item, { ...item, domain: 'two.example' }];
		const retryOf = await upsert(items, losing(1, true));
		guesses.emptyAccounts = 'shown';
		expect((await upsert(items, { retryOf })).outcomes).toEqual(['unchanged', 'created']);
	});
});

describe('what the service returns in place of a new person', () => {
	test.each<[what: string, status: number, phoneNumber: string | undefined, outcomes: string[]]>([
		['does not show the value', 201, undefined, ['created', 'found', 'created']],
		['is somebody who exists', 200, '(030) 1234567', ['found', 'found', 'created']],
		['has a completed number', 201, '+49 30 1234567', ['created', 'found', 'found']],
	])('%s', async (_, status, phoneNumber, outcomes) => {
		const items = ['030 1234567', '030/1234567', '+49 30 1234567'].map((value) => ({ value }));
		const first = { status, body: { personId: 'p', phoneNumber } };
		const result = await run(items, { parameters: matching('phoneNumber'), first });
		expect(result.outcomes).toEqual(outcomes);
		expect(result.output[1].json.personId).toBe('p');
		expect(result.hints).toHaveLength(1);
	});

	const bea = 'https://www.linkedin.com/in/bea';
	test.each([
		['email', 'ada@a.example', 'bea@b.example', 'Email is "ada@a.example"'],
		['linkedinProfileUrl', null, bea, 'LinkedIn Profile URL is empty'],
		// The service may have completed the number, or found someone else.
		['phoneNumber', '+49 30 7654321', '030 7654321', 'Phone Number is "+49 30 7654321"'],
	])('is not taken for another %s', async (matchOn, stored, value, told) => {
		const first = { status: 200, body: { personId: 'p', [matchOn]: stored } };
		const items = [value, value.replace(/bea|030/, '$&9')].map((each) => ({ value: each }));
		const { errors, output } = await run(items, { parameters: matching(matchOn), first, onError });
		const [{ error, details }] = errors.map(({ json }) => json);
		expect(error).toBe(
			`The service returned another person for "${value}": p, whose ${told} [item 0]`,
		);
		const description = expect.stringContaining('a value under Additional Fields') as string;
		expect(details).toMatchObject({ personId: 'p', description });
		expect(details).not.toHaveProperty('maybeDone');
		expect([errors, output].map(({ length }) => length)).toEqual([1, 1]);
	});
});

test('the account of another domain, which the service returns for a part of it, keeps its name', async () => {
	const { accountId } = addAccount('other.example');
	const first = { status: 200, body: { accountId, domain: 'other.example', name: 'Old' } };
	const items = ['shop.other.example', 'https://shop.other.example/', 'new.example'].map(
		(domain) => ({ domain, name: 'Shop' }),
	);
	const { errors, outcomes, writes } = await upsert(items, { first, onError });
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
	const own = await upsert([{ domain: 'blog.other.example', name: 'Old' }], { first });
	expect(own.outcomes).toEqual(['created']);
});

test('a dry run says what would happen, and sends nothing but reads', async () => {
	const { personId } = add({ email: 'ada@a.example' });
	const emails = ['ada@a.example', 'new@dry.example', 'NEW@dry.example'];
	const items = emails.map((email) => ({ email }));
	const { output, writes } = await run(items, { options: { dryRun: true } });
	expect(output.map(({ json }) => json)).toMatchObject([
		{ dryRun: true, request: null, outcome: 'found', personId },
		{ dryRun: true, request: { body: { email: 'new@dry.example' } }, outcome: 'wouldCreate' },
		{ dryRun: true, request: null, outcome: 'found' },
	]);
	expect(writes).toEqual([]);
});

test.each([
	['person', person, ['personId', 'name', 'email', 'phoneNumber', 'linkedinProfileUrl', 'outcome']],
	['account', account, ['accountId', 'domain', 'name', 'outcome']],
])('a model gets what it needs of a %s, and reads all of it', async (_, parameters, fields) => {
	const items = [{ email: 'ada@a.example', domain: 'one.example', name: 'One' }];
	const { output, hints } = await run(items, { parameters, asTool: true });
	expect(output.map(({ json }) => Object.keys(json))).toEqual([fields]);
	expect(hints).toEqual([]);
});
