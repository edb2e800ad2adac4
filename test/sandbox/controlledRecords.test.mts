import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const control = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/sandbox/state${path}`, { body, headers: { 'x-api-key': undefined } });

test('adds persons, sessions and activities', async () => {
	const [{ pageId }] = sandbox.store.pages.all();
	const [{ accountId }] = sandbox.store.accounts.all();
	const sessionStartedAt = '2024-05-01T08:00:00.000Z';
	const persons = await control('POST', '/persons', { count: 300 });
	expect([persons.status, persons.data.added]).toEqual([201, 300]);
	const session = { of: pageId, changes: { sessionStartedAt } };
	const sessions = await control('POST', '/sessions', session);
	expect(sessions.data).toMatchObject({ added: 1, last: { pageId, sessionStartedAt } });
	await control('POST', '/activities', { of: accountId, count: 2 });
	expect((await control('GET', '')).data).toMatchObject({ persons: 540, personLogs: 0 });
	const list = (path: string) => call(sandbox, 'GET', `/v0/${path}`, { query: { limit: 1 } });
	expect((await list('persons')).data.totalCount).toBe(540);
	expect((await list(`pages/${pageId}/audience_sessions`)).data.totalCount).toBe(321);
	expect((await list(`accounts/${accountId}/activity`)).data.totalCount).toBe(262);
	const { audienceSessionId } = sessions.data.last;
	const path = `/v0/audience_sessions/${audienceSessionId}/interactions`;
	expect((await call(sandbox, 'GET', path)).data).toMatchObject({
		found: true,
		interactions: sandbox.store.interactions
			.of(audienceSessionId)
			.map(({ interaction }) => interaction),
	});
});

test('changes a record in place', async () => {
	const [{ pageId }] = sandbox.store.pages.all();
	const [{ audienceSessionId }] = sandbox.store.sessions.of(pageId);
	const changes = { timeSpentSeconds: 12_345 };
	const { data } = await control('PATCH', `/sessions/${audienceSessionId}`, changes);
	expect(data).toMatchObject({ audienceSessionId, ...changes });
	const list = await call(sandbox, 'GET', `/v0/pages/${pageId}/audience_sessions`);
	expect(list.data.items[0]).toEqual(data);
});

test.each([
	['POST', '/persons', { of: 'x' }, 400, 'Only persons, sessions'],
	['POST', '/sessions', {}, 400, 'Only persons, sessions'],
	['POST', '/activities', { of: 'account_1' }, 400, 'Only persons, sessions'],
	['POST', '/persons', { count: 0 }, 400, 'body/count is invalid'],
	['POST', '/pages', {}, 400, 'Only persons, sessions'],
	['PATCH', '/persons/prospect_1', {}, 404, "Record 'prospect_1' was not found"],
	['PATCH', '/people/1', {}, 404, 'Unknown collection: people'],
	['PATCH', '/persons/1', [], 400, 'body must be a JSON object'],
])('rejects %s %s with %j', async (method, path, body, status, message) => {
	const answer = await control(method, path, body);
	expect([answer.status, answer.data.message]).toEqual([status, expect.stringContaining(message)]);
});

test.each(['audienceSessionId', 'pageId'])('keeps the %s of a session', async (name) => {
	const [{ audienceSessionId }] = sandbox.store.sessions.all();
	const answer = await control('PATCH', `/sessions/${audienceSessionId}`, { [name]: 'other' });
	expect([answer.status, answer.data.message]).toEqual([
		400,
		expect.stringContaining('must keep its ID'),
	]);
});
