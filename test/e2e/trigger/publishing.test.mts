import { serve } from '../../localServer.mts';
import { credentialType, setUpN8n } from '../../n8n/n8nSetup.mts';
import { addSubscription, deliver, unused, WebhookTrigger } from '../../n8n/triggers.mts';

const setup = setUpN8n();
afterEach(async () => await setup.clear());

/** Of somebody else. */
const used = { ...unused, active: true };
const takeOver = { takeOver: true };

async function publishOn(state: object, options: object) {
	const trigger = await WebhookTrigger.create(setup, { ...options }, addSubscription(setup, state));
	await trigger.publish();
	return trigger;
}

const asked = ({ subscription: { subscriptionId } }: WebhookTrigger, method: string): number =>
	setup.sandbox.requests.filter(
		(request) => request.method === method && request.path.endsWith(`/${subscriptionId}`),
	).length;

test('deleting the workflow restores what it was before a rename and changes of it', async () => {
	const trigger = await publishOn(used, takeOver);
	const { url } = trigger.subscription;
	const before = asked(trigger, 'GET') + asked(trigger, 'PATCH');
	const type = 'n8n-nodes-base.noOp';
	await trigger.save({ name: 'Nothing', type, typeVersion: 1, position: [200, 0], parameters: {} });
	await trigger.publish();
	// The older engine takes every trigger down and up again.
	if (!setup.isOlder) expect(asked(trigger, 'GET') + asked(trigger, 'PATCH')).toBe(before);
	trigger.node.name = 'On form';
	await trigger.change({ events: ['form.submitted', 'form.enriched'] });
	await trigger.publish();
	const { events } = trigger.node.parameters;
	expect(trigger.subscription).toMatchObject({ url, events, active: true });
	await trigger.expectRun();
	// It deletes the workflow, which unpublishes it.
	await setup.clear();
	expect(trigger.subscription).toMatchObject(used);
});

test('a publishing that fails says why, and the next one makes up for it', async () => {
	const trigger = await WebhookTrigger.create(setup, {}, addSubscription(setup, used));
	setup.sandbox.faults.add({ kind: 'status', status: 401, times: 1_000 });
	await expect(trigger.publish()).rejects.toThrow('The API key was rejected (401)');
	setup.sandbox.faults.clear();
	const message = await trigger.publish().then(String, String);
	expect(message).toMatch(/in use by https:\/\/example\.com\/old\b.*Take Over/);
	expect(message).not.toContain('secret');
	expect(asked(trigger, 'PATCH')).toBe(0);
	await trigger.change({ options: takeOver });
	await trigger.publish();
	await trigger.expectRun();
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(used);
});

test('a service that pings the new URL before it responds to the change gets 200', async () => {
	const { sandbox, client } = setup;
	const trigger = await WebhookTrigger.create(setup);
	const answers: number[] = [];
	const service = await serve(async ({ method, path, body }) => {
		const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' };
		const sent = method === 'PATCH' ? { method, headers, body: String(body) } : { headers };
		const response = await fetch(sandbox.url + path, sent);
		const text = await response.text();
		const { url } = JSON.parse(text) as { url: string };
		if (method === 'PATCH' && url.startsWith(trigger.productionUrl))
			answers.push(await deliver(url, { type: 'ping' }));
		return { status: response.status, body: text };
	});
	const data = { baseUrl: service.url, apiKey: sandbox.apiKey };
	const credential = await client.createCredential(credentialType, 'Pinging', data);
	trigger.node.credentials = { [credentialType]: credential };
	await trigger.save();
	await trigger.publish();
	expect(answers).toEqual([200]);
	expect(await trigger.runs(1)).toMatchObject([{ items: [{ type: 'ping' }] }]);
	service.close();
});
