import { aWhile, Scene, until } from './scene.mts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => await scene.close());
beforeEach(async () => await scene.reset());

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const query = (url: string) => Object.fromEntries(new URL(url).searchParams);

describe('beside a published workflow', () => {
	const publish = async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		await trigger.publish();
		return { subscription, trigger, url: subscription.url };
	};

	test('adds one parameter to the URL and joins the events, and takes them away at the end', async () => {
		const { subscription, trigger, url } = await publish();
		trigger.parameters.events = ['form.enriched'];
		await trigger.listen();
		expect(subscription.url).toBe(`${url}&test=/webhook-test/${trigger.id}/webhook`);
		expect(subscription.events).toEqual(['form.submitted', 'form.enriched']);
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, events: ['form.submitted'], active: true });
	});

	test('both get the delivery: its bytes, headers that mean something at its end, and no others', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		scene.host.arrivals.length = 0;
		const body = '{ "event" : "form.submitted",\n "name": "Zoë" }';
		await scene.deliver(subscription.url, body, {
			'content-type': 'application/json; charset=utf-8',
			'x-signature': 'abc',
			connection: 'keep-alive, x-hop',
			'x-hop': '1',
			'x-forwarded-host': 'proxy',
		});
		await until(() => scene.host.executions.length === 2);
		const [first, second] = scene.host.executions;
		expect([first.mode, second.mode]).toEqual(['webhook', 'manual']);
		expect(second.items).toEqual(first.items);
		const copy = scene.host.arrivals[1];
		expect(copy.path).toBe(`/webhook-test/${trigger.id}/webhook?token=${query(url).token}`);
		expect(copy.body).toBe(body);
		expect(copy.headers).toMatchObject({
			'content-type': 'application/json; charset=utf-8',
			'x-signature': 'abc',
		});
		expect(copy.headers).not.toHaveProperty('x-hop');
		expect(copy.headers).not.toHaveProperty('x-forwarded-host');
		await until(() => subscription.url === url, 'the end of the test');
	});

	test.each([
		['a form', 'a=1&b=%20x', { 'content-type': 'application/x-www-form-urlencoded' }],
		['bytes', Buffer.from([0, 255, 1, 254]), { 'content-type': 'application/octet-stream' }],
		['text', 'caf\u00e9', { 'content-type': 'text/plain' }],
		['no type', 'x', {}],
		['nothing', '', {}],
	])('a copy of %s is the same', async (_, body, headers) => {
		const { subscription, trigger } = await publish();
		await trigger.listen();
		scene.host.arrivals.length = 0;
		await scene.deliver(subscription.url, body, headers as { [name: string]: string });
		await until(() => scene.host.executions.length === 2);
		const [original, copy] = scene.host.arrivals;
		expect(copy.body).toBe(original.body);
		expect(copy.headers['content-type']).toBe(original.headers['content-type']);
		expect(scene.host.executions[1].items).toEqual(scene.host.executions[0].items);
	});

	test('starts production with what it chose, and the test with what the test chose', async () => {
		const { trigger } = await publish();
		trigger.parameters = { ...trigger.parameters, events: ['form.enriched'] };
		await trigger.listen();
		await scene.sandbox.emit('form.submitted');
		await scene.sandbox.emit('form.enriched');
		await until(() => scene.host.executions.length === 2);
		await aWhile();
		expect(scene.host.executions.map(({ mode, items }) => [mode, items[0].json.event])).toEqual([
			['webhook', 'form.submitted'],
			['manual', 'form.enriched'],
		]);
	});

	test('a killed n8n loses nothing of production, and publishing cleans up', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		trigger.kill();
		await scene.sandbox.emit('form.submitted');
		expect(scene.host.executions).toHaveLength(1);
		await until(() => scene.host.log.join().includes('404'), 'the failed copy in the log');
		await trigger.publish();
		expect(subscription).toMatchObject({ url, events: ['form.submitted'] });
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('the next test after a crash cleans up as well', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		trigger.kill();
		await trigger.listen();
		await trigger.endListening();
		expect(subscription.url).toBe(url);
	});

	test('that ends after unpublishing changes nothing', async () => {
		const { subscription, trigger } = await publish();
		await trigger.listen();
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
		scene.sandbox.requests.length = 0;
		await trigger.endListening();
		expect(scene.changes).toEqual([]);
	});

	test('leaves events alone that somebody chose meanwhile', async () => {
		const { subscription, trigger, url } = await publish();
		trigger.parameters.events = ['form.enriched'];
		await trigger.listen();
		subscription.events = ['page.version.created'];
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, events: ['page.version.created'] });
	});

	test('with a service that drops the query is refused and undone, and says what to do', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription, { options: { verifyToken: false } });
		scene.quirks.onChange = (record) => {
			record.url = record.url.split('?')[0];
		};
		await trigger.publish();
		await expect(trigger.listen()).rejects.toThrow("'Options > Test Subscription'");
		expect(subscription).toMatchObject({ url: trigger.productionUrl, active: true });
	});

	test.each([
		'//evil.example/{id}/webhook',
		'/\\evil.example/{id}/webhook',
		'https://evil.example/{id}/webhook',
		'/x/../webhook/{id}/webhook',
		'/webhook/{id}/webhook',
		'/webhook-test/other/webhook',
		'/webhook-test/{id}/webhook?x=1',
		'@evil.example/{id}/webhook',
		'',
	])('copies go nowhere but to its own test: not to %s', async (path) => {
		const { trigger, url } = await publish();
		const target = path.replace('{id}', trigger.id);
		scene.host.arrivals.length = 0;
		await scene.deliver(`${url}&test=${encodeURIComponent(target)}`, { a: 1 });
		await aWhile();
		expect(scene.host.arrivals).toHaveLength(1);
		expect(scene.host.log).toEqual([]);
	});

	test('a subscription chosen for tests is used, and production is not touched', async () => {
		const { subscription, trigger, url } = await publish();
		const other = scene.subscription({ active: false }, 3);
		const before = { ...other };
		trigger.parameters.options = { testSubscriptionId: other.subscriptionId };
		await trigger.listen();
		expect(subscription.url).toBe(url);
		expect(other.url).toContain(trigger.testUrl);
		await scene.deliver(other.url, { event: 'form.submitted' });
		expect(scene.host.executions.map(({ mode }) => mode)).toEqual(['manual']);
		await scene.host.settle();
		expect(other).toMatchObject({ url: before.url, events: before.events, active: false });
	});
});

