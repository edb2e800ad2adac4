import { caught, pagesOption, setUpTrigger } from './triggerSetup.mts';
import type { Trigger } from './trigger.mts';

const setup = setUpTrigger();

const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};
const used = { ...free, url: 'https://example.com/crm?key=k1', active: true };
const takeOver = { options: { takeOver: true } };
const readTaken = ({ id }: Trigger, data: object): unknown =>
	(data as { global: { pageAudienceTrigger: Record<string, { taken: unknown }> } }).global
		.pageAudienceTrigger[id].taken;

describe('publishing', () => {
	test('connects a free subscription, with a token in the URL, and keeps its earlier state', async () => {
		// As text, from an expression.
		const events = '={{ "form.submitted, form.enriched" }}';
		const { subscription, trigger } = setup.subscribed(free, { events });
		const workflow = trigger.makeWorkflow(true);
		const { subscriptionId } = subscription;
		setup.onChange = ({ events: stored }) => {
			stored?.reverse();
		};
		await trigger.hook('create', workflow);
		const url = new URL(subscription.url);
		expect(url.origin + url.pathname).toBe(trigger.productionUrl);
		expect([...url.searchParams.keys()]).toEqual(['token']);
		expect(url.searchParams.get('token')).toMatch(/^[0-9a-f]{64}$/);
		expect(subscription).toMatchObject({
			events: ['form.enriched', 'form.submitted'],
			active: true,
		});
		const kept = readTaken(trigger, workflow.staticData);
		expect(kept).toEqual([{ subscriptionId, original: free }]);
	});

	test('again sends the whole state, whatever the service shows, and keeps the first one', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.publish();
		const { url } = subscription;
		const kept = trigger.staticData;
		Object.assign(subscription, { events: null, active: false });
		await trigger.publish();
		const whole = { url, events: ['form.submitted'], active: true };
		expect(setup.changes).toEqual([whole, whole]);
		expect(setup.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
		expect(trigger.staticData).toEqual(kept);
	});

	test.each([
		[{ events: [] }, 'Trigger On is required'],
		[{ subscriptionId: '' }, 'Webhook Subscription is required'],
		[{ subscriptionId: '..' }, 'Webhook Subscription is "..", which says that there is none'],
		[{ subscriptionId: '{{id}}' }, 'Webhook Subscription is "{{id}}"'],
		[{ subscriptionId: 'subscription_unknown' }, '"subscription_unknown" was not found (404)'],
		[{ outputs: 'each' }, 'Outputs must be one of one, perEvent'],
		[{ options: { pages: pagesOption('page_1', '') } }, 'Options > Pages > Page 2'],
	])('rejects invalid settings, and changes nothing: %j', async (parameters, message) => {
		const { trigger } = setup.subscribed(free);
		Object.assign(trigger.parameters, parameters);
		await expect(trigger.publish()).rejects.toThrow(message);
		await expect(trigger.listen()).rejects.toThrow(message);
		expect(setup.changes).toEqual([]);
	});
});

describe('a subscription in use', () => {
	test.each(['new', 'older'] as const)(
		'is refused, and not touched by five tries and what n8n undoes after each (%s engine)',
		async (engine) => {
			const { subscription, trigger } = setup.subscribed(used);
			const failure = trigger.publish({ engine, tries: 5 });
			await expect(failure).rejects.toMatchObject({
				message: expect.stringMatching(
					/in use by https:\/\/example\.com\/crm\b.*turn on Options > Take Over.* you unpublish this workflow\. Nothing was changed\.$/,
				) as string,
				description: expect.stringContaining('Nothing was changed.') as string,
			});
			await expect(failure).rejects.not.toThrow(/k1/);
			await expect(trigger.listen()).rejects.toThrow(
				/turn on Options > Take Over.* the test ends\. Nothing was changed\.$/,
			);
			await trigger.unpublish();
			expect(setup.changes).toEqual([]);
			expect(subscription).toMatchObject(used);
		},
	);

	test.each(['two workflows', 'one workflow'])(
		'by one of two triggers of %s stays with the first, and the other one is told',
		async (which) => {
			const subscription = setup.subscription(free);
			const workflowId = which === 'one workflow' ? 'shared' : undefined;
			const [owner, other] = [1, 2].map(() => setup.trigger(subscription, { workflowId }));
			const results = await Promise.allSettled([owner.publish(), other.publish()]);
			expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
			await expect(other.publish({ tries: 5 })).rejects.toThrow(
				'may be another trigger of this n8n',
			);
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
		expect(setup.n8n.log.join()).toContain('taken over from');
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: true });
		await second.publish();
		await first.unpublish();
		expect(subscription.url).toContain(second.productionUrl);
		expect(setup.n8n.log.join()).toContain('left unchanged, because it now delivers to');
	});

	test('passes while its owner is unpublished, and nothing is lost', async () => {
		const subscription = setup.subscription(free);
		const [first, second] = [1, 2].map(() => setup.trigger(subscription, takeOver));
		await first.publish();
		await Promise.all([first.unpublish(), second.publish()]);
		expect(subscription.url).toContain(second.productionUrl);
		await second.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('at this path of another origin is one of a copy of n8n, or of n8n before it moved', async () => {
		const address = 'https://old.example.com';
		const { subscription, trigger } = setup.subscribed(used, { ...takeOver, address });
		await trigger.publish();
		trigger.base = setup.n8n.url;
		await trigger.unpublish();
		expect(setup.n8n.log.join()).toContain('now delivers to https://old.example.com/webhook/');
		trigger.parameters.options = {};
		await expect(trigger.publish()).rejects.toThrow(/old\.example\.com.*on another n8n.*Take Over/);
		expect(setup.changes).toHaveLength(1);
		trigger.parameters.options = { takeOver: true };
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription.url).toContain(address);
	});
});

