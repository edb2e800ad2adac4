import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventKinds } from '../../sandbox/index.mts';
import { type Arrival, serve } from '../localServer.mts';
import { openSandbox } from '../openSandbox.mts';
import { call } from './calling.mts';

const sandbox = openSandbox({ apiKey: 'other-key' });

const control = (method: string, path: string, body?: unknown) =>
	call(sandbox, method, `/sandbox${path}`, { body, headers: { 'x-api-key': undefined } });
const list = () => call(sandbox, 'GET', '/v0/persons', { query: { limit: 1 } });

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

test.each(eventKinds)('delivers %s with example data', async (kind) => {
	const received: Arrival[] = [];
	const receiver = await serve((arrival) => {
		received.push(arrival);
		return {};
	});
	const { store } = sandbox;
	for (const subscription of store.subscriptions) subscription.active = false;
	const state = { url: `${receiver.url}/hook?token=t`, events: [kind], active: true };
	Object.assign(store.subscriptions.all()[0], state);
	const { data: deliveries } = await control('POST', '/events', { kind });
	receiver.close();
	expect(deliveries).toMatchObject([{ kind, url: state.url, status: 200 }]);
	const [{ body, path }] = received;
	expect(path).toBe('/hook?token=t');
	const { event, data } = JSON.parse(body.toString());
	expect(event).toBe(kind);
	if (kind.startsWith('form.')) expect(data.form.email).toMatch('@');
	else expect(store.versions.get(data.versionId)?.audienceId).toBe(data.audienceId);
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
