import type { GenericValue } from 'n8n-workflow';
import { remembered } from '../../../nodes/PageAudienceTrigger/kept.ts';
import { setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

const before = {
	url: 'https://example.com/crm?secret=s3',
	events: ['form.enriched' as const],
	active: true,
};
const nothingKept = { global: { pageAudienceTrigger: {} } };

async function publishOn(change: object = before, options: object = {}) {
	const { subscription, trigger } = setup.subscribed(change, {
		options: { takeOver: true, ...options },
	});
	await trigger.publish();
	setup.requests.length = 0;
	return { subscription, trigger };
}

test('restores the subscription with one PATCH, and changes nothing the second time', async () => {
	const { subscription, trigger } = await publishOn();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(setup.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	expect(setup.changes).toEqual([before]);
	expect(trigger.staticData).toEqual(nothingKept);
	Object.assign(subscription, { url: 'https://example.com/next' });
	await trigger.unpublish();
	expect(setup.changes).toHaveLength(1);
});

test('restores the subscription although n8n puts back older static data', async () => {
	const { subscription, trigger } = await publishOn();
	trigger.staticData = {};
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a subscription of unknown settings is released, whatever an expression chooses by then', async () => {
	const { subscription, trigger } = await publishOn();
	remembered.clear();
	trigger.staticData = {};
	await trigger.publish();
	trigger.published!.parameters.subscriptionId = '';
	await trigger.unpublish();
	expect(subscription.active).toBe(false);
});

test('leaves a subscription unchanged that now delivers elsewhere, and forgets it', async () => {
	const { subscription, trigger } = await publishOn();
	subscription.url = 'https://example.com/new';
	await trigger.unpublish();
	expect(setup.changes).toEqual([]);
	expect(trigger.staticData).toEqual(nothingKept);
});

// A wrong Base URL brings 404, too.
test.each([404, 410])(
	'succeeds when the subscription is not found (%d), and restores it if it is found later',
	async (status) => {
		const { subscription, trigger } = await publishOn();
		setup.faults.add({ kind: 'status', status });
		await trigger.unpublish();
		expect(setup.n8n.log.join()).toContain(
			`not found with this API key (${status}), so nothing was restored`,
		);
		expect(subscription.url).toContain(trigger.productionUrl);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	},
);

test('says in the log which subscription it could not release, and what to do', async () => {
	const { subscription, trigger } = await publishOn();
	setup.faults.add({ kind: 'resetBefore', times: 9 });
	await expect(trigger.unpublish()).rejects.toThrow();
	expect(setup.n8n.log.join()).toMatch(
		new RegExp(
			`${subscription.subscriptionId}: could not be restored.*If it still delivers here, publish`,
		),
	);
});

test('reports a service that did not restore everything', async () => {
	const { trigger } = await publishOn();
	setup.onChange = (record) => ({ ...record, active: false });
	await expect(trigger.unpublish()).rejects.toThrow('did not restore the active');
});

test('restores null events as all events, and logs it', async () => {
	const { subscription, trigger } = await publishOn({ ...before, events: null });
	await trigger.unpublish();
	expect(subscription.events).toHaveLength(6);
	expect(subscription).toMatchObject({ url: before.url, active: true });
	expect(setup.n8n.log.join()).toContain('selected all events');
});

test('Pause and Leave make the subscription inactive with its URL, or send nothing', async () => {
	const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
	const paused = { url: subscription.url, events: ['form.submitted'], active: false };
	for (let times = 0; times < 2; times++) await trigger.unpublish();
	expect(setup.changes).toEqual([paused, paused]);
	trigger.parameters.options = { onDeactivate: 'leave' };
	await trigger.publish();
	setup.requests.length = 0;
	await trigger.unpublish();
	expect(setup.requests).toEqual([]);
	expect(subscription).toMatchObject({ ...paused, active: true });
	// Restore still knows what was before them, whatever an expression chooses by then.
	trigger.parameters.options = {};
	await trigger.publish();
	trigger.published!.parameters.subscriptionId = '';
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test.each(['pause', 'leave'])(
	'what another publishing restores leaves out a subscription after %s',
	async (onDeactivate) => {
		const { subscription, trigger } = await publishOn(before, { onDeactivate });
		const { subscriptionId } = setup.subscription({ active: false }, 3);
		await trigger.unpublish();
		const stayed = structuredClone(subscription);
		Object.assign(trigger.parameters, { subscriptionId, options: {} });
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription).toEqual(stayed);
	},
);

test('a use that came after Pause is what the next unpublishing restores', async () => {
	const { subscription, trigger } = await publishOn(before, { onDeactivate: 'pause' });
	await trigger.unpublish();
	const use = { url: 'https://example.com/other', active: true };
	Object.assign(subscription, use);
	trigger.parameters.options = { takeOver: true };
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(use);
});

test('what could not be restored is restored when another subscription is published, or logged', async () => {
	const { subscription, trigger } = await publishOn();
	const { subscriptionId } = subscription;
	const next = setup.subscription({ active: false }, 3);
	const path = new RegExp(subscriptionId);
	setup.faults.add({ kind: 'status', status: 403, method: 'PATCH', path, times: 2 });
	await expect(trigger.unpublish()).rejects.toThrow('403');
	trigger.parameters.subscriptionId = next.subscriptionId;
	await trigger.publish();
	const line = new RegExp(`${subscriptionId}: could not be restored: .*403`);
	expect(setup.n8n.log.join()).toMatch(line);
	expect(subscription.url).toContain(trigger.productionUrl);
	await trigger.publish();
	expect(subscription).toMatchObject(before);
	expect(next.url).toContain(trigger.productionUrl);
});

test.each<[GenericValue]>([
	[undefined],
	['x'],
	[{ taken: [null, 1, {}, { subscriptionId: 1 }] }],
	[{ token: 1 }],
])(
	'without readable settings to restore, after n8n was restarted, it makes the subscription inactive: %j',
	async (kept) => {
		const { subscription, trigger } = await publishOn();
		remembered.clear();
		trigger.staticData = { global: { pageAudienceTrigger: { [trigger.id]: kept } } };
		// Publishing again never keeps the trigger's own URL.
		if (kept === undefined) await trigger.publish();
		expect(JSON.stringify(trigger.staticData)).not.toContain('http');
		await trigger.unpublish();
		const { url } = subscription;
		expect(subscription).toMatchObject({ url, active: false });
		expect(trigger.staticData).toEqual(nothingKept);
		expect(setup.n8n.log.join()).toContain('unknown, so the trigger made it inactive');
	},
);
