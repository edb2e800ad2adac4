import { aWhile, setUpScene } from './scene.mts';

const scene = setUpScene();

const before = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };

const caught = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: Error & { description?: string }) => error,
	);

// What n8n calls after a failed publishing: in the older engine, without what that publishing kept.
describe.each(['new', 'older'] as const)('publishing that fails (%s engine)', (engine) => {
	const fail = async () => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		return { subscription, trigger, error: await caught(trigger.publish({ engine })) };
	};

	test.each<[what: string, change: (url: string) => string, message: string, advice: string]>([
		[
			'drops the query',
			(url) => url.split('?')[0],
			'The service does not keep the query of a webhook URL.',
			'turn off Verify Token',
		],
		[
			'insists on https:',
			(url) => url.replace('http:', 'https:'),
			'The service changes the webhook URL from http:// to https://',
			'Set WEBHOOK_URL to an address of this n8n that begins with https://',
		],
	])('because the service %s says what to do', async (_, change, message, advice) => {
		scene.service.onChange = (record) => {
			if (record.url !== before.url) record.url = change(record.url);
		};
		const { subscription, error } = await fail();
		expect(error?.message).toContain(message);
		expect([error?.message, error?.description].join()).toContain(advice);
		expect(error?.description).toContain('The trigger restored the subscription.');
		expect(subscription).toMatchObject(before);
	});

	test.each([
		['url', { url: 'https://example.com/stubborn' }],
		['events', { events: ['form.enriched'] }],
		['active', { active: false }],
	])('because the service does not accept the %s is undone', async (name, stubborn) => {
		let done = 0;
		scene.service.onChange = (record) => {
			// It writes URLs its own way, too.
			record.url = record.url.toUpperCase();
			return done++ === 0 ? { ...record, ...stubborn } : undefined;
		};
		const { subscription, error } = await fail();
		expect(error?.message).toContain(`did not accept the new ${name}`);
		expect(error?.description).toContain('The trigger restored the subscription.');
		expect(subscription).toMatchObject({ ...before, url: before.url.toUpperCase() });
	});
});

test.each([
	['done but answered 500', { kind: 'status', status: 500, afterWork: true, times: 2 }],
	['done and the connection lost', { kind: 'resetAfter', times: 2 }],
	['done with half a response', { kind: 'cutBody', times: 2 }],
	['done and answered with a web page', { kind: 'answer', body: '<html>' }],
	['done and answered with the ID alone', { kind: 'answer', body: { subscriptionId: 'sub' } }],
	['done and answered without the ID', { kind: 'answer', body: { active: false }, times: 9 }],
] as const)('a change that is %s counts as made', async (_, fault) => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.sandbox.faults.add({ ...fault, method: 'PATCH' });
	await trigger.publish();
	expect(subscription.url).toContain(trigger.productionUrl);
	scene.sandbox.faults.clear();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a lost change that the service shows late is undone after the next publishing', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	const body = { ...subscription };
	scene.sandbox.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	scene.sandbox.faults.add({ kind: 'status', status: 200, body, method: 'GET', skip: 1, times: 2 });
	const error = await caught(trigger.publish());
	expect(error?.description).toContain('The subscription is unchanged.');
	expect(subscription.url).toContain(trigger.productionUrl);
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a lost change is undone if the service does not say what became of it', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.sandbox.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	scene.sandbox.faults.add({ kind: 'status', status: 403, method: 'GET', skip: 1 });
	const error = await caught(trigger.publish());
	expect(error?.description).toContain('The trigger restored the subscription.');
	expect(subscription).toMatchObject(before);
});

test('a lost change that the service shows late, after it was undone, is not taken for the present', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	await trigger.listen();
	trigger.kill();
	const left = structuredClone(subscription);
	scene.sandbox.faults.add({ kind: 'resetAfter', method: 'PATCH', times: 2 });
	const show = (body: object, skip: number, times: number) =>
		scene.sandbox.faults.add({ kind: 'status', status: 200, body, method: 'GET', skip, times });
	show(left, 1, 2);
	await expect(trigger.publish()).rejects.toThrow();
	expect(subscription).toMatchObject(before);
	show({ ...left, ...(scene.changes[1] as object) }, 0, 1);
	await trigger.publish();
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
});

test('a refused change says that the subscription is unchanged', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.sandbox.faults.add({ kind: 'status', status: 422, method: 'PATCH' });
	const error = await caught(trigger.publish());
	expect(error?.description).toContain('The subscription is unchanged.');
	expect(subscription).toMatchObject(before);
});

test('a change that was not sent leaves null events null', async () => {
	const { subscription, trigger } = scene.subscribed({ ...before, events: null }, takeOver);
	scene.sandbox.faults.add({ kind: 'resetBefore', method: 'PATCH', times: 2 });
	const error = await caught(trigger.publish());
	expect(error?.description).toContain('The subscription is unchanged.');
	expect(subscription).toMatchObject({ ...before, events: null });
	expect(scene.changes).toHaveLength(2);
});

test('what could not be undone is restored by the hook that n8n calls next', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.service.onChange = (record) => ({ ...record, active: false });
	scene.sandbox.faults.add({ kind: 'status', status: 403, method: 'PATCH', skip: 1 });
	expect(await caught(trigger.publish())).toMatchObject({
		message: expect.stringContaining('did not accept the new active') as string,
		description: expect.stringContaining(
			'The trigger could not restore the subscription:',
		) as string,
	});
	expect(scene.host.log.join()).toMatch(/could not be restored: .*403/);
	expect(subscription).toMatchObject(before);
});

