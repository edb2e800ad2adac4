import type { Trigger } from './host.mts';
import { setUpScene } from './scene.mts';

const scene = setUpScene();

const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};
const staticDataOf = ({ id }: Trigger, snapshots: unknown) => ({
	global: { pageAudienceTrigger: { [id]: { snapshots } } },
});

describe('publishing', () => {
	test('connects a free subscription, with a token in the URL, and keeps its state', async () => {
		const { subscription, trigger } = scene.subscribed(free, {
			events: ['form.submitted', 'form.enriched'],
		});
		await trigger.publish();
		const url = new URL(subscription.url);
		expect(url.origin + url.pathname).toBe(trigger.productionUrl);
		expect([...url.searchParams.keys()]).toEqual(['token']);
		expect(url.searchParams.get('token')).toMatch(/^[0-9a-f]{64}$/);
		expect(subscription).toMatchObject({
			events: ['form.submitted', 'form.enriched'],
			active: true,
		});
		const { subscriptionId } = subscription;
		expect(trigger.staticData).toMatchObject(staticDataOf(trigger, [{ subscriptionId, ...free }]));
		expect(scene.asked).toEqual(['GET', 'PATCH']);
	});

	test('keeps the state before the first change is sent', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		const workflow = trigger.makeWorkflow(true);
		let keptMeanwhile: unknown;
		scene.quirks.onChange = () => {
			keptMeanwhile = JSON.parse(JSON.stringify(workflow.staticData));
		};
		await trigger.hook('create', workflow, false);
		const { subscriptionId } = subscription;
		expect(keptMeanwhile).toMatchObject(staticDataOf(trigger, [{ subscriptionId, ...free }]));
	});

	test.each([
		['nothing that it sees', {}],
		['events', { events: ['form.enriched' as const] }],
		['null events', { events: null }],
		['active', { active: false }],
	])('repairs %s with the whole state, and keeps the first one', async (_, drift) => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.publish();
		const { url } = subscription;
		const kept = trigger.staticData;
		Object.assign(subscription, drift);
		scene.sandbox.requests.length = 0;
		await trigger.publish();
		const whole = { url, events: ['form.submitted'], active: true };
		expect(scene.changes).toEqual([whole]);
		expect(scene.asked).toEqual(['GET', 'PATCH']);
		expect(subscription).toMatchObject(whole);
		expect(trigger.staticData).toEqual(kept);
	});

	test('accepts events in another order, and a URL written in another way', async () => {
		const { subscription, trigger } = scene.subscribed(free, {
			events: ['form.submitted', 'form.enriched'],
		});
		scene.quirks.onChange = (record) => ({
			...record,
			url: record.url.replace('http://', 'HTTP://'),
			events: ['form.enriched', 'form.submitted'],
		});
		await trigger.publish();
		expect(subscription.active).toBe(true);
	});

	test('never keeps its own URL: without an earlier state, unpublishing makes the subscription inactive', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.publish();
		trigger.staticData = {};
		subscription.active = false;
		await trigger.publish();
		expect(trigger.staticData.global).toEqual({ pageAudienceTrigger: {} });
		const { url } = subscription;
		await trigger.unpublish();
		expect(subscription).toMatchObject({ url, active: false });
		expect(scene.host.log.join()).toContain('unknown, so the trigger made it inactive');
	});

	test('keeps the address that a person chose in the meantime', async () => {
		const { subscription, trigger } = scene.subscribed(free, { options: { takeOver: true } });
		await trigger.publish();
		const chosen = { url: 'https://example.com/meanwhile', active: true };
		Object.assign(subscription, chosen);
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject(chosen);
	});
});

