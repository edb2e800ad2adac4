import { setUpScene } from './scene.mts';

const scene = setUpScene();

const crm = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };
const noWhole =
	/left out the URL or the events of webhook subscription .+, or whether it is active/;

type Subscription = ReturnType<typeof scene.subscribed>['subscription'];

/** Without it, nobody knows whose the subscription is, or what to restore. */
const omissions = {
	'without url': { url: undefined },
	'with null as its url': { url: null },
	'without active': { active: undefined },
	'with text as its events': { events: 'form.enriched' },
	'with an object as its events': { events: { 'form.enriched': true } },
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
	},
);

test('what the response to a change leaves out counts as sent', async () => {
	const { subscription, trigger } = scene.subscribed(crm, takeOver);
	scene.quirks.onChange = ({ events: _, ...rest }) => rest;
	await trigger.publish();
	expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
	await trigger.unpublish();
	expect(subscription).toMatchObject(crm);
});

describe('a service that once responds with another subscription', () => {
	const other = {
		url: 'https://example.com/billing',
		events: ['form.enriched' as const],
		active: false,
	};
	const refused = 'something other than webhook subscription';

	/** At the next request for it. */
	const mistake = (subscription: Subscription, operationId = 'getWebhookSubscription'): void => {
		const body = { ...scene.subscription(other, 1) };
		scene.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body,
			operationId,
			path: `/v0/webhook_subscriptions/${subscription.subscriptionId}`,
			times: 1,
		});
	};

	test('when it is published: an inactive one is no leave to take the asked one', async () => {
		const { subscription, trigger } = scene.subscribed(crm);
		mistake(subscription);
		await expect(trigger.publish()).rejects.toThrow(refused);
		expect(subscription).toMatchObject(crm);
	});

	test('when it is published with Take Over, and unpublished', async () => {
		const { subscription, trigger } = scene.subscribed(crm, takeOver);
		mistake(subscription);
		await expect(trigger.publish()).rejects.toThrow(refused);
		await trigger.publish();
		mistake(subscription);
		await expect(trigger.unpublish()).rejects.toThrow(refused);
		expect(subscription.url).toContain(trigger.productionUrl);
		await trigger.unpublish();
		expect(subscription).toMatchObject(crm);
	});

	test('when it is changed', async () => {
		const { subscription, trigger } = scene.subscribed(crm, takeOver);
		const another = scene.subscription(other, 1);
		scene.quirks.onChange = () => another;
		await trigger.publish();
		expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
		await expect(trigger.unpublish()).rejects.toThrow(refused);
		expect(subscription).toMatchObject(crm);
		// n8n tries again.
		scene.quirks.onChange = undefined;
		await trigger.unpublish();
		expect(subscription).toMatchObject(crm);
		expect(another).toMatchObject(other);
	});
});