test('a change that another receiver made in the meantime is not undone', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.service.onChange = (record) => {
		record.url = 'https://example.com/somebody-else';
	};
	await expect(trigger.publish()).rejects.toThrow('did not accept the new url');
	expect(subscription.url).toBe('https://example.com/somebody-else');
	expect(scene.changes).toHaveLength(1);
});

describe('a service that once shows a subscription', () => {
	const noWhole =
		/other than (a record with subscriptionId|webhook subscription)|left out the URL or the events of webhook subscription .+, or whether it is active/;
	const show = (body: object) =>
		scene.sandbox.faults.add({ kind: 'status', status: 200, body, method: 'GET' });

	// Without it, nobody knows whose the subscription is, or what to restore.
	test.each([
		['without its ID', { subscriptionId: undefined }],
		['of another ID', { subscriptionId: 'subscription_other', active: false }],
		['without url', { url: undefined }],
		['with null as its url', { url: null }],
		['without active', { active: undefined }],
		['with text as its events', { events: 'form.enriched' }],
		['with an object as its events', { events: { 'form.enriched': true } }],
	])('%s leaves it unchanged at every step', async (_, change) => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		const showOnce = () => show({ ...subscription, ...change });
		showOnce();
		await expect(trigger.publish()).rejects.toThrow(noWhole);
		expect(subscription).toMatchObject(before);
		await trigger.publish();
		const { url } = subscription;
		showOnce();
		await expect(trigger.listen()).rejects.toThrow(noWhole);
		await trigger.listen();
		showOnce();
		await trigger.endListening();
		showOnce();
		await expect(trigger.unpublish()).rejects.toThrow(noWhole);
		expect(subscription.url).toContain(url);
		expect(subscription.active).toBe(true);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});
});

test('what the response to a change leaves out counts as sent, but that of another subscription does not', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	const another = structuredClone(scene.subscription({ url: 'https://example.com/billing' }, 1));
	scene.service.onChange = ({ events: _, ...rest }) => rest;
	await trigger.publish();
	expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
	scene.service.onChange = () => another;
	await expect(trigger.unpublish()).rejects.toThrow('other than webhook subscription');
	scene.service.onChange = undefined;
	// n8n tries again.
	await trigger.unpublish();
	expect(subscription).toMatchObject(before);
	expect(scene.sandbox.store.subscriptions.get(another.subscriptionId)).toEqual(another);
});

describe('the API key, pasted into another field, stands in no message and no log:', () => {
	const apiKey = 'pk_live_0123456789abcdef';

	test.each<[field: string, parameters: object]>([
		['Webhook Subscription', { subscriptionId: `a/../${apiKey}` }],
		['Trigger On', { events: apiKey }],
		['When Unpublished', { options: { onDeactivate: apiKey, pages: `x,${apiKey}` } }],
	])('%s', async (_, parameters) => {
		const { trigger } = scene.subscribed(before);
		Object.assign(trigger.parameters, parameters);
		trigger.credential = { ...trigger.credential, apiKey };
		const error = await caught(trigger.publish());
		const told = JSON.stringify([error, error?.message, error?.stack, scene.host.log]);
		expect(told).toContain('***');
		expect(told).not.toContain(apiKey);
	});

	test('a rejected delivery', async () => {
		const { trigger, url } = await scene.published();
		const { apiKey: registered } = trigger.credential;
		trigger.published!.parameters.events = registered;
		expect(await scene.deliver(url, {})).toBe(503);
		expect(scene.host.log.join()).toMatch(/rejected a delivery \(503\), because .*\*\*\*/);
		expect(scene.host.log.join()).not.toContain(registered);
	});
});

test('a busy service is reported within a quarter of a minute', async () => {
	const { trigger } = scene.subscribed(before, takeOver);
	const limit = { requests: 0, perMs: 60_000, retryAfter: 'seconds' };
	scene.sandbox.faults.add({ kind: 'rateLimit', ...limit });
	const start = performance.now();
	await expect(trigger.hook('create')).rejects.toMatchObject({
		message: 'The service was too busy to respond in time',
		description: 'Retry later.',
	});
	expect(performance.now() - start).toBeLessThan(15_000);
});

test('a message advises no option that only other nodes have', async () => {
	const { trigger } = scene.subscribed(before, takeOver);
	trigger.credential = { ...trigger.credential, baseUrl: scene.sandbox.url };
	// Longer than any run waits.
	const headers = { 'retry-after': '400' };
	scene.sandbox.faults.add({ kind: 'status', status: 429, headers, times: 2 });
	expect(await caught(trigger.publish())).toMatchObject({
		message: expect.stringContaining('Rate limit reached (429)') as string,
		description: expect.stringMatching(/\. Retry later\.$/) as string,
	});
});

describe('a service that tries the new URL before it responds', () => {
	/** Where its URL contains this. */
	const tryOut = (part: string) => {
		scene.service.onChange = async (_record, { url }) => {
			if (url?.includes(part)) await scene.deliver(url, { ping: true });
		};
	};

	test('ends a test run with it, and the trigger restores the subscription', async () => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		tryOut('webhook-test');
		await trigger.listen();
		await aWhile();
		expect(scene.modes).toEqual(['manual']);
		expect(subscription).toMatchObject(before);
		await trigger.endListening();
		expect(subscription).toMatchObject(before);
	});

	test('ends a test run beside the published workflow, which stays published', async () => {
		const { subscription, trigger, url } = await scene.published();
		tryOut('test=');
		await trigger.listen();
		await aWhile();
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: true });
	});
});
