import type { GenericValue } from 'n8n-workflow';
import { remembered } from '../../../nodes/PageAudienceTrigger/kept.ts';
import { caught, pagesOption, setUpTrigger } from './triggerSetup.mts';

/* What stands in no row of `scenes.test.mts`: several triggers, what n8n and people give, and what is kept and told. */

const setup = setUpTrigger();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const used = { ...free, url: 'https://example.com/crm', active: true };
const takeOver = { options: { takeOver: true } };

describe('a subscription in use', () => {
	test.each([undefined, 'shared'])(
		'by one of two triggers stays with the first, and the other one is told (workflow: %s)',
		async (workflowId) => {
			const subscription = setup.subscription(free);
			const [owner, another] = [1, 2].map(() => setup.trigger(subscription, { workflowId }));
			const results = await Promise.allSettled([owner.publish(), another.publish()]);
			expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
			await expect(another.publish(5)).rejects.toThrow('may be another trigger of this n8n');
			await setup.deliver(subscription.url, { a: 1 });
			expect(setup.n8n.executions).toMatchObject([{ trigger: owner.id }]);
			await owner.unpublish();
			expect(subscription).toMatchObject(free);
		},
	);

	test('passes to a second workflow with Take Over, and back', async () => {
		const subscription = setup.subscription(free);
		const first = setup.trigger(subscription);
		const second = setup.trigger(subscription, takeOver);
		await first.publish();
		const { url } = subscription;
		await second.publish();
		expect(subscription.url).toContain(second.productionUrl);
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: true });
		await second.publish();
		await first.unpublish();
		expect(subscription.url).toContain(second.productionUrl);
		expect(setup.n8n.log.join()).toContain('left unchanged, because it now delivers to');
	});
});

describe('refused is', () => {
	test.each([
		[{ subscriptionId: '..' }, 'Webhook Subscription is "..", which says that there is none'],
		[{ subscriptionId: 'subscription_unknown' }, '"subscription_unknown" was not found (404)'],
		[{ options: { pages: pagesOption('page_1', '') } }, 'Options > Pages > Page 2'],
		[{ events: '={{ $("Nowhere").item.json.events }}' }, "Referenced node doesn't exist"],
	])('an invalid setting, which changes nothing: %j', async (parameters, message) => {
		const { trigger } = setup.subscribed(free);
		Object.assign(trigger.parameters, parameters);
		await expect(trigger.publish()).rejects.toThrow(message);
		await expect(trigger.listen()).rejects.toThrow(message);
		expect(setup.changes).toEqual([]);
	});

	test('an expression that fails, as n8n describes it', async () => {
		const { trigger } = setup.subscribed(free, { events: '={{ $("Nowhere").item.json.events }}' });
		await expect(trigger.publish()).rejects.toMatchObject({ name: 'ExpressionError' });
	});

	test.each([
		[
			'no webhook ID, if n8n would respond with 404 because of its name',
			{ id: null },
			/^n8n gave this trigger no webhook ID.* in the editor and save it/,
		],
		[
			'an address of n8n that no service can reach',
			{ address: 'http://localhost:5678' },
			/^The service cannot reach this n8n at http:\/\/localhost:5678\. Set N8N_WEBHOOK_URL .in an older n8n: WEBHOOK_URL. to /,
		],
		[
			'an unusable address of n8n',
			{ address: 'nowhere' },
			/^n8n has no usable webhook URL for this node .*WEBHOOK_URL/,
		],
	])('a trigger with %s', async (_, settings, told) => {
		const { trigger } = setup.subscribed(free, settings);
		for (const isTest of [false, true]) {
			const error = await caught(trigger.hook('create', undefined, isTest));
			// n8n shows no description at publishing.
			expect(error?.message).toMatch(told);
			expect(error?.description).toBe('Nothing was changed.');
		}
		expect(setup.requests).toEqual([]);
	});
});

