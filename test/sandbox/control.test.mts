import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const control = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/sandbox${path}`, { body, headers: { 'x-api-key': undefined } });
const list = () => call(sandbox, 'GET', '/v0/persons', { query: { limit: 1 } });

test('lists requests, but not those to the control routes', async () => {
	await list();
	expect((await control('GET', '/requests')).data).toMatchObject([
		{ operationId: 'listPersons', status: 200, query: { limit: '1' } },
	]);
	expect(sandbox.requests).toHaveLength(1);
});

test('shows the state as counts and record by record', async () => {
	expect((await control('GET', '/state')).data).toMatchObject({ persons: 240, accounts: 60 });
	const { data } = await control('GET', '/state/subscriptions');
	expect(data).toEqual(sandbox.store.subscriptions.all());
	expect((await control('GET', '/state/secrets')).status).toBe(404);
});

test('adds, lists and removes faults', async () => {
	const fault = { kind: 'status', status: 503, operationId: 'listPersons', times: 2 };
	const { status, data } = await control('POST', '/faults', fault);
	expect([status, data]).toEqual([201, [fault]]);
	expect((await list()).status).toBe(503);
	expect((await control('GET', '/faults')).data).toEqual([{ ...fault, times: 1 }]);
	expect((await control('DELETE', '/faults')).data).toEqual([]);
	expect((await list()).status).toBe(200);
});

test('chooses paths by a pattern, and takes null times as unlimited', async () => {
	await control('POST', '/faults', {
		kind: 'answer',
		body: { items: [] },
		pathPattern: '^/v0/per',
		times: null,
	});
	for (let count = 0; count < 3; count++) expect((await list()).data).toEqual({ items: [] });
	expect((await call(sandbox, 'GET', '/v0/accounts/search')).data.items).toHaveLength(25);
});

test.each([
	[[], 'body/kind must be one of status, latency'],
	[{ kind: 'fire' }, 'body/kind must be one of'],
	[{ kind: 'status' }, 'body/status is required'],
	[{ kind: 'status', status: 99 }, 'body/status is invalid'],
	[{ kind: 'status', status: 500, headers: { a: 1 } }, 'body/headers is invalid'],
	[{ kind: 'latency', ms: -1 }, 'body/ms is invalid'],
	[{ kind: 'resetBefore', ms: 1 }, 'body/ms is not supported here. Use: kind, operationId'],
	[{ kind: 'cutBody', times: 0 }, 'body/times is invalid'],
	[{ kind: 'cutBody', pathPattern: '(' }, 'body/pathPattern must be a regular expression'],
	[{ kind: 'rateLimit', requests: 1, perMs: 0 }, 'body/perMs is invalid'],
])('rejects the fault %j', async (fault, message) => {
	const { status, data } = await control('POST', '/faults', fault);
	expect([status, data.message]).toEqual([400, expect.stringContaining(message)]);
});

test('delivers an event, and lists the delivery', async () => {
	const event = { kind: 'form.submitted', data: { a: 1 } };
	const { data } = await control('POST', '/events', event);
	expect(data).toMatchObject([{ kind: 'form.submitted', error: expect.any(String) }]);
	expect((await control('GET', '/deliveries')).data).toEqual(data);
	expect((await control('POST', '/events', { kind: 'form.sent' })).status).toBe(400);
});

test('changes settings and resets them', async () => {
	const { data } = await control('POST', '/settings', { latencyMs: 3, peakInFlight: 0 });
	expect(data).toMatchObject({ latencyMs: 3, peakInFlight: 0 });
	await list();
	expect((await control('GET', '/settings')).data).toEqual({ ...data, peakInFlight: 1 });
	expect((await control('POST', '/settings', { latency: 3 })).status).toBe(400);
	const reset = await control('POST', '/reset');
	expect(reset.data).toEqual({ ...data, latencyMs: 0, peakInFlight: 0 });
	expect(sandbox.requests).toEqual([]);
});

test('switches guesses, and resets them to those of the start', async () => {
	const start = (await control('GET', '/settings')).data.guesses;
	const guesses = { personSearch: 'names', endOfOptionalCursor: 'null', maximumLimit: 7 };
	const { data } = await control('POST', '/settings', { guesses });
	expect(data.guesses).toEqual({ ...start, ...guesses });
	expect(sandbox.guesses).toEqual(data.guesses);
	const { pageId } = sandbox.store.pages.all()[1];
	const answer = await call(sandbox, 'GET', `/v0/pages/${pageId}/audiences`);
	expect([answer.status, answer.data.nextCursor]).toEqual([200, null]);
	const tooMany = await call(sandbox, 'GET', '/v0/persons', { query: { limit: 8 } });
	expect(tooMany.status).toBe(400);
	expect((await control('POST', '/reset')).data.guesses).toEqual(start);
});

test.each([
	[{ personSearch: 'most' }, 'body/guesses/personSearch must be one of all, some, names'],
	[{ searchLagMs: -1 }, 'body/guesses/searchLagMs is invalid'],
	[{ maximumLimit: 0 }, 'body/guesses/maximumLimit is invalid'],
	[{ searchLag: 1 }, 'body/guesses/searchLag is not supported here. Use: defaultLimit'],
	[[], 'body/guesses is invalid'],
])('rejects the guesses %j', async (guesses, message) => {
	const { status, data } = await control('POST', '/settings', { guesses });
	expect([status, data.message]).toEqual([400, expect.stringContaining(message)]);
	expect(sandbox.guesses).not.toHaveProperty('searchLag');
});

test('names an unknown control route', async () => {
	const { status, data } = await control('GET', '/nothing');
	expect([status, data.message]).toEqual([404, 'Unknown endpoint: GET /sandbox/nothing']);
});
