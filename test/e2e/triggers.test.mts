import { setUpN8n } from '../n8n/n8nSetup.mts';
import { deliver, PollingTrigger, unused, WebhookTrigger } from '../n8n/triggers.mts';

// The life of each trigger, once and whole. The folders `trigger` and `polling` ask for each part of it.

const setup = setUpN8n();
afterEach(async () => await setup.clear());

test('the webhook trigger connects its subscription, starts the workflow, and restores the subscription', async () => {
	const trigger = await WebhookTrigger.createPublished(setup);
	const { subscription } = trigger;
	const { url } = subscription;
	expect(url).toContain(trigger.productionUrl);
	expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });

	expect(await deliver(trigger.productionUrl, { event: 'form.submitted' })).toBe(401);
	const emails = ['a@example.com', 'b@example.com'];
	for (const email of emails) expect(await trigger.emit('form.submitted', { email })).toBe(200);
	const items = emails.map((email) => [{ event: 'form.submitted', data: { email } }]);
	expect(await trigger.runs(2)).toEqual(
		items.map((items) => ({ mode: 'webhook', status: 'success', items })),
	);
	await trigger.unpublish();
	expect(subscription).toMatchObject(unused);
	expect(await deliver(url, { event: 'form.submitted' })).toBe(404);
});

test('the polling trigger outputs each new session once, from when it is published', async () => {
	const trigger = await PollingTrigger.create(setup);
	await trigger.publish();
	const added = [trigger.addSession(2), trigger.addSession()];
	expect((await trigger.sessions(2)).sort()).toEqual(added.sort());
	await trigger.untilPolled();
	expect(await trigger.sessions(2)).toHaveLength(2);
});
