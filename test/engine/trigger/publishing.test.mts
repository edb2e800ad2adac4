import { pagesOption, setUpScene } from './scene.mts';
import type { Trigger } from './trigger.mts';

const scene = setUpScene();

const free = {
	url: 'https://example.com/old?secret=s3',
	events: ['form.enriched' as const],
	active: false,
};
const used = { ...free, url: 'https://example.com/crm?key=k1', active: true };
const takeOver = { options: { takeOver: true } };
const readSnapshots = ({ id }: Trigger, data: object): unknown =>
	(data as { global: { pageAudienceTrigger: Record<string, { snapshots: unknown }> } }).global
		.pageAudienceTrigger[id].snapshots;

describe('publishing', () => {
	test('connects a free subscription, with a token in the URL, after its state was kept', async () => {
		// As text, from an expression.
		const events = '={{ "form.submitted, form.enriched" }}';
		const { subscription, trigger } = scene.subscribed(free, { events });
		const workflow = trigger.makeWorkflow(true);
		const { subscriptionId } = subscription;
		let kept: unknown;
		scene.onChange = ({ events: stored }) => {
			kept = structuredClone(readSnapshots(trigger, workflow.staticData));
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
		expect(kept).toMatchObject([{ subscriptionId, ...free }]);
	});

	test('again sends the whole state, whatever the service shows, and keeps the first one', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.publish();
		const { url } = subscription;
		const kept = trigger.staticData;
		Object.assign(subscription, { events: null, active: false });
		await trigger.publish();
		const whole = { url, events: ['form.submitted'], active: true };
		expect(scene.changes).toEqual([whole, whole]);
		expect(scene.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
		expect(trigger.staticData).toEqual(kept);
	});

	test.each([
		[{ events: [] }, 'Trigger On is required'],
		[{ subscriptionId: '' }, 'Webhook Subscription is required'],
		[{ subscriptionId: '..' }, 'cannot be used as an ID'],
		[{ subscriptionId: 'subscription_unknown' }, '"subscription_unknown" was not found (404)'],
		[{ outputs: 'each' }, 'Outputs must be one of one, perEvent'],
		[{ options: { pages: pagesOption('page_1', '') } }, 'Options > Pages > Page 2'],
	])('rejects invalid settings, and changes nothing: %j', async (parameters, message) => {
		const { trigger } = scene.subscribed(free);
		Object.assign(trigger.parameters, parameters);
		await expect(trigger.publish()).rejects.toThrow(message);
		await expect(trigger.listen()).rejects.toThrow(message);
		expect(scene.changes).toEqual([]);
	});
});

describe('a subscription in use', () => {
	test.each(['new', 'older'] as const)(
		'is refused, and not touched by five tries and what n8n undoes after each (%s engine)',
		async (engine) => {
			const { subscription, trigger } = scene.subscribed(used);
			const failure = trigger.publish({ engine, tries: 5 });
			await expect(failure).rejects.toThrow(
				/in use by https:\/\/example\.com\/crm\b.*turn on Options > Take Over/,
			);
			await expect(failure).rejects.not.toThrow(/k1/);
			await expect(trigger.listen()).rejects.toThrow('turn on Options > Take Over');
			await trigger.unpublish();
			expect(scene.changes).toEqual([]);
			expect(subscription).toMatchObject(used);
		},
	);

	test.each(['two workflows', 'one workflow'])(
		'by one of two triggers of %s stays with the first, and the other one is told',
		async (which) => {
			const subscription = scene.subscription(free);
			const workflowId = which === 'one workflow' ? 'shared' : undefined;
			const [owner, other] = [1, 2].map(() => scene.trigger(subscription, { workflowId }));
			const results = await Promise.allSettled([owner.publish(), other.publish()]);
			expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
			await expect(other.publish({ tries: 5 })).rejects.toThrow('another webhook of this n8n');
			await scene.deliver(subscription.url, { a: 1 });
			expect(scene.host.executions).toMatchObject([{ trigger: owner.id }]);
			await owner.unpublish();
			expect(subscription).toMatchObject(free);
		},
	);

	test('passes to a second workflow with Take Over, and back, inactive if the first is not published', async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		const second = scene.trigger(subscription, takeOver);
		await first.publish();
		const { url } = subscription;
		await second.publish();
		expect(subscription.url).toContain(second.productionUrl);
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: true });
		await second.publish();
		await first.unpublish();
		expect(subscription.url).toContain(second.productionUrl);
		expect(scene.host.log.join()).toContain('left unchanged, because it now delivers to');
		await second.unpublish();
		expect(subscription).toMatchObject({ url, active: false });
		expect(scene.host.log.join()).toContain('is not published any more, so the trigger made it');
		// The first one still knows what was there before.
		await first.publish();
		await first.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('passes while its owner is unpublished, and nothing is lost', async () => {
		const subscription = scene.subscription(free);
		const [first, second] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await first.publish();
		await Promise.all([first.unpublish(), second.publish()]);
		expect(subscription.url).toContain(second.productionUrl);
		await second.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('at this path of another origin is one of a copy of n8n, or of n8n before it moved', async () => {
		const address = 'https://old.example.com';
		const { subscription, trigger } = scene.subscribed(used, { ...takeOver, address });
		await trigger.publish();
		trigger.base = scene.host.url;
		await trigger.unpublish();
		expect(scene.host.log.join()).toContain('now delivers to https://old.example.com/webhook/');
		trigger.parameters.options = {};
		await expect(trigger.publish()).rejects.toThrow(/old\.example\.com.*on another n8n.*Take Over/);
		expect(scene.changes).toHaveLength(1);
		trigger.parameters.options = { takeOver: true };
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject(used);
	});
});
