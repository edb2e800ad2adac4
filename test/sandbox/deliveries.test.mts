import { eventKinds, type EventKind } from '../../sandbox/index.mts';
import { openSandbox } from '../openSandbox.mts';
import { type Arrival, type LocalServer, serve } from '../localServer.mts';
import { call } from './calling.mts';

const sandbox = openSandbox({ guesses: { deliveryTimeoutMs: 1000 } });
let receiver: LocalServer;
let address: string;
let received: Arrival[];
/** 0: the receiver does not respond. */
let status: number;

beforeAll(async () => {
	receiver = await serve(async (arrival) => {
		received.push(arrival);
		if (status === 0) await new Promise<never>(() => {});
		return { status, body: 'thanks' };
	});
	address = `${receiver.url}/hook?token=t`;
});
beforeEach(() => {
	received = [];
	status = 200;
});
afterAll(() => receiver.close());

async function subscribe(events: EventKind[], url = address, active = true): Promise<string> {
	for (const subscription of sandbox.store.subscriptions) subscription.active = false;
	const { subscriptionId } = sandbox.store.subscriptions.all()[0];
	const body = { url, events, active };
	await call(sandbox, 'PATCH', `/v0/webhook_subscriptions/${subscriptionId}`, { body });
	return subscriptionId;
}

test.each(eventKinds)('delivers %s to the subscription that wants it', async (kind) => {
	const subscriptionId = await subscribe([kind]);
	const deliveries = await sandbox.emit(kind, { email: 'ada@people.example' });
	expect(deliveries).toMatchObject([{ kind, subscriptionId, url: address, status: 200 }]);
	expect(sandbox.deliveries).toEqual(deliveries);
	const [{ headers, path, body }] = received;
	expect(path).toBe('/hook?token=t');
	expect(headers['content-type']).toBe('application/json');
	expect(JSON.parse(body.toString())).toEqual(deliveries[0].payload);
	expect(JSON.parse(body.toString())).toMatchObject({
		event: kind,
		data: { email: 'ada@people.example' },
	});
});

test('delivers nothing for another kind, an empty list or an inactive subscription', async () => {
	await subscribe(['form.enriched']);
	expect(await sandbox.emit('form.submitted')).toEqual([]);
	await subscribe([]);
	expect(await sandbox.emit('form.submitted')).toEqual([]);
	await subscribe(['form.submitted'], address, false);
	expect(await sandbox.emit('form.submitted')).toEqual([]);
	expect(received).toEqual([]);
});

test('delivers every kind to a subscription with null events', async () => {
	await subscribe([]);
	sandbox.store.subscriptions.all()[0].events = null;
	expect(await sandbox.emit('page.version.created')).toHaveLength(1);
});

test('records a delivery that is rejected, gets no response or finds no receiver', async () => {
	status = 503;
	await subscribe(['form.submitted']);
	expect((await sandbox.emit('form.submitted'))[0].status).toBe(503);
	status = 0;
	const [late] = await sandbox.emit('form.submitted');
	expect([late.status, late.error]).toEqual([undefined, expect.stringContaining('timeout')]);
	await subscribe(['form.submitted'], 'http://127.0.0.1:1/nobody');
	expect((await sandbox.emit('form.submitted'))[0].error).toEqual(expect.any(String));
	expect(sandbox.deliveries).toHaveLength(3);
});

test.each([
	'https://example.com/a',
	'https://hooks.example.com/',
	'http://crm.example',
	'http://a.test/',
])('never contacts %s', async (url) => {
	await subscribe(['form.submitted'], url);
	const [{ error, status: answered }] = await sandbox.emit('form.submitted');
	expect([answered, error]).toEqual([undefined, 'Not sent: the host is reserved for examples']);
});

test('does not follow redirects', async () => {
	status = 302;
	await subscribe(['form.submitted']);
	expect((await sandbox.emit('form.submitted'))[0].status).toBe(302);
	expect(received).toHaveLength(1);
});

test.each(eventKinds)('delivers %s with example data when a request has none', async (kind) => {
	await subscribe([kind]);
	const send = (body: object) => call(sandbox, 'POST', '/sandbox/events', { body });
	// The request of the console's button.
	const { data: deliveries } = await send({ kind });
	expect(deliveries).toMatchObject([{ kind, status: 200 }]);
	const { data } = JSON.parse(received[0].body.toString());
	if (kind.startsWith('form.')) {
		expect(data.form).toEqual({ name: expect.any(String), email: expect.any(String) });
	} else {
		const { store } = sandbox;
		expect(store.audiences.get(data.audienceId)?.pageId).toBe(data.pageId);
		expect(store.versions.get(data.versionId)).toMatchObject({
			audienceId: data.audienceId,
			versionNumber: data.versionNumber,
		});
	}
	await send({ kind, data: {} });
	expect(JSON.parse(received[1].body.toString()).data).toEqual({});
});
