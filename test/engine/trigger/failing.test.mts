import { caught, setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

const before = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };

/** Publishes on a subscription in use, and catches how that fails. */
async function publish(change: object = {}, engine?: 'new' | 'older') {
	const { subscription, trigger } = setup.subscribed({ ...before, ...change }, takeOver);
	const error = await caught(trigger.publish({ engine }));
	return { subscription, trigger, error };
}

// What n8n calls after a failed publishing: in the older engine, without what that publishing kept.
describe.each(['new', 'older'] as const)('publishing that fails (%s engine)', (engine) => {
	test.each<[what: string, change: (url: string) => object, told: RegExp]>([
		[
			'drops the query',
			(url) => ({ url: url.split('?')[0] }),
			/The service removes everything after the \? from webhook URLs\..* turn off Verify Token/,
		],
		[
			'insists on https:',
			(url) => ({ url: url.replace(/^http:/i, 'https:') }),
			/changes the webhook URL from http:\/\/ to https:\/\/\. .* Set N8N_WEBHOOK_URL .in an older n8n: WEBHOOK_URL. to an address of this n8n that begins with https:/,
		],
		[
			'changes the URL',
			() => ({ url: 'https://example.com/stubborn' }),
			/did not accept the new URL of/,
		],
		['keeps the events', () => ({ events: before.events }), /did not accept the new events of/],
		['stays inactive', () => ({ active: false }), /did not accept the new active state of/],
	])('because the service %s is undone, and says what to do', async (_, change, told) => {
		setup.onChange = (record) => {
			// It writes URLs its own way, too.
			record.url = record.url.toUpperCase();
			const isOurs = record.url.includes('/WEBHOOK/');
			return isOurs ? { ...record, ...change(record.url) } : undefined;
		};
		const { subscription, error } = await publish({}, engine);
		expect(error?.message).toMatch(told);
		expect(error?.message).toContain('The trigger restored the subscription.');
		expect(subscription).toMatchObject({ ...before, url: before.url.toUpperCase() });
	});
});

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

test('a lost change that the service shows late is undone after the next publishing', async () => {
	const { subscription, trigger } = setup.subscribed(before, takeOver);
	const body = { ...subscription };
	setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	setup.faults.add({ kind: 'status', status: 200, body, method: 'GET', skip: 1, times: 2 });
	const error = await caught(trigger.publish());
	expect(error?.description).toContain('The subscription is unchanged.');
	expect(subscription.url).toContain(trigger.productionUrl);
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a lost change that the service shows is undone, although it shows the earlier state once more', async () => {
	const { subscription, trigger } = setup.subscribed(before, takeOver);
	const body = { ...subscription };
	setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	setup.faults.add({ kind: 'status', status: 200, body, method: 'GET', skip: 2 });
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a lost change is undone if the service does not say what became of it', async () => {
	setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	setup.faults.add({ kind: 'status', status: 403, method: 'GET', skip: 1 });
	const { subscription, error } = await publish();
	expect(error?.message).toContain('The trigger restored the subscription.');
	expect(subscription).toMatchObject(before);
});

test('a lost change that the service shows late, after it was undone, is not taken for the present', async () => {
	const { subscription, trigger } = setup.subscribed(before, takeOver);
	await trigger.listen();
	trigger.kill();
	const left = structuredClone(subscription);
	setup.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	const show = (body: object, skip: number, times: number) =>
		setup.faults.add({ kind: 'status', status: 200, body, method: 'GET', skip, times });
	show(left, 1, 2);
	await expect(trigger.publish()).rejects.toThrow();
	expect(subscription).toMatchObject(before);
	show({ ...left, ...(setup.changes[1] as object) }, 0, 1);
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test.each([
	['refused', 2, { kind: 'status', status: 422 }],
	['in conflict', 1, { kind: 'status', status: 409 }],
	['not sent', 2, { kind: 'resetBefore' }],
] as const)('a change that is %s leaves everything as it was', async (_, times, fault) => {
	setup.faults.add({ ...fault, times, method: 'PATCH' });
	const { subscription, trigger, error } = await publish({ events: null });
	expect(error?.message).toContain('The subscription is unchanged');
	expect(error?.message.includes('it was to deliver form.submitted to')).toBe('status' in fault);
	expect(subscription).toMatchObject({ ...before, events: null });
	expect(setup.changes).toHaveLength(times);
	expect(JSON.stringify(trigger.staticData)).not.toContain(before.url);
});

test('what could not be undone is restored by the hook that n8n calls next', async () => {
	setup.onChange = (record) => ({ ...record, active: false });
	setup.faults.add({ kind: 'status', status: 403, method: 'PATCH', skip: 1 });
	const { subscription, error } = await publish();
	expect(error?.message).toContain('did not accept the new active');
	expect(error?.message).toContain('The trigger could not restore the subscription:');
	expect(setup.n8n.log.join()).toMatch(/could not be restored: .*403/);
	expect(subscription).toMatchObject(before);
});

// n8n 2.41 then finds its webhook still registered, and would publish without a call.
test.each([
	['the API key was wrong', { status: 401 }],
	['the service was down', { status: 503 }],
	['the service refused changes', { status: 403, method: 'PATCH' }],
])('a publishing that failed because %s is made up for by the next one', async (_, fault) => {
	const { subscription, trigger } = setup.subscribed(before, takeOver);
	for (const events of [['form.submitted'], ['form.submitted', 'form.enriched']] as const) {
		trigger.parameters.events = [...events];
		setup.faults.add({ kind: 'status', times: 99, ...fault });
		await expect(trigger.publish()).rejects.toThrow(String(fault.status));
		setup.faults.clear();
		await trigger.publish();
		expect(subscription).toMatchObject({ events, active: true });
		expect(subscription.url).toContain(trigger.productionUrl);
	}
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a change that another receiver made in the meantime is not undone', async () => {
	setup.onChange = (record) => {
		record.url = 'https://example.com/somebody-else';
	};
	const { subscription, error } = await publish();
	expect(error?.message).toContain('did not accept the new URL');
	expect(error?.description).toContain('It now delivers to https://example.com/somebody-else');
	expect(subscription.url).toBe('https://example.com/somebody-else');
	expect(setup.changes).toHaveLength(1);
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
	setup.onChange = () => another;
	await expect(trigger.unpublish()).rejects.toThrow('other than webhook subscription');
	setup.onChange = undefined;
	// n8n tries again.
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

test.each([
	['alone', false],
	['beside the published workflow', true],
])('a test run %s is ended by a service that tries the new URL at once', async (_, isBeside) => {
	const { subscription, trigger } = setup.subscribed(before, takeOver);
	if (isBeside) await trigger.publish();
	const { url, events, active } = subscription;
	setup.onChange = async (_record, sent) => {
		// It does not wait for what n8n does after its response.
		if (/test=|webhook-test/.test(sent.url ?? '')) await setup.n8n.deliver(sent.url ?? '', {});
	};
	await trigger.listen();
	await setup.rest();
	expect(setup.modes).toContain('manual');
	// Even if n8n had no static data of the test yet.
	expect(subscription).toMatchObject({ url, events, active });
	await trigger.endListening();
	expect(subscription).toMatchObject({ url, events, active });
});
