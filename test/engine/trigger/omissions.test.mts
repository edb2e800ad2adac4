import { setUpScene } from './scene.mts';

const scene = setUpScene();

const crm = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };
const noWhole = /left out the URL of webhook subscription .+, or whether it is active/;

type Subscription = ReturnType<typeof scene.subscribed>['subscription'];

/** Without it, nobody knows whose the subscription is, or what to restore. */
const omissions = {
	'without url': { url: undefined },
	'with null as its url': { url: null },
	'without active': { active: undefined },
};

describe.each(Object.entries(omissions))(
	'a service that once shows a subscription %s',
	(_, change) => {
		/** At the next read of it. */
		const omit = (subscription: Subscription): void => {
			const body = { ...subscription, ...change };
			const operationId = 'getWebhookSubscription';
			scene.sandbox.faults.add({ kind: 'status', status: 200, body, operationId, times: 1 });
		};

		test.each(['restore', 'pause'] as const)('at the end, with %s', async (onDeactivate) => {
			const options = { ...takeOver.options, onDeactivate };
			const { subscription, trigger } = scene.subscribed(crm, { options });
			await trigger.publish();
			const { url } = subscription;
			omit(subscription);
			await expect(trigger.unpublish()).rejects.toThrow(noWhole);
			expect(subscription).toMatchObject({ url, active: true });
			await trigger.unpublish();
			expect(subscription).toMatchObject(
				onDeactivate === 'restore' ? crm : { url: subscription.url, active: false },
			);
		});

		test('when it is published again', async () => {
			const { subscription, trigger } = scene.subscribed(crm, takeOver);
			await trigger.publish();
			omit(subscription);
			// n8n then calls the trigger to end its use.
			await expect(trigger.publish()).rejects.toThrow(noWhole);
			expect(subscription).toMatchObject(crm);
			await trigger.publish();
			await trigger.unpublish();
			expect(subscription).toMatchObject(crm);
		});

		test('when one of two triggers in a chain ends', async () => {
			const { subscription, trigger } = scene.subscribed(crm, takeOver);
			await trigger.publish();
			const next = scene.trigger(subscription, takeOver);
			await next.publish();
			omit(subscription);
			await expect(trigger.unpublish()).rejects.toThrow(noWhole);
			expect(subscription.active).toBe(true);
			await trigger.unpublish();
			expect(subscription.active).toBe(true);
			expect(subscription.url).toContain(next.productionUrl);
			await next.unpublish();
			expect(subscription).toMatchObject(crm);
		});

		test('when a test run begins beside production, or ends', async () => {
			const { subscription, trigger } = scene.subscribed(crm, takeOver);
			await trigger.publish();
			const { url } = subscription;
			omit(subscription);
			await expect(trigger.listen()).rejects.toThrow(noWhole);
			expect(subscription).toMatchObject({ url, active: true });
			await trigger.listen();
			omit(subscription);
			await trigger.endListening().catch(() => undefined);
			expect(subscription.active).toBe(true);
			await trigger.unpublish();
			expect(subscription).toMatchObject(crm);
		});

		test('when only the list could say whose it is', async () => {
			const { subscription, trigger } = scene.subscribed(crm, takeOver);
			await trigger.publish();
			trigger.staticData = {};
			// Another one, which nobody can read at all.
			const other = scene.subscription(crm, 1);
			const body = [other, subscription].map((each) => ({ ...each, ...change }));
			const operationId = 'listWebhookSubscriptions';
			scene.sandbox.faults.add({ kind: 'status', status: 200, body, operationId });
			scene.sandbox.faults.add({
				kind: 'status',
				status: 403,
				path: `/v0/webhook_subscriptions/${other.subscriptionId}`,
				times: 9,
			});
			await trigger.unpublish();
			expect(subscription.active).toBe(false);
			expect(other).toMatchObject(crm);
			expect(scene.host.log.join()).toContain(`${other.subscriptionId}: could not be read: `);
			scene.sandbox.faults.clear();
		});

		test('when a delivery has the token of an older API key', async () => {
			const { subscription, trigger } = scene.subscribed(crm, takeOver);
			await trigger.publish();
			trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
			omit(subscription);
			expect(await scene.deliver(subscription.url, { a: 1 })).toBe(503);
			scene.pass(5_000);
			expect(await scene.deliver(subscription.url, { a: 1 })).toBe(200);
		});

		test('when the trigger looks whether another one was as quick', async () => {
			const { subscription, trigger } = scene.subscribed(crm, takeOver);
			scene.quirks.onChange = () => omit(subscription);
			await trigger.publish();
			scene.quirks.onChange = undefined;
			await trigger.unpublish();
			expect(subscription).toMatchObject(crm);
		});
	},
);
