import { caught, setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

const before = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };

/** Publishes on a subscription in use, and catches how that fails. */
async function publish(change: object = {}) {
	const { subscription, trigger } = setup.subscribed({ ...before, ...change }, takeOver);
	const error = await caught(trigger.publish());
	return { subscription, trigger, error };
}

test.each([
	['done but answered 500', { kind: 'status', status: 500, afterWork: true, times: 2 }],
	['done and the connection lost', { kind: 'resetAfter', times: 2 }],
	['done and answered with a web page', { kind: 'answer', body: '<html>' }],
	['done and answered with the ID alone', { kind: 'answer', body: { subscriptionId: 'sub' } }],
	['done and answered without the ID', { kind: 'answer', body: { active: false }, times: 9 }],
] as const)('a change that is %s counts as made', async (_, fault) => {
	setup.faults.add({ ...fault, method: 'PATCH' });
	const { subscription, trigger, error } = await publish();
	expect(error).toBeUndefined();
	expect(subscription.url).toContain(trigger.productionUrl);
	setup.faults.clear();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a lost change is undone if the service does not say what became of it', async () => {
	setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	setup.faults.add({ kind: 'status', status: 403, method: 'GET', skip: 1 });
	const { subscription, error } = await publish();
	expect(error?.message).toContain('may have been changed');
	expect(subscription).toMatchObject(before);
});

// Without it, nobody knows whose the subscription is, or what to restore.
test.each([
	['of another ID', { subscriptionId: 'other' }, 'other than webhook subscription'],
	['without url', { url: undefined }, 'left out the URL or the events of webhook subscription'],
])('a subscription that is once shown %s stays unchanged', async (_, change, message) => {
	const { subscription, trigger } = setup.subscribed(before, takeOver);
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
	const { subscription, trigger } = await publish();
	expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
	// One look says that it was made all the same.
	setup.onChange = () => another;
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
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
		const { trigger } = setup.subscribed(before, takeOver);
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
	const free = { ...before, active: false };
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
