import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const log = { source: 'website', type: 'form-filled', payload: { form: 'demo' } };
const writeLog = (body: object) =>
	call(sandbox, 'POST', '/v0/person_logs', { body: { ...log, ...body } });
const search = (path: string, query: string) =>
	call(sandbox, 'GET', `/v0/${path}/search`, { query: { query } });

function findKnown() {
	const known = sandbox.store.persons.find(({ email, domain, phoneNumber, linkedinProfileUrl }) =>
		Boolean(email && domain && phoneNumber && linkedinProfileUrl),
	);
	if (!known?.domain) throw new Error('The seed has no person with all fields');
	return known;
}

test('finds a created person by name and by address', async () => {
	const body = { name: 'Grace Hopper', email: 'grace@cobol.example', phoneNumber: '+1 555' };
	const { data } = await call(sandbox, 'POST', '/v0/persons', { body });
	expect(data).toMatchObject({ ...body, domain: 'cobol.example', linkedinProfileUrl: null });
	expect(data.personId).toMatch(/^prospect_[a-z0-9]{26}$/);
	expect((await search('persons', 'hopper')).data.items).toEqual([data]);
	expect((await search('persons', 'GRACE@')).data.items).toEqual([data]);
	expect((await search('persons', 'nobody at all')).data).toMatchObject({
		items: [],
		hasMore: false,
		nextCursor: null,
		totalCount: 0,
	});
});

test.each(['personId', 'email', 'phoneNumber', 'linkedinProfileUrl'] as const)(
	'matches the person of a log by %s',
	async (name) => {
		const known = findKnown();
		const { status, data } = await writeLog({ [name]: known[name] });
		expect([status, data.personId, data.createdPerson]).toEqual([201, known.personId, false]);
		expect(Object.keys(data).sort()).toEqual(
			['createdAt', 'createdPerson', 'personId', 'personLogId', 'source', 'type'].sort(),
		);
	},
);

test.each([
	[{ email: 'new@people.example', name: 'Newcomer' }, 'Newcomer'],
	[{ email: 'new@people.example' }, 'new'],
	[{ phoneNumber: '+1 999' }, '+1 999'],
	[{}, 'Unknown person'],
])('creates the person of a log for %j', async (who, name) => {
	const { data } = await writeLog(who);
	expect(data.createdPerson).toBe(true);
	expect(sandbox.store.persons.get(data.personId)).toMatchObject({ ...who, name });
});

test('rejects a log for an unknown personId without creating a person', async () => {
	const before = sandbox.store.persons.size;
	const { status } = await writeLog({ personId: `prospect_${'0'.repeat(26)}` });
	expect([status, sandbox.store.persons.size]).toEqual([404, before]);
});

test('returns the first log for a repeated idempotency key', async () => {
	const first = await writeLog({ email: 'twice@people.example', idempotencyKey: 'k1' });
	const second = await writeLog({ email: 'other@people.example', idempotencyKey: 'k1' });
	expect([second.status, second.data]).toEqual([201, first.data]);
	expect(sandbox.store.personLogs.size).toBe(1);
	const third = await writeLog({ email: 'twice@people.example', idempotencyKey: 'k2' });
	expect(third.data.personLogId).not.toBe(first.data.personLogId);
	expect(third.data.createdPerson).toBe(false);
});

test('adds a log to the activity of its person’s account', async () => {
	const known = findKnown();
	const [account] = sandbox.store.accounts.of(known.domain ?? '');
	const { data } = await writeLog({ personId: known.personId, idempotencyKey: 'k3' });
	const query = { limit: 100 };
	const activity = await call(sandbox, 'GET', `/v0/accounts/${account.accountId}/activity`, {
		query,
	});
	const entry = activity.data.items.find(
		({ personLogId }: { personLogId: string }) => personLogId === data.personLogId,
	);
	expect(entry).toMatchObject({ ...log, personName: known.name, idempotencyKey: 'k3' });
	expect(sandbox.store.accounts.get(account.accountId)?.latestActivityAt).toBe(data.createdAt);
});

test('sets the type of a log to webhook by default', async () => {
	const { data } = await call(sandbox, 'POST', '/v0/person_logs', {
		body: { source: 'website', payload: {} },
	});
	expect(data.type).toBe('webhook');
});

test('finds a created account, and returns it again for the same domain', async () => {
	const body = { domain: 'Cobol.example', name: 'Cobol' };
	const { data } = await call(sandbox, 'POST', '/v0/accounts', { body });
	expect(data).toMatchObject({ domain: 'cobol.example', name: 'Cobol', linkedPersons: [] });
	const again = await call(sandbox, 'POST', '/v0/accounts', { body: { domain: 'cobol.example' } });
	expect([again.status, again.data]).toEqual([200, data]);
	const { linkedPersons: _, ...shown } = data;
	expect((await search('accounts', 'cobol')).data.items).toEqual([
		{ ...shown, linkedPersonsCount: 0 },
	]);
});

test('links people to the account of their domain', async () => {
	const body = { domain: 'cobol.example' };
	await call(sandbox, 'POST', '/v0/accounts', { body });
	const { data: person } = await call(sandbox, 'POST', '/v0/persons', {
		body: { name: 'G', ...body },
	});
	const { data } = await call(sandbox, 'POST', '/v0/accounts', { body });
	expect(data.linkedPersons).toEqual([person]);
});

test('renames an account', async () => {
	const { accountId } = sandbox.store.accounts.all()[0];
	const { data } = await call(sandbox, 'PATCH', `/v0/accounts/${accountId}`, {
		body: { name: 'Neo' },
	});
	expect(data).toMatchObject({ accountId, name: 'Neo' });
	expect((await search('accounts', 'neo')).data.totalCount).toBe(1);
});

test('filters by includeEmptyOnly, includeDeleted and includePersonActivity', async () => {
	await call(sandbox, 'POST', '/v0/accounts', { body: { domain: 'empty.example' } });
	const read = async (path: string, query: Record<string, string>) =>
		(await call(sandbox, 'GET', path, { query })).data.totalCount;
	const empty = await call(sandbox, 'GET', '/v0/accounts/search', {
		query: { includeEmptyOnly: 'true' },
	});
	expect(empty.data.items.map(({ domain }: { domain: string }) => domain)).toContain(
		'empty.example',
	);
	const path = `/v0/accounts/${sandbox.store.accounts.all()[0].accountId}/activity`;
	expect(await read(path, {})).toBe(260);
	expect(await read(path, { includeDeleted: 'true' })).toBe(265);
	expect(await read(path, { includePersonActivity: 'false' })).toBeLessThan(260);
});
