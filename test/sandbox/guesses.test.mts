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

test('a search misses who is new, and what stands in fields that it does not look at', async () => {
	await post('persons', ada);
	const { guesses } = sandbox;
	const find = async () =>
		(await call(sandbox, 'GET', '/v0/persons/search', { query: { query: 'countess' } })).data.items;
	expect(await find()).toHaveLength(1);
	guesses.searchLagMs = 60_000;
	expect(await find()).toEqual([]);
	Object.assign(guesses, { searchLagMs: 0, personSearch: 'some' });
	expect(await find()).toEqual([]);
});

test('a list of persons has a count, or null', async () => {
	const read = async () => (await call(sandbox, 'GET', '/v0/persons')).data.totalCount;
	expect(await read()).toBe(sandbox.store.persons.size);
	sandbox.guesses.totalCountOfPersons = 'null';
	expect(await read()).toBeNull();
});
