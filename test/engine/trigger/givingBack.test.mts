import { Scene } from './scene.mts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => await scene.close());
beforeEach(async () => await scene.reset());

const before = {
	url: 'https://example.com/crm?secret=s3',
	events: ['form.enriched' as const],
	active: true,
};
const takeOver = { options: { takeOver: true } };

async function publishOn(change: object = before, options: object = {}) {
	const subscription = scene.subscription(change);
	const trigger = scene.trigger(subscription, { options: { takeOver: true, ...options } });
	await trigger.publish();
	scene.sandbox.requests.length = 0;
	return { subscription, trigger };
}

test('puts back what was kept, with one GET and one PATCH', async () => {
	const { subscription, trigger } = await publishOn();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(scene.asked).toEqual(['GET', 'PATCH']);
	expect(trigger.staticData).toEqual({ 'node:Page Audience Trigger': { kept: [] } });
});

test('puts an inactive subscription back as inactive', async () => {
	const { subscription, trigger } = await publishOn({ ...before, active: false });
	await trigger.unpublish();
	expect(subscription).toMatchObject({ ...before, active: false });
});

test('does nothing the second time', async () => {
	const { subscription, trigger } = await publishOn();
	await trigger.unpublish();
	Object.assign(subscription, { url: 'https://example.com/next' });
	await trigger.unpublish();
	expect(scene.changes).toHaveLength(1);
	expect(subscription.url).toBe('https://example.com/next');
});

test('goes on where the first time was cut off', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'resetBefore', method: 'PATCH', times: 2 });
	await expect(trigger.unpublish()).rejects.toThrow();
	expect(subscription.url).toContain(trigger.productionUrl);
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('is done when only the answer was lost', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status: 422, afterWork: true, method: 'PATCH' });
	await expect(trigger.unpublish()).rejects.toThrow('422');
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(scene.changes).toHaveLength(1);
});

test('leaves a subscription that delivers elsewhere by now, and says so without its secrets', async () => {
	const { subscription, trigger } = await publishOn();
	Object.assign(subscription, { url: 'https://example.com/new?key=s4' });
	await trigger.unpublish();
	expect(scene.changes).toEqual([]);
	expect(scene.host.log.join()).toContain('https://example.com/new');
	expect(scene.host.log.join()).not.toContain('s4');
});

test.each([404, 410])('takes a subscription that is gone (%d) for no obstacle', async (status) => {
	const { trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status });
	await trigger.unpublish();
	expect(trigger.staticData).toEqual({ 'node:Page Audience Trigger': { kept: [] } });
});

test('tells that it could not be given back, and still knows what to give back', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status: 403, times: 9 });
	await expect(trigger.unpublish()).rejects.toThrow('403');
	scene.sandbox.faults.clear();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('tells that the service did not take it back', async () => {
	const { trigger } = await publishOn();
	scene.quirks.onChange = (record) => ({ ...record, active: false });
	await expect(trigger.unpublish()).rejects.toThrow('did not take back the active');
});

test('puts all kinds in the place of null, which cannot be sent, and says so at both times', async () => {
	const subscription = scene.subscription({ ...before, events: null });
	const trigger = scene.trigger(subscription, takeOver);
	await trigger.publish();
	expect(scene.host.log.join()).toContain('all kinds');
	scene.host.log.length = 0;
	await trigger.unpublish();
	expect(subscription.events).toHaveLength(6);
	expect(subscription).toMatchObject({ url: before.url, active: true });
	expect(scene.host.log.join()).toContain('all kinds');
});

describe('Pause', () => {
	test('makes it inactive and leaves it here', async () => {
		const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
		await trigger.unpublish();
		await trigger.unpublish();
		expect(scene.changes).toEqual([{ active: false }]);
		expect(subscription.url).toContain(trigger.productionUrl);
	});

	test('can be followed by Restore', async () => {
		const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
		await trigger.unpublish();
		trigger.parameters.options = { onDeactivate: 'restore' };
		await trigger.publish();
		expect(subscription.active).toBe(true);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test('does not bring back what was before another use', async () => {
		const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
		await trigger.unpublish();
		const use = {
			url: 'https://example.com/other',
			events: ['form.submitted' as const],
			active: true,
		};
		Object.assign(subscription, use);
		trigger.parameters.options = { takeOver: true };
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toMatchObject(use);
	});
});

test('Leave changes nothing, and can be followed by Restore', async () => {
	const { subscription, trigger } = await publishOn(before, { onDeactivate: 'leave' });
	await trigger.unpublish();
	expect(scene.asked).toEqual([]);
	expect(subscription).toMatchObject({ active: true });
	trigger.parameters.options = { onDeactivate: 'restore' };
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a changed trigger goes to the new subscription and leaves the old one as it was', async () => {
	const { subscription, trigger } = await publishOn();
	const next = scene.subscription({ active: false }, 3);
	await trigger.unpublish();
	trigger.parameters.subscriptionId = next.subscriptionId;
	await trigger.publish();
	expect(subscription).toMatchObject(before);
	expect(next.url).toContain(trigger.productionUrl);
});

test('what could not be given back when the subscription was changed is given back with the next', async () => {
	const { subscription, trigger } = await publishOn();
	const next = scene.subscription({ active: false }, 3);
	scene.sandbox.faults.add({ kind: 'status', status: 403, times: 1 });
	await expect(trigger.unpublish()).rejects.toThrow('403');
	trigger.parameters.subscriptionId = next.subscriptionId;
	await trigger.publish();
	expect(subscription).toMatchObject(before);
	expect(next.url).toContain(trigger.productionUrl);
	await trigger.unpublish();
	expect(next.url).not.toContain(trigger.id);
});

test('an old version of the static data does no harm', async () => {
	const { subscription, trigger } = await publishOn();
	const old = structuredClone(trigger.staticData);
	await trigger.unpublish();
	trigger.staticData = old;
	const use = { url: 'https://example.com/other', active: true };
	Object.assign(subscription, use);
	await trigger.unpublish();
	expect(subscription).toMatchObject(use);
});

test.each([[{ kept: 'x' }], [{ kept: [null, 1, {}, { url: 1 }] }], [{ kept: { a: 1 } }]])(
	'unreadable static data counts as none: %j',
	async (data) => {
		const { subscription, trigger } = await publishOn();
		trigger.staticData = { 'node:Page Audience Trigger': data };
		await trigger.unpublish();
		expect(subscription.active).toBe(false);
	},
);
