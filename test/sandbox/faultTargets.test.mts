import type { Fault } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { waitFor } from '../waitFor.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const list = () => call(sandbox, 'GET', '/v0/persons');

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
