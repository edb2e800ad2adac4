import type { Details, Kind } from '../../sandbox/console/entries.mts';
import { openSandbox } from '../openSandbox.mts';
import { log } from './bodies.mts';
import { call } from './calling.mts';
import { readPage, openReceiver } from './visiting.mts';
import { watchConsole, type Told } from './watching.mts';

const apiKey = 'key-of-the-console';
const sandbox = openSandbox({ apiKey });
const receiver = openReceiver(sandbox);

const list = (query = {}) => call(sandbox, 'GET', '/v0/persons', { query });
const watch = (isEnough: (told: Told) => boolean) => watchConsole(sandbox, isEnough);

async function open(kind: Kind, id: string): Promise<Details> {
	const { status, text } = await readPage(sandbox, `/console/details/${kind}/${id}`);
	expect(status).toBe(200);
	expect(text).not.toContain(apiKey);
	expect(text).not.toContain('verysecret');
	return JSON.parse(text);
}

test('hides the API key and the tokens of registered URLs', async () => {
	const { subscriptionId } = sandbox.store.subscriptions.all()[0];
	const path = `/v0/webhook_subscriptions/${subscriptionId}`;
	await call(sandbox, 'PATCH', path, { body: { url: receiver.address } });
	await call(sandbox, 'GET', '/v0/persons', { headers: { 'x-api-key': 'another-key' } });
	const body = { ...log, payload: { [apiKey]: [apiKey] }, name: `Key ${apiKey}` };
	await call(sandbox, 'POST', '/v0/person_logs', { body });
	await list({ cursor: apiKey });
	const [delivery] = await sandbox.emit('form.submitted', { said: apiKey });
	const told = await watch(({ subscriptions }) => subscriptions !== undefined);
	const text = JSON.stringify(told);
	for (const secret of [apiKey, 'verysecret', 'another-key']) expect(text).not.toContain(secret);
	expect(told.personLogs?.entries[0].personName).toBe('Key (hidden)');
	await open('deliveries', delivery.id);
	await open('subscriptions', subscriptionId);
	await open('personLogs', told.personLogs?.entries[0].id ?? '');
	for (const { id } of told.requests?.entries ?? []) {
		expect(JSON.stringify(await open('requests', id))).not.toContain('another-key');
	}
});

test('shows the details of an entry', async () => {
	const body = { ...log, name: 'Ada', idempotencyKey: 'k-1', payload: { a: 1 } };
	const { data } = await call(sandbox, 'POST', '/v0/person_logs', { body });
	const [delivery] = await sandbox.emit('form.submitted', { email: 'ada@meridian.com' });
	expect(await open('requests', '1')).toMatchObject({
		title: 'POST /v0/person_logs',
		facts: expect.arrayContaining([
			['Response', '201'],
			['Operation', 'createPersonLog'],
		]),
		parts: [{ title: 'Body', text: JSON.stringify(body, null, 2) }, { title: 'Headers' }],
	});
	expect(await open('personLogs', data.personLogId)).toMatchObject({
		title: 'Person log of Ada',
		facts: expect.arrayContaining([['Idempotency key', 'k-1']]),
		parts: [{ title: 'Payload' }, { title: 'Person', text: expect.stringContaining('"Ada"') }],
	});
	expect(await open('deliveries', delivery.id)).toMatchObject({
		title: 'form.submitted',
		parts: [{ text: expect.stringContaining('ada@meridian.com') }],
	});
	expect((await readPage(sandbox, '/console/details/requests/99')).status).toBe(404);
	expect((await readPage(sandbox, '/console/details/secrets/1')).status).toBe(404);
});

test('cuts a long body', async () => {
	await call(sandbox, 'POST', '/v0/persons', { body: `"${'x'.repeat(200_000)}` });
	const { parts } = await open('requests', '1');
	expect([parts[0].title, parts[0].text.length]).toEqual([
		'Body (first 100000 characters)',
		100_001,
	]);
});