describe('a mere start of n8n, with its older engine', () => {
	test('changes nothing about its own subscription', async () => {
		const { subscription, trigger, url } = await setup.published();
		subscription.active = false;
		await trigger.startOlder();
		expect(subscription).toMatchObject({ url, active: false });
		expect(setup.changes).toHaveLength(1);
		await trigger.unpublish();
		expect(subscription.url).not.toBe(url);
	});

	test('gives nothing back, if it fails because the service is down', async () => {
		const { subscription, trigger, url } = await setup.published();
		setup.faults.add({ kind: 'status', status: 503, times: 2 });
		await expect(trigger.startOlder()).rejects.toThrow('503');
		await trigger.hook('delete');
		expect(subscription).toMatchObject({ url, active: true });
	});

	test.each([true, false])(
		'takes no subscription from another receiver, and logs it (active: %s)',
		async (active) => {
			const { subscription, trigger } = await setup.published();
			const other = { url: 'https://n8n.production.example/webhook/1/webhook', active };
			Object.assign(subscription, other);
			setup.pass(10_000);
			await trigger.startOlder();
			expect(subscription).toMatchObject(other);
			expect(setup.n8n.log.join()).toMatch(
				/left unchanged at the start of n8n.*publish the workflow/,
			);
		},
	);
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

test.each([
	[
		'without a webhook ID, if n8n would respond with 404 because of its name',
		{ id: null },
		/^n8n gave this trigger no webhook ID.* in the editor and save it/,
	],
	[
		'with an address of n8n that no service can reach',
		{ address: 'http://localhost:5678' },
		/^The service cannot reach this n8n at http:\/\/localhost:5678\. Set N8N_WEBHOOK_URL .in an older n8n: WEBHOOK_URL. to /,
	],
	[
		'with an unusable address of n8n',
		{ address: 'nowhere' },
		/^n8n has no usable webhook URL for this node .*WEBHOOK_URL/,
	],
])('a trigger %s is refused', async (_, settings, told) => {
	const { trigger } = setup.subscribed(free, settings);
	for (const isTest of [false, true]) {
		const error = await caught(trigger.hook('create', undefined, isTest));
		// n8n shows no description at publishing.
		expect(error).toMatchObject({
			message: expect.stringMatching(told) as string,
			description: 'Nothing was changed.',
		});
	}
	expect(setup.requests).toEqual([]);
});

test('a publishing that failed because of the address of n8n is made up for by the next one', async () => {
	const { subscription, trigger } = setup.subscribed(free);
	trigger.base = 'nowhere';
	await expect(trigger.publish()).rejects.toThrow('WEBHOOK_URL');
	trigger.base = setup.n8n.url;
	await trigger.publish();
	expect(subscription.url).toContain(trigger.productionUrl);
	trigger.base = 'nowhere';
	await expect(trigger.unpublish()).rejects.toThrow('WEBHOOK_URL');
	trigger.base = setup.n8n.url;
	await trigger.unpublish();
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

test('an expression that fails is reported as n8n describes it', async () => {
	const { trigger } = setup.subscribed(free, { events: '={{ $("Nowhere").item.json.events }}' });
	await expect(trigger.hook('create')).rejects.toMatchObject({ name: 'ExpressionError' });
	expect(setup.changes).toEqual([]);
});
