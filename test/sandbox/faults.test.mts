import type { Fault } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox();

const list = () => call(sandbox, 'GET', '/v0/persons');
const create = () => call(sandbox, 'POST', '/v0/persons', { body: { name: 'Ada' } });
const personsNow = () => sandbox.store.persons.size;

/** The statuses of so many lists, one after another. */
async function statusesOf(count: number): Promise<number[]> {
	const statuses: number[] = [];
	while (statuses.length < count) statuses.push((await list()).status);
	return statuses;
}

const html = '<h1>Bad gateway</h1>';

// The status and body that come back, their content type, and how many people were created.
test.each([
	[{ kind: 'status', status: 503, body: { a: 1 } }, 503, { a: 1 }, 'application/json', 0],
	[{ kind: 'status', status: 502, afterWork: true, body: html }, 502, html, 'text/html', 1],
	[{ kind: 'answer', body: { items: null } }, 201, { items: null }, 'application/json', 1],
	[{ kind: 'answer', body: '{"h', headers: { 'content-type': 'a/b' } }, 201, '{"h', 'a/b', 1],
] as const)('replaces the response with %j', async (fault, status, body, type, created) => {
	sandbox.faults.add(fault);
	const before = personsNow();
	const response = await create();
	expect([response.status, response.data]).toEqual([status, body]);
	expect(response.headers['content-type']).toMatch(type);
	expect(personsNow()).toBe(before + created);
	expect(sandbox.requests).toMatchObject([{ status, fault: fault.kind, body: { name: 'Ada' } }]);
	expect((await create()).status).toBe(201);
});

const targets: [fault: Partial<Fault>, statuses: number[]][] = [
	[{}, [500, 200, 200, 200]],
	[{ times: 2 }, [500, 500, 200, 200]],
	[{ skip: 2, times: 1 }, [200, 200, 500, 200]],
	[{ operationId: 'searchPersons' }, [200, 200, 200, 200]],
	[{ method: 'get', path: '/v0/persons' }, [500, 200, 200, 200]],
	[{ path: /persons$/, times: 4 }, [500, 500, 500, 500]],
];

test.each(targets)('applies a fault for %j only to its requests', async (target, statuses) => {
	sandbox.faults.add({ ...target, kind: 'status', status: 500 } as Fault);
	expect(await statusesOf(4)).toEqual(statuses);
	sandbox.faults.add({ kind: 'status', status: 503, times: Infinity });
	sandbox.faults.clear();
	expect(await statusesOf(1)).toEqual([200]);
});
