import { aWhile, setUpScene } from './scene.mts';

const scene = setUpScene();

const before = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };
const engines = ['new', 'older'] as const;

describe.each(engines)('publishing that fails (%s engine)', (engine) => {
	const fail = async () => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		const error = await trigger.publish({ engine }).then(
			() => undefined,
			(caught: Error & { description?: string }) => caught,
		);
		return { subscription, trigger, error };
	};

	test.each([
		['at the first read', { kind: 'status', status: 403, method: 'GET' }],
		['at the change, refused', { kind: 'status', status: 422, method: 'PATCH' }],
		['at the change, not sent', { kind: 'resetBefore', method: 'PATCH', times: 2 }],
	] as const)('%s leaves the subscription unchanged', async (_, fault) => {
		scene.sandbox.faults.add(fault);
		const { subscription, trigger, error } = await fail();
		expect(error).toBeDefined();
		expect(subscription).toMatchObject(before);
		expect(scene.host.log.join()).not.toContain('could not');
		// The next try starts afresh.
		scene.sandbox.faults.clear();
		await trigger.publish({ engine });
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test.each([
		{ message: 'Back soon' },
		{ data: { active: false } },
		{ subscriptionId: 'own' },
		{ subscriptionId: 'own', url: 'https://example.com/crm', events: null },
		{ subscriptionId: 'own', events: ['form.submitted'], active: false },
	])(
		'at a first read without a whole record leaves the subscription unchanged: %j',
		async (shown) => {
			const { subscription, trigger } = scene.subscribed(before);
			const { subscriptionId } = subscription;
			const body = shown.subscriptionId ? { ...shown, subscriptionId } : shown;
			scene.sandbox.faults.add({ kind: 'status', status: 200, body, method: 'GET', times: 1 });
			await expect(trigger.publish({ engine })).rejects.toThrow(
				/other than a record with subscriptionId|left out the URL or the events .+, or whether it is active/,
			);
			expect(subscription).toMatchObject(before);
			// Nobody else's address is lost, and nobody's events are taken.
			await expect(trigger.publish({ engine })).rejects.toThrow(
				'in use by https://example.com/crm',
			);
			trigger.parameters.options = takeOver.options;
			await trigger.publish({ engine });
			await trigger.unpublish();
			expect(subscription).toMatchObject(before);
		},
	);

	test('is none where each response to a change lacks the ID, also when nothing has to change', async () => {
		const { subscription, trigger } = scene.subscribed(before, {
			options: { takeOver: true, onDeactivate: 'leave' },
		});
		scene.sandbox.faults.add({
			kind: 'answer',
			body: { url: 'https://example.com', active: true },
			method: 'PATCH',
			times: 9,
		});
		await trigger.publish({ engine });
		await trigger.unpublish();
		await trigger.publish({ engine });
		expect(subscription.url).toContain(trigger.productionUrl);
	});

	test.each([
		['done but answered 500', { kind: 'status', status: 500, afterWork: true, times: 2 }],
		['done and the connection lost', { kind: 'resetAfter', times: 2 }],
		['done with half a response', { kind: 'cutBody', times: 2 }],
		['done and answered with a web page', { kind: 'answer', body: '<html>' }],
		['done and answered with the ID alone', { kind: 'answer', body: { subscriptionId: 'sub' } }],
	] as const)('a change that is %s counts as made', async (_, fault) => {
		scene.sandbox.faults.add({ ...fault, method: 'PATCH' });
		const { subscription, trigger, error } = await fail();
		expect(error).toBeUndefined();
		expect(subscription.url).toContain(trigger.productionUrl);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test('because the service drops the query of the URL names Verify Token', async () => {
		scene.quirks.onChange = (record) => {
			record.url = record.url.split('?')[0];
		};
		const { subscription, trigger, error } = await fail();
		expect(error?.message).toContain('turn off Verify Token');
		expect(error?.description).toContain('The trigger restored the subscription.');
		expect(subscription).toMatchObject(before);
		trigger.parameters.options = { takeOver: true, verifyToken: false };
		await trigger.publish({ engine });
		expect(subscription.url).toBe(trigger.productionUrl);
		await scene.deliver(subscription.url, { a: 1 });
		expect(scene.host.executions).toHaveLength(1);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test.each([
		['url', { url: 'https://example.com/stubborn' }],
		['events', { events: ['form.enriched'] }],
		['active', { active: false }],
	])('because the service does not accept the %s is undone', async (name, stubborn) => {
		let done = 0;
		scene.quirks.onChange = (record) => (done++ === 0 ? { ...record, ...stubborn } : undefined);
		const { subscription, error } = await fail();
		expect(error?.message).toContain(`did not accept the new ${name}`);
		expect(subscription).toMatchObject(before);
	});
});

test('what could not be undone is restored by the hook that n8n calls next', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.quirks.onChange = (record) => ({ ...record, active: false });
	scene.sandbox.faults.add({ kind: 'status', status: 403, method: 'PATCH', skip: 1 });
	const failure = trigger.publish({ engine: 'new' });
	await expect(failure).rejects.toThrow('did not accept the new active');
	await expect(failure).rejects.toMatchObject({
		description: expect.stringContaining(
			'The trigger could not restore the subscription:',
		) as string,
	});
	expect(scene.host.log.join()).toMatch(/could not be restored: .*403/);
	expect(subscription).toMatchObject(before);
});

test('a change that another receiver made in the meantime is not undone', async () => {
	const { subscription, trigger } = scene.subscribed(before, takeOver);
	scene.quirks.onChange = (record) => {
		record.url = 'https://example.com/somebody-else';
	};
	await expect(trigger.publish()).rejects.toThrow('did not accept the new url');
	expect(subscription.url).toBe('https://example.com/somebody-else');
	expect(scene.changes).toHaveLength(1);
});

test('no message holds a secret, even if the service repeats the URL', async () => {
	const trigger = scene.trigger(scene.subscription(before), takeOver);
	scene.sandbox.faults.add({
		kind: 'status',
		status: 422,
		method: 'PATCH',
		body: {
			message: 'https://n8n.test/webhook/x/webhook?token=verysecret&back=alsosecret is not a URL',
		},
	});
	const error: unknown = await trigger.publish().catch((caught: unknown) => caught);
	const told = JSON.stringify(error, Object.getOwnPropertyNames(error)) + scene.host.log.join();
	expect(told).toContain('is not a URL');
	expect(told).not.toMatch(/verysecret|alsosecret/);
});

describe('the API key, pasted into another field, stands in no message and no log:', () => {
	const apiKey = 'pk_live_0123456789abcdef';
	const make = (parameters: object = {}) => {
		const { trigger } = scene.subscribed(before, takeOver);
		trigger.parameters = { ...trigger.parameters, ...parameters } as typeof trigger.parameters;
		trigger.credential = { ...trigger.credential, apiKey };
		return trigger;
	};
	const read = (error: unknown) =>
		JSON.stringify([error, (error as Error).message, (error as Error).stack, scene.host.log]);

	test.each<[field: string, parameters: object]>([
		['Webhook Subscription', { subscriptionId: `a/../${apiKey}` }],
		['Trigger On', { events: apiKey }],
		['When Unpublished', { options: { onDeactivate: apiKey, pages: `x,${apiKey}` } }],
	])('%s', async (_, parameters) => {
		const error: unknown = await make(parameters)
			.publish()
			.catch((caught: unknown) => caught);
		expect(read(error)).toContain('***');
		expect(read(error)).not.toContain(apiKey);
	});

	test('a subscription that is not found', async () => {
		scene.sandbox.faults.add({ kind: 'status', status: 404, times: 9 });
		const error: unknown = await make({ subscriptionId: apiKey })
			.listen()
			.catch((caught: unknown) => caught);
		expect(scene.host.log.join()).toContain('webhook subscription ***: not found (404)');
		expect(read(error)).not.toContain(apiKey);
	});

	test('a rejected delivery', async () => {
		const trigger = scene.trigger(scene.subscription(before), takeOver);
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: trigger.credential.apiKey as string };
		trigger.start();
		const { url } = scene.subscription();
		expect(await scene.deliver(url, {})).toBe(503);
		expect(scene.host.log.join()).toMatch(/rejected a delivery \(503\), because .*\*\*\*/);
		expect(scene.host.log.join()).not.toContain(trigger.credential.apiKey);
	});
});

test('reports a busy service within a quarter of a minute', async () => {
	const trigger = scene.trigger(scene.subscription(before), takeOver);
	scene.sandbox.faults.add({
		kind: 'rateLimit',
		requests: 0,
		perMs: 60_000,
		retryAfter: 'seconds',
	});
	const start = performance.now();
	await expect(trigger.hook('create', trigger.makeWorkflow(true), false)).rejects.toMatchObject({
		message: 'The service was too busy to respond in time',
		description: 'Retry later.',
	});
	expect(performance.now() - start).toBeLessThan(15_000);
});

test('advises no option that only other nodes have', async () => {
	const trigger = scene.trigger(scene.subscription(before), takeOver);
	const { url: baseUrl, apiKey } = scene.sandbox;
	trigger.credential = { ...trigger.credential, baseUrl, apiKey };
	// Longer than any run waits.
	const headers = { 'retry-after': '400' };
	scene.sandbox.faults.add({ kind: 'status', status: 429, headers, times: 2 });
	const failure = trigger.publish();
	await expect(failure).rejects.toThrow('Rate limit reached (429)');
	await expect(failure).rejects.toMatchObject({
		description: expect.stringMatching(/\. Retry later\.$/) as string,
	});
});

describe('a service that tries the new URL before it responds', () => {
	test.each([
		['a real event', { event: 'form.submitted' }, 1],
		['nothing', '', 1],
		['an event that was not chosen', { event: 'page.version.created' }, 0],
	])('with %s gets 200', async (_, body, executions) => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		let status: number | undefined;
		scene.quirks.onChange = async (_record, { url }) => {
			if (url?.startsWith(scene.host.url)) status = await scene.deliver(url, body);
		};
		await trigger.publish();
		expect(status).toBe(200);
		expect(scene.host.executions).toHaveLength(executions);
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test('ends a test run with it, and the trigger restores the subscription', async () => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		scene.quirks.onChange = async (_record, { url }) => {
			if (url?.includes('webhook-test')) await scene.deliver(url, { ping: true });
		};
		await trigger.listen();
		await aWhile();
		expect(scene.host.executions).toHaveLength(1);
		expect(subscription).toMatchObject(before);
		await trigger.endListening();
		expect(subscription).toMatchObject(before);
	});

	test('ends a test run beside the published workflow, which stays published', async () => {
		const { subscription, trigger } = scene.subscribed(before, takeOver);
		await trigger.publish();
		const { url } = subscription;
		scene.quirks.onChange = async (_record, change) => {
			if (change.url?.includes('test=')) await scene.deliver(change.url, { ping: true });
		};
		await trigger.listen();
		await aWhile();
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: true });
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});
});
