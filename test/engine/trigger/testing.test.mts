import { aWhile, setUpScene, until } from './scene.mts';

const scene = setUpScene();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const query = (url: string) => Object.fromEntries(new URL(url).searchParams);
const readBack = (url: string): unknown =>
	JSON.parse(Buffer.from(query(url).back, 'hex').toString());

describe('a test run beside the published workflow', () => {
	const publish = async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.publish();
		return { subscription, trigger, url: subscription.url };
	};

	test('adds a parameter to the URL and joins the events, and removes both at the end', async () => {
		const { subscription, trigger, url } = await publish();
		trigger.parameters.events = ['form.enriched'];
		await trigger.listen();
		expect(subscription.url).toContain(`${url}&test=webhook-test&back=`);
		expect(readBack(subscription.url)).toEqual({ url, events: ['form.submitted'], active: true });
		expect(subscription.events).toEqual(['form.submitted', 'form.enriched']);
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, events: ['form.submitted'], active: true });
	});

	test('sends the test run the bytes and the end-to-end headers of a delivery', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		scene.host.arrivals.length = 0;
		const body = '{ "event" : "form.submitted",\n "name": "Zoë" }';
		await scene.deliver(subscription.url, body, {
			'content-type': 'application/json; charset=utf-8',
			'x-signature': 'abc',
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

	test('starts production and the test run with the kinds that each of them chose', async () => {
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

	test('loses nothing of production when n8n is killed, and publishing cleans up', async () => {
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

	test.each([true, false])(
		'restores with the next test run after a crash what was before the first: active %s',
		async (active) => {
			const { subscription, trigger, url } = await publish();
			subscription.active = active;
			scene.pass(20_000);
			trigger.parameters.events = ['form.enriched'];
			await trigger.listen();
			trigger.kill();
			scene.pass(20_000);
			await trigger.listen();
			await trigger.endListening();
			expect(subscription).toMatchObject({ url, events: ['form.submitted'], active });
		},
	);

	test.each(['pause', 'leave'])(
		'leaves nothing to the next test run after a crash and %s',
		async (onDeactivate) => {
			const { subscription, trigger } = scene.subscribed(free, { options: { onDeactivate } });
			await trigger.publish();
			const { url } = subscription;
			trigger.parameters = { ...trigger.parameters, events: ['form.enriched'] };
			await trigger.listen();
			trigger.kill();
			await trigger.unpublish();
			const active = onDeactivate === 'leave';
			expect(subscription.active).toBe(active);
			scene.pass(20_000);
			await trigger.listen();
			await trigger.endListening();
			expect(subscription).toMatchObject({ url, events: ['form.submitted'], active });
		},
	);

	test('ends in order where the service refuses so long a URL', async () => {
		const { subscription, trigger, url } = await publish();
		scene.quirks.onChange = (record) => ({ ...record, url: record.url.slice(0, 300) });
		await trigger.listen();
		expect(subscription.url).toBe(`${url}&test=webhook-test`);
		trigger.kill();
		await trigger.listen();
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: true });
	});

	test('changes nothing when it ends after unpublishing', async () => {
		const { subscription, trigger } = await publish();
		await trigger.listen();
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
		scene.sandbox.requests.length = 0;
		await trigger.endListening();
		expect(scene.changes).toEqual([]);
		expect(scene.host.log).toEqual([]);
	});

	test('fails with a service that drops the query, and names Test Subscription', async () => {
		const { subscription, trigger } = scene.subscribed(free, { options: { verifyToken: false } });
		scene.quirks.onChange = (record) => {
			record.url = record.url.split('?')[0];
		};
		await trigger.publish();
		await expect(trigger.listen()).rejects.toThrow('choose a Test Subscription');
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
	])('sends no copy to another path than that of a test run: %s', async (path) => {
		const { trigger, url } = await publish();
		const target = path.replace('{id}', trigger.id);
		scene.host.arrivals.length = 0;
		await scene.deliver(`${url}&test=${encodeURIComponent(target)}`, { a: 1 });
		await aWhile();
		expect(scene.host.arrivals).toHaveLength(1);
		expect(scene.host.log).toEqual([]);
	});

	test('works as well under a path, and with endpoints of other names', async () => {
		scene.host.endpoints = { webhook: 'in/hooks', test: 'in-test/hooks' };
		const address = `${scene.host.url}/auto`;
		const { subscription, trigger } = scene.subscribed(free, { address });
		await trigger.publish();
		const { url } = subscription;
		expect(url).toContain(`${address}/in/hooks/`);
		await trigger.listen();
		expect(subscription.url).toContain(`${url}&test=auto%2Fin-test%2Fhooks&back=`);
		await scene.sandbox.emit('form.submitted');
		await until(() => scene.host.executions.length === 2);
		await until(() => subscription.url === url, 'the end of the test');
		expect(scene.host.executions.map(({ mode }) => mode)).toEqual(['webhook', 'manual']);
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('uses the Test Subscription, and leaves the one of production unchanged', async () => {
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

describe('a test run without a published workflow', () => {
	test('writes the earlier state into its own URL, and restores it after the event', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.listen();
		const { token, back, ...rest } = query(subscription.url);
		expect(rest).toEqual({});
		expect(back).toBeTruthy();
		expect(token).toMatch(/^[0-9a-f]{64}$/);
		expect(readBack(subscription.url)).toEqual(free);
		expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
		await scene.sandbox.emit('form.submitted', { a: 1 });
		expect(scene.host.executions).toMatchObject([{ mode: 'manual' }]);
		await scene.host.settle();
		expect(subscription).toMatchObject(free);
		// n8n ends it once more for each further delivery that it got.
		scene.sandbox.requests.length = 0;
		await trigger.endListening();
		expect(scene.changes).toEqual([]);
	});

	test('does not end with a rejected delivery, nor with a kind that was not chosen', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.listen();
		expect(await scene.deliver(trigger.testUrl, {})).toBe(401);
		expect(await scene.deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
		expect(scene.host.executions).toEqual([]);
		expect(subscription.url).toContain(trigger.testUrl);
	});

	test('fails for a subscription in use, and changes nothing', async () => {
		const used = { ...free, active: true };
		const { subscription, trigger } = scene.subscribed(used);
		await expect(trigger.listen()).rejects.toThrow('turn on Options > Take Over');
		expect(subscription).toMatchObject(used);
		expect(scene.changes).toEqual([]);
	});

	test.each([
		['published', async (trigger: { publish: () => Promise<void> }) => await trigger.publish()],
		['tested', async (trigger: { listen: () => Promise<void> }) => await trigger.listen()],
	])('restores after a crash once the trigger is %s again', async (name, again) => {
		const { subscription, trigger } = scene.subscribed(
			{ ...free, active: true },
			{ options: { takeOver: true } },
		);
		await trigger.listen();
		trigger.kill();
		trigger.parameters.options = {};
		await again(trigger);
		expect(subscription.active).toBe(true);
		await (name === 'published' ? trigger.unpublish() : trigger.endListening());
		expect(subscription).toMatchObject({ ...free, active: true });
	});

	test('gives way to publishing, and changes nothing at its end', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.listen();
		await trigger.publish();
		const { url } = subscription;
		expect(url).toContain(trigger.productionUrl);
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: true });
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('does not restore from a `back` that is unreadable or names this trigger', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		const own = { url: trigger.productionUrl, events: [], active: true };
		for (const back of ['x', '7b7d', Buffer.from(JSON.stringify(own)).toString('hex')]) {
			Object.assign(subscription, { url: `${trigger.testUrl}?back=${back}`, active: true });
			await trigger.publish();
			await trigger.unpublish();
			expect(subscription).toMatchObject({ active: false });
			expect(subscription.url).toContain(trigger.productionUrl);
		}
	});

	test('uses a subscription that still delivers to the unpublished workflow, and restores it', async () => {
		const { subscription, trigger } = scene.subscribed(free, {
			options: { onDeactivate: 'leave' },
		});
		await trigger.publish();
		await trigger.unpublish();
		const { url } = subscription;
		expect(url).toContain(trigger.productionUrl);
		await trigger.listen();
		expect(url).not.toBe(subscription.url);
		await scene.sandbox.emit('form.submitted');
		expect(scene.host.executions).toMatchObject([{ mode: 'manual' }]);
		await scene.host.settle();
		expect(subscription.url).toBe(url);
	});

	test('never fails at its end, and logs what went wrong', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		await trigger.listen();
		scene.sandbox.faults.add({ kind: 'status', status: 403 });
		await trigger.endListening();
		expect(scene.host.log.join()).toMatch(/could not be restored after the test run: .*403/);
		await trigger.endListening();
		expect(subscription).toMatchObject(free);
	});

	test('is undone when it could not begin', async () => {
		const { subscription, trigger } = scene.subscribed(free);
		scene.sandbox.faults.add({
			kind: 'status',
			status: 500,
			method: 'PATCH',
			times: 2,
		});
		await expect(trigger.listen()).rejects.toThrow('500');
		expect(subscription).toMatchObject(free);
	});

	test('works without a token when the service drops the query', async () => {
		const { subscription, trigger } = scene.subscribed(free, { options: { verifyToken: false } });
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

test('a test run that took over is the only one that gets events, until it ends', async () => {
	const url = `${scene.elsewhereUrl}/hook?key=k1&test=1&token=2&back=3`;
	const used = { ...free, url, active: true };
	const { subscription, trigger } = scene.subscribed(used, { options: { takeOver: true } });
	await trigger.listen();
	await scene.sandbox.emit('form.submitted');
	await until(() => !trigger.isListening);
	await scene.host.settle();
	expect(scene.host.executions).toMatchObject([{ mode: 'manual' }]);
	expect(scene.elsewhere).toEqual([]);
	expect(subscription).toMatchObject(used);
	await scene.sandbox.emit('form.enriched');
	await until(() => scene.elsewhere.length === 1);
});
