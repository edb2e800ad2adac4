import { startSandbox } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox({ apiKey: 'other-key' });

test('records a request unchanged', async () => {
	await call(
		sandbox,
		'GET',
		'/v0/accounts/a%2Fb%20c/activity?limit=1&limit=2&includeDeleted=a%26b',
	);
	const text = '{ "name" : "Zoë" }';
	await call(sandbox, 'POST', '/v0/persons', { body: text, headers: { 'X-Trace': 'T1' } });
	await call(sandbox, 'POST', '/v0/persons', { body: '{"name"' });
	await call(sandbox, 'GET', '/v0/nothing');
	await call(sandbox, 'GET', '/elsewhere');
	expect(sandbox.requests).toHaveLength(4);
	const [activity, person, broken, nothing] = sandbox.requests;
	expect(activity).toMatchObject({
		id: 1,
		method: 'GET',
		path: '/v0/accounts/a%2Fb%20c/activity',
		query: { limit: ['1', '2'], includeDeleted: 'a&b' },
		rawQuery: 'limit=1&limit=2&includeDeleted=a%26b',
		rawBody: '',
		body: undefined,
		operationId: 'listAccountActivity',
		status: 400,
	});
	expect(person).toMatchObject({
		id: 2,
		rawBody: text,
		body: { name: 'Zoë' },
		headers: { 'x-trace': 'T1', 'x-api-key': 'other-key', 'content-type': 'application/json' },
		operationId: 'createPerson',
		status: 201,
	});
	expect(person.fault).toBeUndefined();
	expect(Math.abs(Date.parse(person.receivedAt) - person.startedAtMs)).toBeLessThan(1000);
	expect(person.endedAtMs).toBeGreaterThanOrEqual(person.startedAtMs);
	expect(broken).toMatchObject({ id: 3, rawBody: '{"name"', body: '{"name"', status: 400 });
	expect(nothing).toMatchObject({ id: 4, operationId: undefined, status: 404 });
});

test('decodes an encoded ID, and names an unknown one', async () => {
	const answer = await call(sandbox, 'GET', '/v0/accounts/a%2Fb%20c/activity');
	expect(answer.data.message).toBe("Account 'a/b c' was not found");
});

test('counts how many requests ran at the same time', async () => {
	const list = () => call(sandbox, 'GET', '/v0/persons', { query: { limit: 1 } });
	for (let count = 0; count < 3; count++) await list();
	expect(sandbox.peakInFlight).toBe(1);
	sandbox.latencyMs = 300;
	await Promise.all(Array.from({ length: 7 }, list));
	expect(sandbox.peakInFlight).toBe(7);
	sandbox.peakInFlight = 0;
	await list();
	expect(sandbox.peakInFlight).toBe(1);
});

test('restores the seed in the same objects', async () => {
	const { requests, deliveries, store } = sandbox;
	const seeded = structuredClone(store.subscriptions.all());
	sandbox.latencyMs = 5;
	sandbox.faults.add({ kind: 'status', status: 500, skip: 1, times: Infinity });
	store.subscriptions.all()[0].active = true;
	store.addPersons(3);
	await call(sandbox, 'GET', '/v0/persons');
	await sandbox.emit('form.submitted');
	expect([requests.length, deliveries.length]).toEqual([1, 2]);
	sandbox.reset();
	expect([requests.length, deliveries.length, sandbox.latencyMs]).toEqual([0, 0, 0]);
	expect([sandbox.requests, sandbox.deliveries, sandbox.store]).toEqual([
		requests,
		deliveries,
		store,
	]);
	expect(store.persons.size).toBe(240);
	expect(store.subscriptions.all()).toEqual(seeded);
	expect((await call(sandbox, 'GET', '/v0/persons')).status).toBe(200);
	expect(sandbox.requests[0].id).toBe(1);
});

test('closes idle connections too', async () => {
	const other = await startSandbox();
	await fetch(`${other.url}/v0/persons`);
	await other.close();
	await expect(fetch(`${other.url}/v0/persons`)).rejects.toThrow();
});

test('fails to start on a port in use', async () => {
	const port = Number(new URL(sandbox.url).port);
	await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
