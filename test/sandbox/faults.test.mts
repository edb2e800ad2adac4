import { AxiosError } from 'axios';
import type { Fault } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { waitFor } from '../waitFor.mts';
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

const targets: [fault: Partial<Fault>, statuses: number[]][] = [
	[{}, [500, 200, 200, 200]],
	[{ times: 2 }, [500, 500, 200, 200]],
	[{ times: Infinity }, [500, 500, 500, 500]],
	[{ skip: 1 }, [200, 500, 200, 200]],
	[{ skip: 2, times: 2 }, [200, 200, 500, 500]],
	[{ operationId: 'listPersons' }, [500, 200, 200, 200]],
	[{ operationId: 'searchPersons' }, [200, 200, 200, 200]],
	[{ method: 'get', path: '/v0/persons' }, [500, 200, 200, 200]],
	[{ path: '/v0/person' }, [200, 200, 200, 200]],
	[{ path: /persons$/, times: 4 }, [500, 500, 500, 500]],
	[{ method: 'POST' }, [200, 200, 200, 200]],
];

test.each(targets)('applies a fault for %j only to its requests', async (target, statuses) => {
	sandbox.faults.add({ ...target, kind: 'status', status: 500 } as Fault);
	const answered: number[] = [];
	for (let count = 0; count < 4; count++) answered.push((await list()).status);
	expect(answered).toEqual(statuses);
});

test('applies several faults in order, and skips count every request', async () => {
	sandbox.faults.add({ kind: 'status', status: 503 });
	sandbox.faults.add({ kind: 'status', status: 500, skip: 2 });
	sandbox.faults.add({ kind: 'status', status: 429 });
	const answered: number[] = [];
	for (let count = 0; count < 4; count++) answered.push((await list()).status);
	expect(answered).toEqual([503, 429, 500, 200]);
	sandbox.faults.add({ kind: 'status', status: 503, times: Infinity });
	sandbox.faults.clear();
	expect((await list()).status).toBe(200);
});

const limits: [retryAfter: string | undefined, header: RegExp | undefined][] = [
	['seconds', /^60$/],
	['date', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/],
	['soon', /^soon$/],
	[undefined, undefined],
];

test.each(limits)('sends Retry-After %s with a rate limit', async (retryAfter, header) => {
	sandbox.faults.add({ kind: 'rateLimit', requests: 2, perMs: 60_000, retryAfter });
	expect([(await list()).status, (await list()).status]).toEqual([200, 200]);
	const refused = await list();
	expect(refused.status).toBe(429);
	if (header) expect(refused.headers['retry-after']).toMatch(header);
	else expect(refused.headers).not.toHaveProperty('retry-after');
	expect(sandbox.requests[2]).toMatchObject({ fault: 'rateLimit', status: 429 });
	if (retryAfter !== 'date') return;
	const waitMs = Date.parse(refused.headers['retry-after']) - Date.now();
	expect(waitMs).toBeGreaterThan(55_000);
	expect(waitMs).toBeLessThanOrEqual(61_000);
});

test('lets requests through in the next window of a rate limit', async () => {
	sandbox.faults.add({ kind: 'rateLimit', requests: 1, perMs: 200 });
	const statuses: number[] = [];
	await waitFor('a request in the next window', async () => {
		statuses.push((await list()).status);
		return statuses.includes(429) && statuses.at(-1) === 200;
	});
	expect(statuses[0]).toBe(200);
	expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
