import { setUpScene } from './scene.mts';

const scene = setUpScene();

const before = {
	url: 'https://example.com/crm?secret=s3',
	events: ['form.enriched' as const],
	active: true,
};
const takeOver = { options: { takeOver: true } };
const nothingKept = { global: { pageAudienceTrigger: {} } };

async function publishOn(change: object = before, options: object = {}) {
	const { subscription, trigger } = scene.subscribed(change, {
		options: { takeOver: true, ...options },
	});
	await trigger.publish();
	scene.sandbox.requests.length = 0;
	return { subscription, trigger };
}

test('restores the subscription with one PATCH', async () => {
	const { subscription, trigger } = await publishOn();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(scene.asked).toEqual(['GET', 'PATCH']);
	expect(trigger.staticData).toEqual(nothingKept);
});

test('restores an inactive subscription as inactive', async () => {
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

test('restores at the second try when the first one was cut off', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'resetBefore', method: 'PATCH', times: 2 });
	await expect(trigger.unpublish()).rejects.toThrow();
	expect(subscription.url).toContain(trigger.productionUrl);
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('sends the state from before once more when the response was a refusal', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status: 422, afterWork: true, method: 'PATCH' });
	await expect(trigger.unpublish()).rejects.toThrow('422');
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(scene.changes).toEqual([before, before]);
	expect(trigger.staticData).toEqual(nothingKept);
});

test('leaves a subscription unchanged that now delivers elsewhere, and names the address without secrets', async () => {
	const { subscription, trigger } = await publishOn();
	Object.assign(subscription, { url: 'https://example.com/new?key=s4' });
	await trigger.unpublish();
	expect(scene.changes).toEqual([]);
	expect(scene.host.log.join()).toContain('https://example.com/new');
	expect(scene.host.log.join()).not.toContain('s4');
	expect(trigger.staticData).toEqual(nothingKept);
});

test.each([404, 410])('succeeds when the subscription is not found (%d)', async (status) => {
	const { trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status, times: 1 });
	await trigger.unpublish();
	expect(scene.host.log.join()).toContain(`not found (${status}), so nothing was restored`);
});

test('remembers what to restore after a 404, as a wrong Base URL brings it', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status: 404, times: 1 });
	await trigger.unpublish();
	expect(subscription.url).toContain(trigger.productionUrl);
	// Whatever an expression chooses by now.
	trigger.published!.parameters.subscriptionId = '';
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(trigger.staticData).toEqual(nothingKept);
});

test('forgets a subscription that is gone for good', async () => {
	const { trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status: 410, times: 1 });
	await trigger.unpublish();
	expect(trigger.staticData).toEqual(nothingKept);
});

test('reports a service that refuses, and still restores at the next try', async () => {
	const { subscription, trigger } = await publishOn();
	scene.sandbox.faults.add({ kind: 'status', status: 403, times: 9 });
	await expect(trigger.unpublish()).rejects.toThrow('403');
	scene.sandbox.faults.clear();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('reports a service that did not restore everything', async () => {
	const { trigger } = await publishOn();
	scene.quirks.onChange = (record) => ({ ...record, active: false });
	await expect(trigger.unpublish()).rejects.toThrow('did not restore the active');
});

test('restores an empty list of events', async () => {
	const { subscription, trigger } = await publishOn({ ...before, events: [] });
	await trigger.unpublish();
	expect(subscription).toMatchObject({ ...before, events: [] });
});

test('restores null events as all events, and logs it when publishing and unpublishing', async () => {
	const { subscription, trigger } = scene.subscribed({ ...before, events: null }, takeOver);
	await trigger.publish();
	expect(scene.host.log.join()).toContain('sets all events');
	scene.host.log.length = 0;
	await trigger.unpublish();
	expect(subscription.events).toHaveLength(6);
	expect(subscription).toMatchObject({ url: before.url, active: true });
	expect(scene.host.log.join()).toContain('sets all events');
});

describe('Pause', () => {
	test('makes the subscription inactive and keeps its URL', async () => {
		const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
		await trigger.unpublish();
		await trigger.unpublish();
		const { url } = subscription;
		const paused = { url, events: ['form.submitted'], active: false };
		expect(scene.changes).toEqual([paused, paused]);
		expect(subscription.url).toContain(trigger.productionUrl);
	});

	test('still restores after Restore is chosen later', async () => {
		const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
		await trigger.unpublish();
		trigger.parameters.options = { onDeactivate: 'restore' };
		await trigger.publish();
		expect(subscription.active).toBe(true);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test('restores the use that came after the pause', async () => {
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

test('Leave sends nothing, and Restore still restores later', async () => {
	const { subscription, trigger } = await publishOn(before, { onDeactivate: 'leave' });
	await trigger.unpublish();
	expect(scene.asked).toEqual([]);
	expect(subscription).toMatchObject({ active: true });
	trigger.parameters.options = { onDeactivate: 'restore' };
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('restores the old subscription when another one is chosen', async () => {
	const { subscription, trigger } = await publishOn();
	const next = scene.subscription({ active: false }, 3);
	await trigger.unpublish();
	trigger.parameters.subscriptionId = next.subscriptionId;
	await trigger.publish();
	expect(subscription).toMatchObject(before);
	expect(next.url).toContain(trigger.productionUrl);
});

test('restores with the next publishing what could not be restored before', async () => {
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

test('an older version of the static data changes nothing in a subscription that is elsewhere', async () => {
	const { subscription, trigger } = await publishOn();
	const old = structuredClone(trigger.staticData);
	await trigger.unpublish();
	trigger.staticData = old;
	const use = { url: 'https://example.com/other', active: true };
	Object.assign(subscription, use);
	await trigger.unpublish();
	expect(subscription).toMatchObject(use);
});

test.each([
	[{ kept: 'x' }],
	[{ kept: { snapshots: [null, 1, {}, { url: 1 }] } }],
	[{ kept: { a: 1 } }],
])('treats unreadable static data as none: %j', async (data) => {
	const { subscription, trigger } = await publishOn();
	trigger.staticData = { global: { pageAudienceTrigger: { [trigger.id]: data.kept } } };
	await trigger.unpublish();
	expect(subscription.active).toBe(false);
});
