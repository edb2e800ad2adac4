import { eventKinds, type EventKind } from '../../sandbox/index.mts';
import { type Arrival, type LocalServer, serve } from '../localServer.mts';
import { openSandbox } from '../openSandbox.mts';
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

function subscribe(events: EventKind[] | null, url = address, active = true): string {
	for (const subscription of sandbox.store.subscriptions) subscription.active = false;
	const [subscription] = sandbox.store.subscriptions.all();
	Object.assign(subscription, { url, events, active });
	return subscription.subscriptionId;
}

const bodyOf = ({ body }: Arrival) => JSON.parse(body.toString());

test.each(eventKinds)(
	'delivers %s with example data to the subscription that wants it',
	async (kind) => {
		const subscriptionId = subscribe([kind]);
		const { data: deliveries } = await call(sandbox, 'POST', '/sandbox/events', { body: { kind } });
		expect(deliveries).toMatchObject([{ kind, subscriptionId, url: address, status: 200 }]);
		expect((await call(sandbox, 'GET', '/sandbox/deliveries')).data).toEqual(deliveries);
		const [{ headers, path }] = received;
		expect([path, headers['content-type']]).toEqual(['/hook?token=t', 'application/json']);
		expect(bodyOf(received[0])).toEqual(deliveries[0].payload);
		const { event, data } = bodyOf(received[0]);
		expect(event).toBe(kind);
		const { store } = sandbox;
		if (kind.startsWith('form.')) expect(data.form.email).toMatch('@');
		else expect(store.versions.get(data.versionId)?.audienceId).toBe(data.audienceId);
	},
);

test('delivers only what a subscription wants, and everything with null events', async () => {
	const count = async () => (await sandbox.emit('form.submitted')).length;
	subscribe(['form.enriched']);
	expect(await count()).toBe(0);
	subscribe([]);
	expect(await count()).toBe(0);
	subscribe(['form.submitted'], address, false);
	expect(await count()).toBe(0);
	subscribe(null);
	expect(await count()).toBe(1);
	expect(received).toHaveLength(1);
});

test('records a delivery that is rejected, redirected, gets no response or finds no receiver', async () => {
	subscribe(['form.submitted']);
	for (status of [503, 302]) {
		expect(await sandbox.emit('form.submitted')).toMatchObject([{ status }]);
	}
	status = 0;
	const [late] = await sandbox.emit('form.submitted');
	expect([late.status, late.error]).toEqual([undefined, expect.stringContaining('timeout')]);
	subscribe(['form.submitted'], 'http://127.0.0.1:1/nobody');
	expect((await sandbox.emit('form.submitted'))[0].error).toEqual(expect.any(String));
	subscribe(['form.submitted'], 'https://example.com/a');
	expect(await sandbox.emit('form.submitted')).toMatchObject([
		{ error: 'Not sent: the host is reserved for examples' },
	]);
	expect([sandbox.deliveries.length, received.length]).toEqual([5, 3]);
});

test('a form becomes a session with its answers, and form.submitted', async () => {
	subscribe(['form.submitted']);
	const [, , page] = sandbox.store.pages.all();
	const form = { name: 'Nora', email: 'nora@fjord.example', message: 'Hello <b>there</b>' };
	const body = { pageId: page.pageId, ...form, company: ' ' };
	const { data: deliveries } = await call(sandbox, 'POST', '/sandbox/form', { body });
	expect(deliveries).toMatchObject([{ status: 200 }]);
	const session = sandbox.store.sessions.of(page.pageId).at(-1);
	expect(session).toMatchObject({ hasFormSubmit: true, formSubmissionEmail: form.email });
	const { audienceSessionId = '', formSubmissionId } = session ?? {};
	expect(bodyOf(received[0])).toMatchObject({
		event: 'form.submitted',
		data: { audienceSessionId, formSubmissionId, pageId: page.pageId, form },
	});
	const path = `/v0/audience_sessions/${audienceSessionId}/interactions`;
	const { interactions } = (await call(sandbox, 'GET', path)).data;
	const answers = interactions.filter(
		({ componentContext }: { componentContext: string }) => componentContext === 'form',
	);
	expect(answers.map(({ responseText }: { responseText: string }) => responseText)).toEqual(
		Object.values(form),
	);
});
