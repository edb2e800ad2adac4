import { AxiosError } from 'axios';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const list = () => call(sandbox, 'GET', '/v0/persons');
const create = () => call(sandbox, 'POST', '/v0/persons', { body: { name: 'Ada' } });
const personsNow = () => sandbox.store.persons.size;
const failure = (request: Promise<unknown>): Promise<AxiosError> =>
	request.then(
		() => Promise.reject(new Error('There was a response')),
		(error: unknown) => {
			if (error instanceof AxiosError) return error;
			throw error;
		},
	);

test('returns a status with its headers and body instead of doing the work', async () => {
	sandbox.faults.add({
		kind: 'status',
		status: 503,
		headers: { 'Retry-After': '7' },
		body: { a: 1 },
	});
	const before = personsNow();
	const answer = await create();
	expect([answer.status, answer.headers['retry-after'], answer.data]).toEqual([503, '7', { a: 1 }]);
	expect(personsNow()).toBe(before);
	expect(sandbox.requests).toMatchObject([
		{ operationId: 'createPerson', status: 503, fault: 'status', body: { name: 'Ada' } },
	]);
	expect((await create()).status).toBe(201);
});

test('returns a status after the work', async () => {
	sandbox.faults.add({
		kind: 'status',
		status: 502,
		afterWork: true,
		body: '<h1>Bad gateway</h1>',
	});
	const before = personsNow();
	const answer = await create();
	expect([answer.status, answer.data]).toEqual([502, '<h1>Bad gateway</h1>']);
	expect(answer.headers['content-type']).toMatch('text/html');
	expect(personsNow()).toBe(before + 1);
	expect(sandbox.requests[0].status).toBe(502);
});

test('says in a status without a body that it was injected', async () => {
	sandbox.faults.add({ kind: 'status', status: 500 });
	expect((await list()).data).toEqual({
		error: 'injected_fault',
		message: 'The sandbox was told to return 500',
	});
});

test('adds latency to that of the sandbox and of other faults', async () => {
	sandbox.latencyMs = 30;
	sandbox.faults.add({ kind: 'latency', ms: 40 });
	sandbox.faults.add({ kind: 'status', status: 500 });
	expect((await list()).status).toBe(500);
	const [{ startedAtMs, endedAtMs = 0, fault }] = sandbox.requests;
	expect(fault).toBe('latency+status');
	// Timers may fire up to a millisecond early.
	expect(endedAtMs - startedAtMs).toBeGreaterThanOrEqual(68);
});

test('resets the connection before the work', async () => {
	sandbox.faults.add({ kind: 'resetBefore' });
	const before = personsNow();
	expect((await failure(create())).code).toBe('ECONNRESET');
	expect(personsNow()).toBe(before);
	expect(sandbox.requests).toMatchObject([{ fault: 'resetBefore', status: undefined }]);
});

test('resets the connection after the work', async () => {
	sandbox.faults.add({ kind: 'resetAfter' });
	const before = personsNow();
	expect((await failure(create())).code).toBe('ECONNRESET');
	expect(personsNow()).toBe(before + 1);
	expect(sandbox.requests).toMatchObject([{ fault: 'resetAfter', status: undefined }]);
});

test('sends less of the body than the headers promise', async () => {
	sandbox.faults.add({ kind: 'cutBody' });
	const before = personsNow();
	const answer = await fetch(`${sandbox.url}/v0/persons`, {
		method: 'POST',
		headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
		body: '{"name":"Ada"}',
	});
	expect(answer.status).toBe(201);
	expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
	await expect(answer.text()).rejects.toThrow();
	expect(personsNow()).toBe(before + 1);
	expect(sandbox.requests).toMatchObject([{ fault: 'cutBody', status: 201 }]);
});

test.each([
	[{ body: { items: null, hasMore: true, nextCursor: 'same' } }, 200, 'application/json'],
	[{ body: '<html></html>', status: 404 }, 404, 'text/html'],
	[{ body: '{"half":', headers: { 'content-type': 'application/json' } }, 200, 'application/json'],
	[{ body: null }, 200, 'application/json'],
	[{ body: [1] }, 200, 'application/json'],
])('replaces the response by %j', async (answer, status, type) => {
	sandbox.faults.add({ kind: 'answer', ...answer });
	const given = await list();
	expect([given.status, given.data]).toEqual([status, answer.body]);
	expect(given.headers['content-type']).toMatch(type);
});

test('replaces the response to a request with a wrong key too', async () => {
	sandbox.faults.add({ kind: 'answer', status: 200, body: 'welcome' });
	const answer = await call(sandbox, 'GET', '/v0/persons', { headers: { 'x-api-key': 'wrong' } });
	expect([answer.status, answer.data]).toEqual([200, 'welcome']);
});