describe('a subscription in use', () => {
	const used = { url: `https://example.com/crm?secret=s3`, events: null, active: true };

	test('is refused, and the message names the receiver and Take Over', async () => {
		const { subscription, trigger } = scene.subscribed(used);
		const failure = trigger.publish();
		await expect(failure).rejects.toThrow(
			/in use by https:\/\/example\.com\/crm\b.*turn on Options > Take Over/,
		);
		await expect(failure).rejects.not.toThrow(/secret/);
		expect(subscription).toMatchObject(used);
		expect(scene.changes).toEqual([]);
	});

	test.each(['new', 'older'] as const)(
		'is not touched by five tries and what n8n undoes after each (%s engine)',
		async (engine) => {
			const { subscription, trigger } = scene.subscribed(used);
			await expect(trigger.publish({ engine, tries: 5 })).rejects.toThrow('Take Over');
			await trigger.unpublish();
			expect(scene.changes).toEqual([]);
			expect(subscription).toMatchObject(used);
		},
	);

	test('is used with Take Over, and restored', async () => {
		const subscription = scene.subscription({ ...used, events: ['form.enriched'] });
		const before = { ...subscription };
		const trigger = scene.trigger(subscription, { options: { takeOver: true } });
		await trigger.publish();
		expect(subscription.url).toContain(trigger.productionUrl);
		await trigger.unpublish();
		const { url, events, active } = before;
		expect(subscription).toMatchObject({ url, events, active });
	});

	test('stays with another workflow of this n8n, and the message says so', async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		const second = scene.trigger(subscription, { events: ['form.enriched'] });
		await first.publish();
		const { url } = subscription;
		await expect(second.publish({ tries: 5 })).rejects.toThrow('another webhook of this n8n');
		expect(subscription.url).toBe(url);
		await scene.sandbox.emit('form.submitted');
		expect(scene.host.executionsOf(first)).toHaveLength(1);
		await first.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('passes to a second workflow with Take Over, and back when that one ends first', async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		const second = scene.trigger(subscription, { options: { takeOver: true } });
		await first.publish();
		const { url } = subscription;
		await second.publish();
		expect(subscription.url).toContain(second.productionUrl);
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: true });
		await first.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('leaves nothing to restore where Take Over failed', async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		const second = scene.trigger(subscription, { options: { takeOver: true } });
		await first.publish();
		const { url } = subscription;
		scene.sandbox.faults.add({ kind: 'status', status: 422, method: 'PATCH' });
		await expect(second.publish()).rejects.toThrow('422');
		expect(subscription.url).toBe(url);
		expect(second.staticData.global).toEqual({ pageAudienceTrigger: {} });
		expect(scene.host.log).toEqual([]);
	});

	test('becomes inactive if the workflow that had it before is not published any more', async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		const second = scene.trigger(subscription, { options: { takeOver: true } });
		await first.publish();
		await second.publish();
		await first.unpublish();
		expect(subscription.url).toContain(second.productionUrl);
		expect(scene.host.log.join()).toContain('left unchanged, because it now delivers to');
		await second.unpublish();
		expect(subscription.url).toContain(first.productionUrl);
		expect(subscription.active).toBe(false);
		expect(scene.host.log.join()).toContain('is not published any more, so the trigger made it');
		// The first one still knows what was there before.
		await first.publish();
		await first.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('is refused at this path of another origin: a copy of n8n, or n8n before it moved', async () => {
		const { subscription, trigger } = scene.subscribed(free, {
			address: 'https://old.example.com',
		});
		await trigger.publish();
		const { url } = subscription;
		trigger.base = scene.host.url;
		await expect(trigger.publish()).rejects.toThrow(/old\.example\.com.*on another n8n.*Take Over/);
		expect(subscription.url).toBe(url);
		trigger.parameters.options = { takeOver: true };
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});
});

describe("n8n's own address", () => {
	const publicApi = { credential: { baseUrl: 'https://api.example.invalid', apiKey: 'k' } };

	test.each(['http://localhost:5678', 'http://127.0.0.1:5678', 'http://[::1]:5678'])(
		'%s fails while the API is on the internet',
		async (address) => {
			const trigger = scene.trigger(scene.subscription(free), { address, ...publicApi });
			const create = trigger.hook('create', trigger.makeWorkflow(true), false);
			const refusal = {
				message: `The service cannot reach this n8n at ${address}. Set WEBHOOK_URL to an address that can be reached from the internet.`,
				description: 'Nothing was changed.',
			};
			await expect(create).rejects.toMatchObject(refusal);
			await expect(trigger.listen()).rejects.toMatchObject(refusal);
		},
	);

	test('is accepted while the API is as near', async () => {
		const trigger = scene.trigger(scene.subscription(free), { address: 'http://localhost:5678' });
		await trigger.publish();
		expect(scene.host.log).toEqual([]);
	});

	test('that only looks private writes a line in the log', async () => {
		const address = 'http://10.0.0.7:5678';
		const trigger = scene.trigger(scene.subscription(free), { address, ...publicApi });
		const create = trigger.hook('create', trigger.makeWorkflow(true), false);
		await expect(create).rejects.not.toThrow('WEBHOOK_URL');
		expect(scene.host.log[0]).toContain(
			`Page Audience Trigger: ${address} looks like an address that the service cannot reach. If no deliveries arrive, set WEBHOOK_URL.`,
		);
	});

	test('on the internet writes none', async () => {
		const address = 'https://n8n.example.com';
		const trigger = scene.trigger(scene.subscription(free), { address, ...publicApi });
		const create = trigger.hook('create', trigger.makeWorkflow(true), false);
		await expect(create).rejects.not.toThrow('WEBHOOK_URL');
		expect(scene.host.log.join()).not.toContain('WEBHOOK_URL');
	});
});

test.each([
	[{ events: [] }, 'Trigger On is required'],
	[{ subscriptionId: '' }, 'Webhook Subscription is required'],
	[{ subscriptionId: '..' }, 'cannot be used as an ID'],
	[{ subscriptionId: 'subscription_unknown' }, '/subscription_unknown was not found (404)'],
	[{ events: ['form.unknown'] }, 'Trigger On accepts only'],
])('rejects invalid settings: %j', async (parameters, message) => {
	const trigger = scene.trigger(scene.subscription(free));
	Object.assign(trigger.parameters, parameters);
	await expect(trigger.publish()).rejects.toThrow(message);
	expect(scene.changes).toEqual([]);
});

test('accepts events from an expression, as text', async () => {
	const { subscription, trigger } = scene.subscribed(free);
	trigger.parameters.events = '={{ "form.submitted, form.enriched" }}';
	await trigger.publish();
	expect(subscription.events).toEqual(['form.submitted', 'form.enriched']);
});
