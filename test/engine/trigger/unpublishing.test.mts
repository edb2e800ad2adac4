import type { GenericValue } from 'n8n-workflow';
import { setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

const before = {
	url: 'https://example.com/crm?secret=s3',
	events: ['form.enriched' as const],
	active: true,
};
const json = { 'content-type': 'application/json' };
const nothingKept = { global: { pageAudienceTrigger: {} } };

/** The service keeps no long URL. */
const dropBack = (record: { url: string }) => {
	record.url = record.url.replace(/&back=.*/, '');
};

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

test.each([
	['older static data that n8n puts back', {}, undefined],
	['a service that keeps no long URL', undefined, dropBack],
])('restores the subscription in spite of %s', async (_, staticData, onChange) => {
	setup.onChange = onChange;
	const { subscription, trigger } = await publishOn();
	if (staticData) trigger.staticData = staticData;
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test.each(['restore', 'pause'])(
	'leaves the subscription of the workflow of which it is a copy (%s)',
	async (onDeactivate) => {
		const options = { takeOver: true, onDeactivate };
		const [owner, copy] = ['first', 'copy'].map((workflowId) =>
			setup.trigger(setup.subscription(before), { id: 'shared', workflowId, options }),
		);
		await owner.publish();
		// n8n 1 does so after it has refused to publish the copy.
		await copy.hook('delete');
		const subscription = setup.subscription();
		expect(subscription).toMatchObject({ active: true });
		expect(subscription.url).toContain(owner.productionUrl);
		await owner.unpublish();
		expect(subscription.url).toContain(onDeactivate === 'pause' ? owner.productionUrl : before.url);
	},
);

// Such as a backup that is tried out beside production, or the former server of an n8n that moved.
test.each([
	['another n8n', 'left', { started: false, isOnlyMain: true }],
	['a webhook process of this n8n', 'restored', { started: false, isOnlyMain: false }],
	['an n8n with an older package', 'restored', { started: false }],
	['something else', 'restored', { code: 404 }],
])('where %s responds at the same address, the subscription is %s', async (_, is, body) => {
	const { subscription, trigger } = await publishOn();
	const { url } = subscription;
	jest
		.spyOn(setup.n8n, 'answer')
		.mockResolvedValue({ status: 200, headers: json, body: JSON.stringify(body) });
	await trigger.unpublish();
	expect(subscription).toMatchObject(is === 'left' ? { url, active: true } : before);
	const line = 'left unchanged, because another n8n takes its deliveries at http://n8n.example/';
	expect(setup.n8n.log.join().includes(line)).toBe(is === 'left');
	expect(trigger.staticData).toEqual(nothingKept);
});

// n8n's `import:workflow` unpublishes while n8n runs, and takes deliveries.
test("n8n's command line restores the subscription, although n8n responds", async () => {
	const { subscription, trigger } = await publishOn();
	const body = JSON.stringify({ started: false, isOnlyMain: true });
	jest.spyOn(setup.n8n, 'answer').mockResolvedValue({ status: 200, headers: json, body });
	setup.n8n.role = 'unset';
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
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
			`${subscription.subscriptionId}: could not be released.*If it still delivers here, publish`,
		),
	);
});

test('reports a service that did not restore everything', async () => {
	const { trigger } = await publishOn();
	setup.onChange = (record) => ({ ...record, active: false });
	await expect(trigger.unpublish()).rejects.toThrow('did not restore the active');
});

test('restores null events as all events, and logs it when publishing and unpublishing', async () => {
	const { subscription, trigger } = await publishOn({ ...before, events: null });
	expect(setup.n8n.log.join()).toContain('selects all events');
	setup.n8n.log.length = 0;
	await trigger.unpublish();
	expect(subscription.events).toHaveLength(6);
	expect(subscription).toMatchObject({ url: before.url, active: true });
	expect(setup.n8n.log.join()).toContain('selects all events');
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
	[{ snapshots: [null, 1, {}, { url: 1 }] }],
	[{ token: 1 }],
])('without readable settings to restore, it makes the subscription inactive: %j', async (kept) => {
	setup.onChange = dropBack;
	const { subscription, trigger } = await publishOn();
	trigger.staticData = { global: { pageAudienceTrigger: { [trigger.id]: kept } } };
	// Publishing again never keeps the trigger's own URL.
	if (kept === undefined) await trigger.publish();
	expect(JSON.stringify(trigger.staticData)).not.toContain('http');
	await trigger.unpublish();
	const { url } = subscription;
	expect(subscription).toMatchObject({ url, active: false });
	expect(trigger.staticData).toEqual(nothingKept);
	expect(setup.n8n.log.join()).toContain('unknown, so the trigger made it inactive');
});
