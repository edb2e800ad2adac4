import type { Guesses } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const ada = {
	name: 'Ada Byron',
	email: 'Ada@Engine.example',
	phoneNumber: '+49 30 123',
	linkedinProfileUrl: 'https://www.linkedin.com/in/countess-ada',
};
const post = (path: string, body: object) => call(sandbox, 'POST', `/v0/${path}`, { body });

test.each([
	[{ existingPerson: 'duplicate' }, 'persons', ada, 201, false],
	[{ existingPerson: 'conflict' }, 'persons', ada, 409, false],
	[{ existingPerson: 'returned' }, 'persons', ada, 200, true],
	[{ existingPerson: 'returnedAsCreated' }, 'persons', ada, 201, true],
	[{ existingAccount: 'returned' }, 'accounts', { domain: 'a.example' }, 200, true],
	[{ existingAccount: 'conflict' }, 'accounts', { domain: 'a.example' }, 409, false],
	[{ existingAccount: 'duplicate' }, 'accounts', { domain: 'a.example' }, 200, false],
	[{ repeatedKey: 'returned' }, 'person_logs', { idempotencyKey: 'k' }, 201, true],
	[{ repeatedKey: 'conflict' }, 'person_logs', { idempotencyKey: 'k' }, 409, false],
	[{ repeatedKey: 'ignored' }, 'person_logs', { idempotencyKey: 'k' }, 201, false],
])('with %j, creating again in %s', async (guess, path, record, status, isSame) => {
	Object.assign(sandbox.guesses, guess);
	const log = { source: 'crm', type: 'synced', payload: {} };
	const body = path === 'person_logs' ? { ...log, ...record } : record;
	const first = await post(path, body);
	const again = await post(path, body);
	expect([first.status < 300, again.status]).toEqual([true, status]);
	const { createdAt: _, ...same } = first.data;
	const { createdAt: __, ...given } = again.data;
	expect(JSON.stringify(given) === JSON.stringify(same)).toBe(isSame);
});

const searches: Array<[Partial<Guesses>, found: string, missed: string]> = [
	[{ personSearch: 'all' }, 'countess-ada', 'nobody'],
	[{ personSearch: 'some' }, 'ada@engine', '+49 30 123'],
	[{ personSearch: 'names' }, 'ada-byron', '+49 30 123'],
	[{ personSearch: 'phoneNumber' }, '+49 30 123', 'ada byron'],
	[{ personSearchMatching: 'normalized' }, '4930123', '4930124'],
	[{ personSearchMatching: 'caseSensitive' }, 'Ada Byron', 'ada byron'],
	[{ personSearchMatching: 'lowerQuery' }, 'COUNTESS-ADA', 'Ada Byron'],
	[{ personSearchMatching: 'lowerStored' }, 'ada byron', 'Ada Byron'],
	[{ personSearchAccents: 'kept' }, 'ada', 'adä'],
	[{ personSearchAccents: 'ignoredInQuery' }, 'adä', 'adäx'],
	[{ personSearchParts: 'allWords' }, 'byron ada', 'byron nobody'],
	[{ personSearchParts: 'anyWord' }, 'byron nobody', 'byro'],
	[{ personSearchParts: 'wordStarts' }, 'byro ad', 'yron'],
	[{ personSearchParts: 'fieldStart' }, 'ada b', 'byron'],
	[{ personSearchParts: 'wholeField' }, 'ada byron', 'ada b'],
	[{ personSearchShortest: 4 }, 'byron', 'byr'],
];

test.each(searches)('a search with %j finds %j, and not %j', async (guesses, found, missed) => {
	await post('persons', ada);
	Object.assign(sandbox.guesses, guesses);
	const count = async (query: string) =>
		(await call(sandbox, 'GET', '/v0/persons/search', { query: { query } })).data.totalCount;
	const [all, none] = [await count(found), await count(missed)];
	expect(all).toBeGreaterThan(0);
	expect(none).toBe(0);
});

test('a lag hides what is new', async () => {
	const before = sandbox.store.persons.size;
	await post('persons', ada);
	const counted = async () =>
		await Promise.all(
			['/v0/persons', '/v0/persons/search'].map(
				async (path) => (await call(sandbox, 'GET', path)).data.totalCount,
			),
		);
	sandbox.guesses.searchLagMs = 60_000;
	expect(await counted()).toEqual([before + 1, before]);
	sandbox.guesses.listLagMs = 60_000;
	expect(await counted()).toEqual([before, before]);
	sandbox.guesses.personSearchMost = 2;
	sandbox.guesses.totalCountOfPersons = 'null';
	expect(await counted()).toEqual([null, null]);
});

test('hides accounts without people unless includeEmptyOnly is sent', async () => {
	await post('accounts', { domain: 'empty.example' });
	const find = async (flag?: string) => {
		const query = { query: 'empty.example', includeEmptyOnly: flag };
		return (await call(sandbox, 'GET', '/v0/accounts/search', { query })).data.totalCount;
	};
	sandbox.guesses.emptyAccounts = 'hidden';
	expect([await find(), await find('true'), await find('false')]).toEqual([0, 1, 1]);
});

test.each([
	['included', 3],
	['excluded', 1],
	['endExcluded', 2],
] as const)('the edges of a period are %s', async (sessionDateEdges, count) => {
	sandbox.guesses.sessionDateEdges = sessionDateEdges;
	const [{ pageId }] = sandbox.store.pages.all();
	const starts = sandbox.store.sessions.of(pageId).map((session) => session.sessionStartedAt);
	const query = { startDate: starts[4], endDate: starts[6] };
	const read = async (path: string) =>
		(await call(sandbox, 'GET', `/v0/pages/${pageId}/${path}`, { query })).data;
	expect((await read('audience_sessions')).totalCount).toBe(count);
	expect((await read('analytics/summary')).totalSessions).toBe(count);
});
