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

test.each([
	['all', 'COUNTESS-ADA', 'nobody'],
	['some', 'ada@engine', '+49 30 123'],
	['names', 'ada-byron', '+49 30 123'],
	['phoneNumber', '+49 30 123', 'ada byron'],
] as const)('a search of %s finds %j, and not %j', async (personSearch, found, missed) => {
	await post('persons', ada);
	sandbox.guesses.personSearch = personSearch;
	const count = async (query: string) =>
		(await call(sandbox, 'GET', '/v0/persons/search', { query: { query } })).data.totalCount;
	expect(await count(found)).toBeGreaterThan(0);
	expect(await count(missed)).toBe(0);
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