describe('without a published workflow', () => {
	test('borrows, with what it borrowed in its own URL, and gives it back after the event', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		await trigger.listen();
		const { token, back, ...rest } = query(subscription.url);
		expect(rest).toEqual({});
		expect(token).toMatch(/^[\w-]{43}$/);
		expect(JSON.parse(Buffer.from(back, 'base64url').toString())).toEqual(free);
		expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
		await scene.sandbox.emit('form.submitted', { a: 1 });
		expect(scene.host.executions).toMatchObject([{ mode: 'manual' }]);
		await scene.host.settle();
		expect(subscription).toMatchObject(free);
	});

	test('a delivery that is refused or was not chosen does not end the test', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		await trigger.listen();
		expect(await scene.deliver(trigger.testUrl, {})).toBe(401);
		expect(await scene.deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
		expect(scene.host.executions).toEqual([]);
		expect(subscription.url).toContain(trigger.testUrl);
	});

	test('refuses a subscription in use, and touches nothing', async () => {
		const used = { ...free, active: true };
		const subscription = scene.subscription(used);
		const trigger = scene.trigger(subscription);
		await expect(trigger.listen()).rejects.toThrow("'Options > Take Over'");
		expect(subscription).toMatchObject(used);
		expect(scene.changes).toEqual([]);
	});

	test.each([
		['published', async (trigger: { publish: () => Promise<void> }) => await trigger.publish()],
		['tested', async (trigger: { listen: () => Promise<void> }) => await trigger.listen()],
	])(
		'after a crash, what was borrowed is given back once the trigger is %s again',
		async (name, again) => {
			const subscription = scene.subscription({ ...free, active: true });
			const trigger = scene.trigger(subscription, { options: { takeOver: true } });
			await trigger.listen();
			trigger.kill();
			trigger.parameters.options = {};
			await again(trigger);
			expect(subscription.active).toBe(true);
			await (name === 'published' ? trigger.unpublish() : trigger.endListening());
			expect(subscription).toMatchObject({ ...free, active: true });
		},
	);

	test('publishing during a test takes over from it, and the end of the test changes nothing', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		await trigger.listen();
		await trigger.publish();
		const { url } = subscription;
		expect(url).toContain(trigger.productionUrl);
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: true });
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('a `back` that nobody can read, or that names this trigger, is no state to give back', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		const own = { url: trigger.productionUrl, events: [], active: true };
		for (const back of ['x', 'e30', Buffer.from(JSON.stringify(own)).toString('base64url')]) {
			Object.assign(subscription, { url: `${trigger.testUrl}?back=${back}`, active: true });
			await trigger.publish();
			await trigger.unpublish();
			expect(subscription).toMatchObject({ active: false });
			expect(subscription.url).toContain(trigger.productionUrl);
		}
	});

	test('a subscription that still delivers to the unpublished workflow is borrowed: no copies would come', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription, { options: { onDeactivate: 'leave' } });
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription.url).toContain(trigger.productionUrl);
		await trigger.listen();
		await scene.sandbox.emit('form.submitted');
		expect(scene.host.executions).toMatchObject([{ mode: 'manual' }]);
	});

	test('never fails at its end, and says what could not be done', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		await trigger.listen();
		scene.sandbox.faults.add({ kind: 'status', status: 403 });
		await trigger.endListening();
		expect(scene.host.log.join()).toContain('403');
		await trigger.endListening();
		expect(subscription).toMatchObject(free);
	});

	test('that could not begin is undone', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription);
		scene.sandbox.faults.add({
			kind: 'status',
			status: 500,
			afterWork: true,
			method: 'PATCH',
			times: 2,
		});
		await expect(trigger.listen()).rejects.toThrow('500');
		expect(subscription).toMatchObject(free);
	});

	test('works without a token where the service drops the query', async () => {
		const subscription = scene.subscription(free);
		const trigger = scene.trigger(subscription, { options: { verifyToken: false } });
		scene.quirks.onChange = (record) => {
			record.url = record.url.split('?')[0];
		};
		await trigger.listen();
		await scene.sandbox.emit('form.submitted');
		expect(scene.host.executions).toHaveLength(1);
		await scene.host.settle();
		expect(subscription).toMatchObject(free);
	});
});