test('a node without a webhook ID, as n8n imports it, has that of the workflow and its own name', async () => {
	const imported = { id: null, workflowId: 'workflow7', name: 'Form' };
	const { subscription, trigger } = setup.subscribed(free, imported);
	await trigger.publish();
	expect(subscription.url).toContain('/webhook/workflow7/form/webhook?');
	expect(await setup.deliver(subscription.url, { a: 1 })).toBe(200);
	expect(setup.n8n.executions).toHaveLength(1);
	await trigger.unpublish();
	await trigger.listen();
	await trigger.endListening();
	expect(subscription).toMatchObject(free);
});

// `test/unit/runtime/url.test.mts` has which addresses these are.
test.each([
	['http://10.0.0.7:5678', true],
	['https://n8n.example.com', false],
])("n8n's own address %s writes a line in the log if it only looks private: %s", async (...row) => {
	const [address, isWarned] = row;
	await setup.subscribed(free, { address }).trigger.publish();
	const line = `Page Audience Trigger: ${address} looks like an address that the service cannot reach. If no deliveries arrive, set N8N_WEBHOOK_URL (in an older n8n: WEBHOOK_URL), and unpublish and publish the workflow`;
	expect(setup.n8n.log.join().includes(line)).toBe(isWarned);
});

const nothingKept = { global: { pageAudienceTrigger: {} } };

test('unpublishing restores with one PATCH, forgets, and changes nothing the second time', async () => {
	const { subscription, trigger } = setup.subscribed(used, takeOver);
	await trigger.publish();
	setup.requests.length = 0;
	await trigger.unpublish();
	expect(setup.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	expect(setup.changes).toEqual([used]);
	expect(trigger.staticData).toEqual(nothingKept);
	Object.assign(subscription, { url: 'https://example.com/next' });
	await trigger.unpublish();
	expect(setup.changes).toHaveLength(1);
});

test.each<[GenericValue]>([
	[undefined],
	['x'],
	[{ taken: [null, 1, {}, { subscriptionId: 1 }] }],
	[{ token: 1 }],
])('without readable settings, after n8n was restarted, it becomes inactive: %j', async (kept) => {
	const { subscription, trigger } = setup.subscribed(used, takeOver);
	await trigger.publish();
	remembered.clear();
	trigger.staticData = { global: { pageAudienceTrigger: { [trigger.id]: kept } } };
	// Publishing again never keeps the trigger's own URL.
	if (kept === undefined) await trigger.publish();
	expect(JSON.stringify(trigger.staticData)).not.toContain('http');
	await trigger.unpublish();
	const { url } = subscription;
	expect(subscription).toMatchObject({ url, active: false });
	expect(url).toContain(trigger.productionUrl);
	expect(trigger.staticData).toEqual(nothingKept);
	expect(setup.n8n.log.join()).toContain('unknown, so the trigger made it inactive');
});

test('the API key, pasted into another field, stands in no message and no log', async () => {
	const { trigger, url } = await setup.published();
	const { apiKey } = trigger.credential;
	trigger.parameters.events = apiKey;
	const error = await caught(trigger.publish());
	expect(await setup.deliver(url, {})).toBe(503);
	expect(setup.n8n.log.join()).toMatch(/rejected a delivery \(503\): .*\*\*\*/);
	const told = JSON.stringify([error, error?.message, error?.stack]);
	expect(told).toContain('***');
	expect(told + setup.n8n.log.join()).not.toContain(apiKey);
});

test.each([
	[
		'The service was too busy to respond in time',
		{ kind: 'rateLimit', requests: 0, perMs: 60_000, retryAfter: 'seconds' },
	],
	// Longer than any run waits.
	['Rate limit reached (429)', { kind: 'status', status: 429, headers: { 'retry-after': '400' } }],
] as const)('a busy service is told within a quarter of a minute: %s', async (message, fault) => {
	const { trigger } = setup.subscribed(used, takeOver);
	setup.faults.add(fault);
	const start = performance.now();
	const error = await caught(trigger.hook('create'));
	expect(performance.now() - start).toBeLessThan(15_000);
	expect(error?.message).toContain(message);
	// A message advises no option that only other nodes have.
	expect(error?.description).toMatch(/(^|\. )Retry later\./);
});
