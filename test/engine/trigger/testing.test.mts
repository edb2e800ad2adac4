import { remembered } from '../../../nodes/PageAudienceTrigger/kept.ts';
import { setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const query = (url: string) => Object.fromEntries(new URL(url).searchParams);
const dropQuery = (record: { url: string }) => {
	record.url = record.url.split('?')[0];
};

describe('a test run of a published workflow', () => {
	const publish = async (options: { onDeactivate?: string } = {}) => await setup.published(options);

	test.each([{}, { takeOver: true }])(
		'is refused, and takes no event from production: %j',
		async (options) => {
			const { subscription, trigger, url } = await publish();
			trigger.parameters.options = options;
			await expect(trigger.listen()).rejects.toThrow(
				/production URL.*Unpublish the workflow for the test, or choose another subscription in Options > Test Subscription.*Nothing was changed/,
			);
			await setup.deliver(subscription.url, { event: 'form.submitted' });
			expect(setup.modes).toEqual(['webhook']);
			expect(subscription).toMatchObject({ url, active: true });
			expect(setup.changes).toHaveLength(1);
		},
	);

	test('is refused too where production has another address than the editor', async () => {
		const address = 'http://n8n.webhooks.example';
		const { subscription, trigger, url } = await setup.published({ takeOver: true }, { address });
		trigger.base = setup.n8n.url;
		await expect(trigger.listen()).rejects.toThrow('Test Subscription');
		expect(subscription).toMatchObject({ url, active: true });
	});

	test('uses a subscription that a person has paused, and leaves it as it was', async () => {
		const { subscription, trigger, url } = await publish();
		subscription.active = false;
		await trigger.listen();
		expect(subscription.url).toContain(trigger.testUrl);
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: false });
		await trigger.listen();
		await trigger.unpublish();
		expect(subscription.url).not.toContain(trigger.id);
		await trigger.endListening();
		expect(subscription.url).not.toContain(trigger.id);
	});

	test('uses the Test Subscription, and leaves the one of production unchanged', async () => {
		const { subscription, trigger, url } = await publish();
		const other = setup.subscription({ active: false }, 3);
		const before = { ...other };
		trigger.parameters.options = { testSubscriptionId: other.subscriptionId };
		await trigger.listen();
		expect(subscription.url).toBe(url);
		expect(other.url).toContain(trigger.testUrl);
		await setup.deliver(other.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(['manual']);
		expect(other).toMatchObject({ url: before.url, events: before.events, active: false });
	});
});

describe('a test run without a published workflow', () => {
	test('restores the subscription after the event', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.listen();
		const { token, ...rest } = query(subscription.url);
		expect(rest).toEqual({});
		expect(token).toMatch(/^[0-9a-f]{64}$/);
		expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
		// What is rejected or not chosen does not end it.
		expect(await setup.deliver(trigger.testUrl, {})).toBe(401);
		expect(await setup.deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
		expect(subscription.url).toContain(trigger.testUrl);
		await setup.deliver(subscription.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(['manual']);
		expect(subscription).toMatchObject(free);
		expect(setup.changes.at(-1)).toEqual(free);
		// n8n ends it once more for each further delivery that it got.
		setup.requests.length = 0;
		await trigger.endListening();
		expect(setup.changes).toEqual([]);
	});

	test.each([
		[
			'took over a receiver, whatever parameters its URL has',
			{ url: 'https://example.com/hook?key=k1&test=1&token=2&back=3', active: true },
			{ takeOver: true },
			undefined,
		],
		['has no token because the service drops the query', free, { verifyToken: false }, dropQuery],
	])('restores the subscription where it %s', async (_, before, options, onChange) => {
		const { subscription, trigger } = setup.subscribed(before, { options });
		setup.onChange = onChange;
		await trigger.listen();
		await setup.deliver(subscription.url, { a: 1 });
		expect(setup.modes).toEqual(['manual']);
		expect(subscription).toMatchObject(before);
	});

	test('gives way to publishing, and changes nothing at its end', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.listen();
		await trigger.publish();
		await trigger.endListening();
		expect(subscription.url).toContain(trigger.productionUrl);
		expect(subscription.active).toBe(true);
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test.each(['listen', 'publish'] as const)(
		'that was interrupted is ended by the next %s, and the subscription then inactive',
		async (next) => {
			const { subscription, trigger } = setup.subscribed(free);
			await trigger.listen();
			trigger.kill();
			remembered.clear();
			await trigger[next]();
			expect(subscription.url).toContain(
				next === 'listen' ? trigger.testUrl : trigger.productionUrl,
			);
			await (next === 'listen' ? trigger.endListening() : trigger.unpublish());
			expect(subscription.active).toBe(false);
			expect(setup.n8n.log.join()).toContain('unknown, so the trigger made it inactive');
		},
	);

	test('does not begin where the service refuses the change', async () => {
		const { trigger } = setup.subscribed(free);
		setup.faults.add({ kind: 'status', status: 403, method: 'PATCH' });
		await expect(trigger.listen()).rejects.toThrow('403');
		expect(setup.changes).toHaveLength(1);
	});

	test('never fails at its end, and logs what went wrong', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.listen();
		setup.faults.add({ kind: 'status', status: 403 });
		await trigger.endListening();
		expect(setup.n8n.log.join()).toMatch(/could not be restored: .*403/);
		await trigger.endListening();
		expect(subscription).toMatchObject(free);
	});
});
