import { aWhile, Scene } from './scene.mts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => await scene.close());
beforeEach(async () => await scene.reset());

const before = { url: 'https://example.com/crm', events: ['form.enriched' as const], active: true };
const takeOver = { options: { takeOver: true } };
const engines = ['new', 'older'] as const;

describe.each(engines)('publishing that fails (%s engine)', (engine) => {
	const fail = async () => {
		const subscription = scene.subscription(before);
		const trigger = scene.trigger(subscription, takeOver);
		const error = await trigger.publish({ engine }).then(
			() => undefined,
			(caught: Error & { description?: string }) => caught,
		);
		return { subscription, trigger, error };
	};

	test.each([
		['at the look for drift', { kind: 'status', status: 403, method: 'GET' }],
		['at the first read', { kind: 'status', status: 403, method: 'GET', skip: 1 }],
		['at the change, refused', { kind: 'status', status: 422, method: 'PATCH' }],
		[
			'at the change, done but not told',
			{ kind: 'status', status: 500, method: 'PATCH', afterWork: true, times: 2 },
		],
		[
			'at the change, done and the connection lost',
			{ kind: 'resetAfter', method: 'PATCH', times: 2 },
		],
		['at the change, with half an answer', { kind: 'cutBody', method: 'PATCH', times: 2 }],
		[
			'at the change, with a web page for an answer',
			{ kind: 'answer', body: '<html>', method: 'PATCH' },
		],
	] as const)('%s leaves the subscription as it was', async (_, fault) => {
		scene.sandbox.faults.add(fault);
		const { subscription, trigger, error } = await fail();
		expect(error).toBeDefined();
		expect(subscription).toMatchObject(before);
		// And the next try goes as if there had been none.
		scene.sandbox.faults.clear();
		await trigger.publish({ engine });
		await trigger.unpublish();
		expect(subscription).toMatchObject(before);
	});

	test('because the service drops the query of the URL advises to do without the token', async () => {
		scene.quirks.onChange = (record) => {
			record.url = record.url.split('?')[0];
		};
		const { subscription, trigger, error } = await fail();
		expect(error?.message).toContain("'Options > Verify Token'");
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
	])('because the service does not take the %s is undone', async (name, stubborn) => {
		let done = 0;
		scene.quirks.onChange = (record) => (done++ === 0 ? { ...record, ...stubborn } : undefined);
		const { subscription, error } = await fail();
		expect(error?.message).toContain(`did not take the new ${name}`);
		expect(subscription).toMatchObject(before);
	});
});

test('what could not be undone is undone by what n8n calls after it', async () => {
	const subscription = scene.subscription(before);
	const trigger = scene.trigger(subscription, takeOver);
	scene.sandbox.faults.add({
		kind: 'status',
		status: 500,
		method: 'PATCH',
		afterWork: true,
		times: 2,
	});
	scene.sandbox.faults.add({ kind: 'status', status: 403, method: 'GET', skip: 2 });
	await expect(trigger.publish({ engine: 'new' })).rejects.toThrow('500');
	expect(scene.host.log.join()).toContain('could not be put back');
	expect(subscription).toMatchObject(before);
});

test('what somebody else changed meanwhile is not undone', async () => {
	const subscription = scene.subscription(before);
	const trigger = scene.trigger(subscription, takeOver);
	scene.quirks.onChange = (record) => {
		record.url = 'https://example.com/somebody-else';
	};
	await expect(trigger.publish()).rejects.toThrow('did not take the new url');
	expect(subscription.url).toBe('https://example.com/somebody-else');
	expect(scene.changes).toHaveLength(1);
});

test('the secret is in no message, also where the service repeats the URL', async () => {
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

test('a service that is busy for long is told within a quarter of a minute', async () => {
	const trigger = scene.trigger(scene.subscription(before), takeOver);
	scene.sandbox.faults.add({
		kind: 'rateLimit',
		requests: 0,
		perMs: 60_000,
		retryAfter: 'seconds',
	});
	const start = Date.now();
	await expect(trigger.hook('checkExists', trigger.makeWorkflow(true), false)).rejects.toThrow();
	expect(Date.now() - start).toBeLessThan(15_000);
});

describe('a service that tries the new URL before it answers', () => {
	test.each([
		['a real event', { event: 'form.submitted' }, 1],
		['nothing', '', 1],
		['an event that was not chosen', { event: 'page.version.created' }, 0],
	])('with %s gets 200', async (_, body, executions) => {
		const subscription = scene.subscription(before);
		const trigger = scene.trigger(subscription, takeOver);
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

	test('in a test too, which ends with it, and all is given back', async () => {
		const subscription = scene.subscription(before);
		const trigger = scene.trigger(subscription, takeOver);
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
});
