import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox({ apiKey: 'other-key' });

const control = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/sandbox${path}`, { body, headers: { 'x-api-key': undefined } });
const list = () => call(sandbox, 'GET', '/v0/persons', { query: { limit: 1 } });

test('records requests unchanged, rejected ones too, but not those to the control routes', async () => {
	const text = '{ "name" : "Zoë" }';
	await call(sandbox, 'GET', '/v0/accounts/a%2Fb/activity?limit=1&includeDeleted=a%26b');
	await call(sandbox, 'POST', '/v0/persons', { body: text, headers: { 'X-Trace': 'T1' } });
	await call(sandbox, 'POST', '/v0/persons', { body: '{"name"' });
	await call(sandbox, 'GET', '/v0/nothing');
	expect((await control('GET', '/requests')).data).toHaveLength(4);
	expect((await control('GET', '/requests?last=1')).data).toMatchObject([{ status: 404 }]);
	expect(sandbox.requests).toMatchObject([
		{
			...{ operationId: 'listAccountActivity', method: 'GET', status: 404, rawBody: '' },
			...{ path: '/v0/accounts/a%2Fb/activity', rawQuery: 'limit=1&includeDeleted=a%26b' },
			query: { limit: '1', includeDeleted: 'a&b' },
		},
		{
			...{ operationId: 'createPerson', rawBody: text, body: { name: 'Zoë' }, status: 201 },
			headers: { 'x-trace': 'T1', 'x-api-key': 'other-key' },
		},
		{ rawBody: '{"name"', body: '{"name"', status: 400 },
		{ operationId: undefined, status: 404 },
	]);
});

test('adds and removes faults', async () => {
	const fault = { kind: 'status', status: 503, pathPattern: '^/v0/per', times: null };
	expect((await control('POST', '/faults', fault)).status).toBe(201);
	for (let count = 0; count < 3; count++) expect((await list()).status).toBe(503);
	expect((await call(sandbox, 'GET', '/v0/accounts/search')).status).toBe(200);
	await control('DELETE', '/faults');
	expect((await list()).status).toBe(200);
});

test.each([
	['/faults', [], 'body must be a JSON object'],
	['/faults', { kind: 'fire' }, 'body/kind must be one of status, latency'],
	['/faults', { kind: 'cutBody', pathPattern: '(' }, 'must be a regular expression'],
	['/guesses', { personSearch: 'most' }, 'personSearch must be one of all, some, names'],
	['/events', { kind: 'form.sent' }, 'body/kind must be one of page.version.created'],
	['/form', { pageId: 'page_none' }, "Page 'page_none' was not found"],
	['/nothing', {}, 'Unknown endpoint: POST /sandbox/nothing'],
])('%s rejects %j', async (path, body, message) => {
	const { status, data } = await control('POST', path, body);
	expect([status >= 400, data.message]).toEqual([true, expect.stringContaining(message)]);
});

test('a reset restores the seed, the guesses and the rest, in the same objects', async () => {
	const { requests, deliveries, store, guesses } = sandbox;
	const seeded = structuredClone({ all: store.subscriptions.all(), guesses });
	const { data } = await control('POST', '/guesses', { maximumLimit: 7 });
	expect([data, guesses.maximumLimit]).toEqual([{ ...seeded.guesses, maximumLimit: 7 }, 7]);
	sandbox.latencyMs = 5;
	sandbox.faults.add({ kind: 'status', status: 500, skip: 1, times: Infinity });
	store.subscriptions.all()[0].events?.push('form.enriched');
	store.addPersons(3);
	await list();
	await sandbox.emit('form.submitted');
	await control('POST', '/reset');
	expect([requests, deliveries, sandbox.latencyMs]).toEqual([[], [], 0]);
	expect({ all: store.subscriptions.all(), guesses }).toEqual(seeded);
	expect([store.persons.size, (await list()).status, (await list()).status]).toEqual([
		240, 200, 200,
	]);
	expect(sandbox.requests).toBe(requests);
});

test('the command prints its address and API key, and says when its port is in use', async () => {
	const read = async (args: string[], until: RegExp) => {
		const main = join(__dirname, '../../sandbox/main.mts');
		const child = spawn(process.execPath, [main, ...args], { stdio: 'pipe' });
		let written = '';
		await new Promise<void>((resolve) => {
			const add = (chunk: Buffer) => {
				written += chunk.toString();
				if (until.test(written)) resolve();
			};
			child.stdout.on('data', add);
			child.stderr.on('data', add);
			child.once('close', () => resolve());
		});
		child.kill();
		return written;
	};
	expect(await read(['--port', '0', '--key', 'k1'], /Ctrl\+C/)).toMatch(
		/at http:\/\/127\.0\.0\.1:\d+\nAPI key: k1\n/,
	);
	const taken = await read(['--port', new URL(sandbox.url).port], /--port/);
	expect(taken).toMatch(/^Port \d+ is in use\. .*--port 4011/);
});
