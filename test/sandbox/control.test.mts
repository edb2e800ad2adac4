import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox({ apiKey: 'other-key' });

const control = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/sandbox${path}`, { body, headers: { 'x-api-key': undefined } });
const list = () => call(sandbox, 'GET', '/v0/persons', { query: { limit: 1 } });

test('records requests unchanged, rejected ones too, but not those to the control routes', async () => {
	const rawBody = '{ "name" : "Zoë" }';
	await call(sandbox, 'GET', '/v0/accounts/a%2Fb/activity?limit=1&includeDeleted=a%26b');
	await call(sandbox, 'POST', '/v0/persons', { body: rawBody });
	await call(sandbox, 'POST', '/v0/persons', { body: '{"name"' });
	expect((await control('GET', '/requests')).data).toHaveLength(3);
	expect((await control('GET', '/requests?last=1')).data).toMatchObject([{ status: 400 }]);
	const path = '/v0/accounts/a%2Fb/activity';
	expect(sandbox.requests).toMatchObject([
		{ path, rawQuery: 'limit=1&includeDeleted=a%26b', query: { includeDeleted: 'a&b' } },
		{ operationId: 'createPerson', rawBody, body: { name: 'Zoë' }, status: 201 },
		{ rawBody: '{"name"', body: '{"name"', status: 400 },
	]);
});

test('adds and removes faults', async () => {
	const fault = { kind: 'status', status: 503, pathPattern: '^/v0/per', times: null };
	expect((await control('POST', '/faults', fault)).status).toBe(201);
	expect([(await list()).status, (await list()).status]).toEqual([503, 503]);
	expect((await call(sandbox, 'GET', '/v0/accounts/search')).status).toBe(200);
	await control('DELETE', '/faults');
	expect((await list()).status).toBe(200);
});

test('a reset restores the seed, the guesses and the rest, in the same objects', async () => {
	const { requests, deliveries, store, guesses } = sandbox;
	const seeded = structuredClone({ all: store.subscriptions.all(), guesses });
	const { data } = await control('POST', '/guesses', { maximumLimit: 7 });
	expect([data, guesses.maximumLimit]).toEqual([{ ...seeded.guesses, maximumLimit: 7 }, 7]);
	sandbox.faults.add({ kind: 'status', status: 500, skip: 1, times: Infinity });
	store.subscriptions.all()[0].events?.push('form.enriched');
	store.addPersons(3);
	await list();
	await sandbox.emit('form.submitted');
	await control('POST', '/reset');
	expect([requests, deliveries]).toEqual([[], []]);
	expect({ all: store.subscriptions.all(), guesses }).toEqual(seeded);
	expect([store.persons.size, (await list()).status, (await list()).status]).toEqual([
		240, 200, 200,
	]);
	expect(sandbox.requests).toBe(requests);
});

test('the command prints its address and API key', async () => {
	const main = join(__dirname, '../../sandbox/main.mts');
	const child = spawn(process.execPath, [main, '--port', '0', '--key', 'k1'], { stdio: 'pipe' });
	let written = '';
	await new Promise<void>((resolve) => {
		child.stdout.on('data', (chunk: Buffer) => {
			written += chunk.toString();
			if (written.includes('Ctrl+C')) resolve();
		});
		child.once('close', () => resolve());
	});
	child.kill();
	expect(written).toMatch(/at http:\/\/127\.0\.0\.1:\d+\nAPI key: k1\n/);
});
