import type { GenericValue, INodeParameters } from 'n8n-workflow';
import { remembered } from '../../../nodes/PageAudienceTrigger/kept.ts';
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
		const at = expect.any(Number) as number;
		const kept = readTaken(trigger, workflow.staticData);
		expect(kept).toEqual([{ subscriptionId, original: free, at }]);
	});

	test.each([
		[{ subscriptionId: '..' }, 'Webhook Subscription is "..", which says that there is none'],
		[{ subscriptionId: 'subscription_unknown' }, '"subscription_unknown" was not found (404)'],
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

const nothingKept = { global: { pageAudienceTrigger: {} } };

/** Publishes on a subscription in use, and catches how that fails. */
async function publishUsed(options: INodeParameters = {}) {
	const made = setup.subscribed(used, { options: { takeOver: true, ...options } });
	const error = await caught(made.trigger.publish());
	setup.requests.length = 0;
	return { ...made, error };
}

test('unpublishing restores with one PATCH, forgets, and changes nothing the second time', async () => {
	const { subscription, trigger } = await publishUsed();
	await trigger.unpublish();
	expect(subscription).toMatchObject(used);
	expect(setup.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	expect(setup.changes).toEqual([used]);
	expect(trigger.staticData).toEqual(nothingKept);
	Object.assign(subscription, { url: 'https://example.com/next' });
	await trigger.unpublish();
	expect(setup.changes).toHaveLength(1);
});

test('unpublishing with Leave asks nothing, and reports a service that did not restore everything', async () => {
	const { trigger } = await publishUsed({ onDeactivate: 'leave' });
	await trigger.unpublish();
	expect(setup.requests).toEqual([]);
	trigger.published!.parameters.options = {};
	setup.onChange = (record) => ({ ...record, active: false });
	await expect(trigger.unpublish()).rejects.toThrow('did not restore the active');
});

test('what could not be restored is restored when another subscription is published, or logged', async () => {
	const { subscription, trigger } = await publishUsed();
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
	expect(subscription).toMatchObject(used);
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
		const { subscription, trigger } = await publishUsed();
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

test('a test goes on after a delivery that is rejected or not chosen', async () => {
	const { subscription, trigger } = setup.subscribed(free);
	await trigger.listen();
	expect(await setup.deliver(trigger.testUrl, {})).toBe(401);
	expect(await setup.deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
	expect(subscription.url).toContain(trigger.testUrl);
	await setup.deliver(subscription.url, { event: 'form.submitted' });
	expect(setup.modes).toEqual(['manual']);
	expect(subscription).toMatchObject(free);
	// n8n ends it once more for each further delivery that it got.
	setup.requests.length = 0;
	await trigger.endListening();
	expect(setup.changes).toEqual([]);
});

/* Faults of the service, and of what it responds. */

test.each([
	['done but answered 500', { kind: 'status', status: 500, afterWork: true, times: 2 }],
	['done and the connection lost', { kind: 'resetAfter', times: 2 }],
	['done and answered with a web page', { kind: 'answer', body: '<html>' }],
	['done and answered with the ID alone', { kind: 'answer', body: { subscriptionId: 'sub' } }],
	['done and answered without the ID', { kind: 'answer', body: { active: false }, times: 9 }],
] as const)('a change that is %s counts as made', async (_, fault) => {
	setup.faults.add({ ...fault, method: 'PATCH' });
	const { subscription, trigger, error } = await publishUsed();
	expect(error).toBeUndefined();
	expect(subscription.url).toContain(trigger.productionUrl);
	setup.faults.clear();
	await trigger.unpublish();
	expect(subscription).toMatchObject(used);
});

test('a lost change is undone if the service does not say what became of it', async () => {
	setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	setup.faults.add({ kind: 'status', status: 403, method: 'GET', skip: 1 });
	const { subscription, error } = await publishUsed();
	expect(error?.message).toContain('may have been changed');
	expect(subscription).toMatchObject(used);
});

// Without it, nobody knows whose the subscription is, or what to restore.
test.each([
	['of another ID', { subscriptionId: 'other' }, 'other than webhook subscription'],
	['without url', { url: undefined }, 'left out the URL or the events of webhook subscription'],
])('a subscription that is once shown %s stays unchanged', async (_, change, message) => {
	const { subscription, trigger } = setup.subscribed(used, takeOver);
	const body = { ...subscription, ...change };
	for (const step of ['publish', 'listen'] as const) {
		setup.faults.add({ kind: 'status', status: 200, body, method: 'GET' });
		await expect(trigger[step]()).rejects.toThrow(message);
	}
	expect(setup.changes).toEqual([]);
});

test('what the response to a change leaves out counts as sent, but that of another subscription does not', async () => {
	const another = structuredClone(setup.subscription({ url: 'https://example.com/billing' }, 1));
	setup.onChange = ({ events: _, ...rest }) => rest;
	const { subscription, trigger } = await publishUsed();
	expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
	// One look says that it was made all the same.
	setup.onChange = () => another;
	await trigger.unpublish();
	expect(subscription).toMatchObject(used);
	expect(setup.sandbox.store.subscriptions.get(another.subscriptionId)).toEqual(another);
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
] as const)(
	'a busy service is told within a quarter of a minute, to retry later: %s',
	async (message, fault) => {
		const { trigger } = setup.subscribed(used, takeOver);
		setup.faults.add(fault);
		const start = performance.now();
		const error = await caught(trigger.hook('create'));
		expect(performance.now() - start).toBeLessThan(15_000);
		expect(error?.message).toContain(message);
		// A message advises no option that only other nodes have.
		expect(error?.description).toMatch(/(^|\. )Retry later\./);
	},
);

test('a test run is ended by a service that tries the new URL at once', async () => {
	const { subscription, trigger } = setup.subscribed(free);
	setup.onChange = async (_record, sent) => {
		// It does not wait for what n8n does after its response.
		if (sent.url?.includes('webhook-test')) await setup.n8n.deliver(sent.url, {});
	};
	await trigger.listen();
	await setup.rest();
	expect(setup.modes).toEqual(['manual']);
	expect(subscription).toMatchObject(free);
	await trigger.endListening();
	expect(subscription).toMatchObject(free);
});
