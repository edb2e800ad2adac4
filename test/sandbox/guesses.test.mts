import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const ada = {
	name: 'Ada Byron',
	email: 'Ada@Engine.example',
	phoneNumber: '+49 30 123',
	linkedinProfileUrl: 'https://www.linkedin.com/in/countess-ada',
};
const log = { source: 'crm', type: 'synced', payload: {}, idempotencyKey: 'k' };
const account = { domain: 'empty.example' };
const post = (path: string, body: object) => call(sandbox, 'POST', `/v0/${path}`, { body });
const count = async (path: string, query: Record<string, unknown> = {}) =>
	(await call(sandbox, 'GET', `/v0/${path}`, { query })).data.totalCount;

test.each([
	[{ existingPerson: 'duplicate' }, 'persons', ada, 201, false],
	[{ existingPerson: 'conflict' }, 'persons', ada, 409, false],
	[{ existingPerson: 'returned' }, 'persons', ada, 200, true],
	[{ existingPerson: 'returnedAsCreated' }, 'persons', ada, 201, true],
	[{ existingAccount: 'returned' }, 'accounts', account, 200, true],
	[{ existingAccount: 'conflict' }, 'accounts', account, 409, false],
	[{ existingAccount: 'duplicate' }, 'accounts', account, 200, false],
	[{ repeatedKey: 'returned' }, 'person_logs', log, 201, true],
	[{ repeatedKey: 'conflict' }, 'person_logs', log, 409, false],
	[{ repeatedKey: 'ignored' }, 'person_logs', log, 201, false],
])('with %j, creating again in %s', async (guess, path, body, status, isSame) => {
	Object.assign(sandbox.guesses, guess);
	const first = await post(path, body);
	const again = await post(path, body);
	expect([first.status < 300, again.status]).toEqual([true, status]);
	const { createdAt: _, ...same } = first.data;
	const { createdAt: __, ...given } = again.data;
	expect(JSON.stringify(given) === JSON.stringify(same)).toBe(isSame);
});

test.each([
	['some', 'ada@engine', '+49 30 123'],
	['phoneNumber', '+49 30 123', 'ada byron'],
] as const)('a search of %s finds %j, and not %j', async (personSearch, found, missed) => {
	await post('persons', ada);
	sandbox.guesses.personSearch = personSearch;
	expect(await count('persons/search', { query: found })).toBeGreaterThan(0);
	expect(await count('persons/search', { query: missed })).toBe(0);
});

test('a lag hides what is new, and counts may be null', async () => {
	const before = sandbox.store.persons.size;
	await post('persons', ada);
	sandbox.guesses.searchLagMs = 60_000;
	expect([await count('persons'), await count('persons/search')]).toEqual([before + 1, before]);
	sandbox.guesses.listLagMs = 60_000;
	expect(await count('persons')).toBe(before);
	sandbox.guesses.totalCountOfPersons = 'null';
	expect(await count('persons')).toBeNull();
});

test('accounts without people are hidden unless includeEmptyOnly is sent', async () => {
	await post('accounts', account);
	sandbox.guesses.emptyAccounts = 'hidden';
	const find = async (includeEmptyOnly?: string) =>
		await count('accounts/search', { query: account.domain, includeEmptyOnly });
	expect([await find(), await find('true'), await find('false')]).toEqual([0, 1, 1]);
});
