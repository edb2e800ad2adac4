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

function subscribe(events: EventKind[] | null, url = address): void {
	for (const subscription of sandbox.store.subscriptions) subscription.active = false;
	Object.assign(sandbox.store.subscriptions.all()[0], { url, events, active: true });
}

test.each(eventKinds)('delivers %s with example data', async (kind) => {
	subscribe([kind]);
	const { data: deliveries } = await call(sandbox, 'POST', '/sandbox/events', { body: { kind } });
	expect(deliveries).toMatchObject([{ kind, url: address, status: 200 }]);
	const [{ body, path }] = received;
	expect(path).toBe('/hook?token=t');
	const { event, data } = JSON.parse(body.toString());
	expect(event).toBe(kind);
	const { store } = sandbox;
	if (kind.startsWith('form.')) expect(data.form.email).toMatch('@');
	else expect(store.versions.get(data.versionId)?.audienceId).toBe(data.audienceId);
});

test.each<[EventKind[] | null, number]>([
	[['form.enriched'], 0],
	[[], 0],
	[null, 1],
])(
	'a subscription with the events %j gets %d delivery of form.submitted',
	async (events, count) => {
		subscribe(events);
		expect(await sandbox.emit('form.submitted')).toHaveLength(count);
		expect(received).toHaveLength(count);
	},
);

test('records a delivery that is redirected, gets no response or finds no receiver', async () => {
	subscribe(['form.submitted']);
	status = 302;
	expect(await sandbox.emit('form.submitted')).toMatchObject([{ status }]);
	status = 0;
	const [late] = await sandbox.emit('form.submitted');
	expect([late.status, late.error]).toEqual([undefined, expect.stringContaining('timeout')]);
	subscribe(['form.submitted'], 'https://example.com/a');
	expect(await sandbox.emit('form.submitted')).toMatchObject([
		{ error: 'Not sent: the host is reserved for examples' },
	]);
});

test('a form becomes a session with its answers', async () => {
	const [, , { pageId }] = sandbox.store.pages.all();
	const form = { name: 'Nora', email: 'nora@fjord.example', message: 'Hello <b>there</b>' };
	await call(sandbox, 'POST', '/sandbox/form', { body: { pageId, ...form, company: ' ' } });
	const session = sandbox.store.sessions.of(pageId).at(-1);
	expect(session).toMatchObject({ hasFormSubmit: true, formSubmissionEmail: form.email });
	const answers = sandbox.store.interactions
		.of(String(session?.audienceSessionId))
		.map(({ interaction }) => interaction)
		.filter(({ componentContext }) => componentContext === 'form');
	expect(answers.map(({ responseText }) => responseText)).toEqual(Object.values(form));
});
