import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const ada = {
	name: 'Ada',
	email: 'ada@engine.example',
	phoneNumber: '+49 30 123',
	linkedinProfileUrl: 'https://www.linkedin.com/in/ada',
};
const post = (path: string, body: object) => call(sandbox, 'POST', `/v0/${path}`, { body });

describe('creating a person who exists', () => {
	const sameAs = [
		{ email: 'ADA@engine.example' },
		{ phoneNumber: ada.phoneNumber },
		{ linkedinProfileUrl: ada.linkedinProfileUrl },
	];

	test.each([
		['returned', 200],
		['returnedAsCreated', 201],
	] as const)('responds with that person with %s', async (existingPerson, status) => {
		sandbox.guesses.existingPerson = existingPerson;
		const first = await post('persons', ada);
		expect(first.status).toBe(201);
		for (const same of sameAs) {
			const again = await post('persons', { name: 'Other', ...same });
			expect([again.status, again.data]).toEqual([status, first.data]);
		}
		const other = await post('persons', { name: 'Ada', email: 'other@engine.example' });
		expect([other.status, sandbox.store.persons.size]).toEqual([201, 242]);
	});

	test('responds 409 with conflict', async () => {
		sandbox.guesses.existingPerson = 'conflict';
		await post('persons', ada);
		for (const same of sameAs) {
			const { status, data } = await post('persons', { name: 'Other', ...same });
			expect([status, data.error]).toEqual([409, 'conflict']);
		}
		expect(sandbox.store.persons.size).toBe(241);
	});

	test('creates another one with duplicate', async () => {
		const ids = [await post('persons', ada), await post('persons', ada)].map(
			({ status, data }) => `${status} ${data.personId}`,
		);
		expect(new Set(ids).size).toBe(2);
		expect(sandbox.store.persons.size).toBe(242);
	});
});

describe('creating an account whose domain exists', () => {
	test.each([
		['returned', 200, 61],
		['conflict', 409, 61],
		['duplicate', 200, 62],
	] as const)('with %s: %d, and %d accounts', async (existingAccount, expected, count) => {
		sandbox.guesses.existingAccount = existingAccount;
		const first = await post('accounts', { domain: 'engine.example', name: 'Engine' });
		const { status, data } = await post('accounts', { domain: 'Engine.example', name: 'Other' });
		expect([status, sandbox.store.accounts.size]).toEqual([expected, count]);
		const isSame = data.accountId === first.data.accountId;
		expect(isSame).toBe(existingAccount === 'returned');
		const query = { query: 'engine.example' };
		const found = await call(sandbox, 'GET', '/v0/accounts/search', { query });
		expect(found.data.items).toHaveLength(count - 60);
	});
});

test('hides accounts without persons unless includeEmptyOnly is sent', async () => {
	await post('accounts', { domain: 'empty.example' });
	const [{ domain: inhabited }] = sandbox.store.accounts
		.all()
		.filter(({ domain }) => sandbox.store.persons.of(domain).length > 0);
	const find = async (query: string, includeEmptyOnly?: string) => {
		const sent = { query, ...(includeEmptyOnly === undefined ? {} : { includeEmptyOnly }) };
		return (await call(sandbox, 'GET', '/v0/accounts/search', { query: sent })).data.totalCount;
	};
	const findBoth = async (flag?: string) => [
		await find('empty.example', flag),
		await find(inhabited, flag),
	];
	expect(await findBoth()).toEqual([1, 1]);
	sandbox.guesses.emptyAccounts = 'hidden';
	expect(await findBoth()).toEqual([0, 1]);
	expect(await findBoth('true')).toEqual([1, 0]);
	expect(await findBoth('false')).toEqual([1, 1]);
});

test.each([
	['returned', 201, 1],
	['conflict', 409, 1],
	['ignored', 201, 2],
] as const)('a repeated key with %s: %d, and %d logs', async (repeatedKey, expected, count) => {
	sandbox.guesses.repeatedKey = repeatedKey;
	const log = { source: 'crm', type: 'synced', payload: {}, idempotencyKey: 'k1' };
	const first = await post('person_logs', log);
	const { status, data } = await post('person_logs', { ...log, payload: { other: true } });
	expect([first.status, status, sandbox.store.personLogs.size]).toEqual([201, expected, count]);
	expect(data.personLogId === first.data.personLogId).toBe(repeatedKey === 'returned');
});