describe('what comes during a test that took over', () => {
	const listen = async (change: object = {}) => {
		const subscription = scene.subscription({
			url: `${scene.elsewhereUrl}/hook?key=k1`,
			events: ['form.enriched', 'form.submitted'],
			active: true,
			...change,
		});
		const trigger = scene.trigger(subscription, {
			events: ['form.submitted', 'page.version.created'],
			options: { takeOver: true },
		});
		await trigger.listen();
		return { subscription, trigger };
	};

	test('is forwarded once, as it came, without what would betray the token', async () => {
		const { subscription, trigger } = await listen();
		const { url } = subscription;
		const { token } = query(url);
		const body = '{ "event": "form.submitted" ,"n":1.0}';
		await scene.deliver(url, body, {
			'content-type': 'application/json',
			'x-signature': 'abc',
			'x-original-uri': url,
			referer: `https://x.example/?t=${token}`,
		});
		await until(() => scene.elsewhere.length > 0);
		await aWhile();
		expect(scene.elsewhere).toHaveLength(1);
		const [forwarded] = scene.elsewhere;
		expect(forwarded).toMatchObject({ method: 'POST', path: '/hook?key=k1', body });
		expect(forwarded.headers).toMatchObject({
			'x-signature': 'abc',
			host: new URL(scene.elsewhereUrl).host,
		});
		expect(JSON.stringify(forwarded.headers)).not.toContain(token);
		expect(scene.host.executionsOf(trigger)).toHaveLength(1);
	});

	test('of kinds that only the other one asked for goes to the other one, and starts nothing', async () => {
		const { subscription } = await listen();
		expect(subscription.events).toEqual(
			expect.arrayContaining(['form.enriched', 'form.submitted', 'page.version.created']),
		);
		await scene.sandbox.emit('form.enriched');
		await until(() => scene.elsewhere.length === 1);
		expect(scene.host.executions).toEqual([]);
	});

	test('of kinds that the other one did not ask for stays here', async () => {
		await listen();
		await scene.sandbox.emit('page.version.created');
		await aWhile();
		expect(scene.host.executions).toHaveLength(1);
		expect(scene.elsewhere).toEqual([]);
	});

	test('of an unknown kind, or for one who asked for no kind in particular, is forwarded', async () => {
		const { subscription } = await listen({ events: null });
		await scene.deliver(subscription.url, { hello: 1 });
		await until(() => scene.elsewhere.length === 1);
	});

	test('is not forwarded to one who was not active, nor what is not real', async () => {
		const { subscription, trigger } = await listen({ active: false });
		await scene.deliver(trigger.testUrl, { event: 'form.submitted' });
		await scene.deliver(subscription.url, { event: 'form.submitted' });
		await aWhile();
		expect(scene.elsewhere).toEqual([]);
	});

	test('a receiver that does not answer is a line in the log, and delays nothing', async () => {
		const { subscription } = await listen({ url: 'http://127.0.0.1:9/hook?key=k1' });
		expect(await scene.deliver(subscription.url, { event: 'form.submitted' })).toBe(200);
		await until(() => scene.host.log.join().includes('could not be passed on'));
		expect(scene.host.log.join()).not.toContain('k1');
	});

	test("reaches another workflow's production", async () => {
		const subscription = scene.subscription(free);
		const first = scene.trigger(subscription);
		await first.publish();
		const { url } = subscription;
		const second = scene.trigger(subscription, { options: { takeOver: true } });
		await second.listen();
		await scene.sandbox.emit('form.submitted', { a: 1 });
		await until(() => scene.host.executions.length === 2);
		expect(scene.host.executionsOf(first)).toMatchObject([{ mode: 'webhook' }]);
		expect(scene.host.executionsOf(second)).toMatchObject([{ mode: 'manual' }]);
		await until(() => subscription.url === url);
	});
});
