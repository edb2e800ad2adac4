import { setUpN8n } from '../../n8n/n8nSetup.mts';
import { deliver, untilRestored, unused, WebhookTrigger } from '../../n8n/triggers.mts';

const setup = setUpN8n();
afterEach(async () => await setup.clear());

test('a test shows the event, and restores the subscription after it', async () => {
	const trigger = await WebhookTrigger.create(setup);
	await trigger.listen();
	expect(trigger.subscription.url).toContain(trigger.testUrl);
	// A delivery that is rejected, or not chosen, does not end it.
	expect(await deliver(trigger.testUrl, { event: 'form.submitted' })).toBe(401);
	expect(await deliver(trigger.subscription.url, { event: 'form.enriched' })).toBe(200);
	expect(await trigger.emit('form.submitted', { a: 1 })).toBe(200);
	expect(await trigger.runs(1)).toEqual([
		{ mode: 'manual', status: 'success', items: [{ event: 'form.submitted', data: { a: 1 } }] },
	]);
	await untilRestored(trigger.subscription, unused);
});

test('a test gives way to publishing, and changes nothing at its end', async () => {
	const trigger = await WebhookTrigger.create(setup);
	await trigger.listen();
	await trigger.publish();
	const { url } = trigger.subscription;
	expect(url).toContain(trigger.productionUrl);
	await trigger.stopListening();
	await trigger.expectRun();
	expect(trigger.subscription).toMatchObject({ url, active: true });
	await trigger.unpublish();
	expect(trigger.subscription).toMatchObject(unused);
});
