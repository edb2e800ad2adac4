import { caught, pagesOption, setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

const free = { url: 'https://example.com/old', events: ['form.enriched' as const], active: false };
const query = (url: string) => Object.fromEntries(new URL(url).searchParams);
const readState = (url: string, name: 'back' | 'was'): unknown =>
	JSON.parse(Buffer.from(query(url)[name], 'hex').toString());
const dropQuery = (record: { url: string }) => {
	record.url = record.url.split('?')[0];
};

describe('a test run beside the published workflow', () => {
	const publish = async (options: { onDeactivate?: string } = {}, address?: string) => {
		const { subscription, trigger } = setup.subscribed(free, { options, address });
		await trigger.publish();
		return { subscription, trigger, url: subscription.url };
	};
	const published = { events: ['form.submitted'], active: true };

	test('adds its path to the URL and joins the events, and removes both at the end', async () => {
		const { subscription, trigger, url } = await publish({}, `${setup.n8n.url}/auto`);
		trigger.parameters.events = ['form.enriched'];
		await trigger.listen();
		expect(subscription.url).toContain(`${url}&test=auto%2Fwebhook-test&was=`);
		expect(readState(subscription.url, 'was')).toEqual(published);
		expect(subscription.events).toEqual(['form.submitted', 'form.enriched']);
		// Each starts by what it chose.
		await setup.deliver(subscription.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(['webhook']);
		await setup.deliver(subscription.url, { event: 'form.enriched' });
		expect(setup.modes).toEqual(['webhook', 'manual']);
		expect(subscription).toMatchObject({ url, ...published });
		expect(setup.n8n.log).toEqual([]);
	});

	test('waits for an event of its own pages', async () => {
		const options = { pages: pagesOption('page_1') };
		const { subscription, trigger } = setup.subscribed(free, { options });
		await trigger.publish();
		trigger.parameters.options = { pages: pagesOption('page_2') };
		await trigger.listen();
		await setup.deliver(subscription.url, { pageId: 'page_1' });
		expect([setup.modes, trigger.isListening]).toEqual([['webhook'], true]);
		await setup.deliver(subscription.url, { pageId: 'page_2' });
		expect([setup.modes, trigger.isListening]).toEqual([['webhook', 'manual'], false]);
	});

	test.each([
		['JSON', '{ "event" : "form.submitted",\n "name": "Zoë" }', 'application/json; charset=utf-8'],
		['a form', 'a=1&b=%20x', 'application/x-www-form-urlencoded'],
		['bytes', Buffer.from([0, 255, 1, 254]), 'application/octet-stream'],
		['text', 'caf\u00e9', 'text/plain'],
		['no type', 'x', undefined],
		['nothing', '', undefined],
	])('sends the test run %s as it came, with its end-to-end headers', async (_, body, type) => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		await setup.deliver(subscription.url, body, {
			...(type ? { 'content-type': type } : {}),
			'x-signature': 'abc',
			'x-forwarded-host': 'proxy',
			'content-encoding': 'br',
		});
		expect(setup.modes).toEqual(['webhook', 'manual']);
		const [original, copy] = setup.n8n.arrivals;
		expect(copy.path).toBe(`/webhook-test/${trigger.id}/webhook?token=${query(url).token}`);
		expect(copy.body).toBe(original.body);
		expect(copy.headers['content-type']).toBe(type);
		expect(copy.headers).toMatchObject({ 'x-signature': 'abc' });
		expect(Object.keys(copy.headers)).not.toContain('x-forwarded-host');
		expect(Object.keys(copy.headers)).not.toContain('content-encoding');
		expect(setup.json(1)).toEqual(setup.json(0));
	});

	test('sends no copy of a multipart form, and the log says so', async () => {
		const { subscription, trigger } = await publish();
		await trigger.listen();
		const type = { 'content-type': 'multipart/form-data; boundary=x' };
		expect(await setup.deliver(subscription.url, '', type)).toBe(200);
		expect(setup.modes).toEqual(['webhook']);
		expect(setup.n8n.log.join()).toContain('n8n does not keep the raw body of a multipart form');
	});

	test('gets the events also after the API key was changed, and where a proxy answers for n8n', async () => {
		const { subscription, trigger } = await publish();
		trigger.credential.apiKey = 'a-new-key';
		const headers = { 'access-control-allow-methods': 'GET, OPTIONS' };
		const answer = { status: 200, headers, body: '<html>' };
		jest.spyOn(setup.n8n, 'answer').mockResolvedValueOnce(answer);
		await trigger.listen();
		await setup.deliver(subscription.url, { a: 1 });
		expect(setup.modes).toEqual(['webhook', 'manual']);
	});

	test.each([
		['publishing', ['publish'], { events: ['form.enriched'], active: true }],
		['unpublishing with Pause', ['unpublish'], { ...published, active: false }],
		// As a person had set it.
		['the next test run', ['listen', 'endListening'], { ...published, active: false }],
	] as const)('loses no delivery when n8n is killed, and %s cleans up', async (_, steps, after) => {
		const { subscription, trigger, url } = await publish({ onDeactivate: 'pause' });
		subscription.active = false;
		setup.pass(20_000);
		trigger.parameters.events = ['form.enriched'];
		await trigger.listen();
		trigger.kill();
		await setup.deliver(subscription.url, { a: 1 });
		expect(setup.modes).toEqual(['webhook']);
		expect(setup.n8n.log.join()).toContain('got status 404');
		setup.pass(20_000);
		for (const step of steps) await trigger[step]();
		expect(subscription).toMatchObject({ url, ...after });
	});

	test('ends in order where the service refuses so long a URL', async () => {
		const { subscription, trigger, url } = await publish();
		setup.onChange = (record) => ({ ...record, url: record.url.slice(0, url.length + 30) });
		await trigger.listen();
		expect(subscription.url).toBe(`${url}&test=webhook-test`);
		trigger.kill();
		await trigger.listen();
		await trigger.endListening();
		expect(subscription).toMatchObject({ url, active: true });
	});

	test('fails with a service that drops the query, and names Test Subscription', async () => {
		const { subscription, trigger } = setup.subscribed(free, { options: { verifyToken: false } });
		setup.onChange = dropQuery;
		await trigger.publish();
		await expect(trigger.listen()).rejects.toThrow('choose a Test Subscription');
		expect(subscription).toMatchObject({ url: trigger.productionUrl, active: true });
	});

	test('does not begin where n8n cannot reach its own address, and says what to do', async () => {
		const { subscription, trigger, url } = await publish();
		jest.spyOn(setup.n8n, 'answer').mockRejectedValue(new Error('connect ETIMEDOUT'));
		await expect(trigger.listen()).rejects.toThrow(
			/gets no response from its own address.*Choose a Test Subscription/,
		);
		expect(subscription).toMatchObject({ url, ...published });
	});

	// What a proxy, or a process of n8n that takes no tests, answers for the address of the test.
	test.each([
		[404, false],
		[401, false],
		[302, false],
		[405, true],
		[200, true],
	])('where its own address answers OPTIONS with %s, it begins: %s', async (status, begins) => {
		const { subscription, trigger, url } = await publish();
		const { n8n } = setup;
		const answer = n8n.answer.bind(n8n);
		jest.spyOn(n8n, 'answer').mockImplementation(async (request) => {
			const isAsked = request.method === 'OPTIONS' && request.path.startsWith('/webhook-test/');
			return isAsked ? { status, headers: {}, body: '<html>' } : await answer(request);
		});
		const error = await caught(trigger.listen());
		const what = `${n8n.url}/webhook-test: the response there is ${status}. Let the proxy`;
		if (!begins) expect(error?.message).toContain(what);
		await setup.deliver(subscription.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(begins ? ['webhook', 'manual'] : ['webhook']);
		expect(subscription).toMatchObject({ url, ...published });
	});

	test('does not begin where tests have the address of the editor, and names the variable', async () => {
		const { subscription, trigger, url } = await publish({}, 'http://n8n.webhooks.example');
		trigger.base = setup.n8n.url;
		await expect(trigger.listen()).rejects.toThrow(/on another n8n.*N8N_WEBHOOK_URL/);
		expect(subscription).toMatchObject({ url, ...published });
	});

	test('uses the Test Subscription, and leaves the one of production unchanged', async () => {
		const { subscription, trigger, url } = await publish();
		const other = setup.subscription({ active: false }, 3);
		const before = { ...other };
		trigger.parameters.options = { testSubscriptionId: other.subscriptionId };
		await trigger.listen();
		expect(subscription.url).toBe(url);
		expect(other.url).toContain(trigger.testUrl);
		await setup.deliver(other.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(['manual']);
		expect(other).toMatchObject({ url: before.url, events: before.events, active: false });
	});
});

describe('a test run without a published workflow', () => {
	test('writes the earlier state into its own URL, and restores it after the event', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.listen();
		const { token, back, ...rest } = query(subscription.url);
		expect(rest).toEqual({});
		expect(back).toBeTruthy();
		expect(token).toMatch(/^[0-9a-f]{64}$/);
		const { id } = trigger.makeWorkflow(false);
		expect(readState(subscription.url, 'back')).toEqual({ ...free, workflow: id });
		expect(subscription).toMatchObject({ events: ['form.submitted'], active: true });
		// What is rejected or not chosen does not end it.
		expect(await setup.deliver(trigger.testUrl, {})).toBe(401);
		expect(await setup.deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
		expect(subscription.url).toContain(trigger.testUrl);
		await setup.deliver(subscription.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(['manual']);
		expect(subscription).toMatchObject(free);
		expect(setup.changes.at(-1)).toEqual(free);
		// n8n ends it once more for each further delivery that it got.
		setup.requests.length = 0;
		await trigger.endListening();
		expect(setup.changes).toEqual([]);
	});

	test.each([
		[
			'took over a receiver, whatever parameters its URL has',
			{ url: 'https://example.com/hook?key=k1&test=1&token=2&back=3', active: true },
			{ takeOver: true },
			undefined,
		],
		['has no token because the service drops the query', free, { verifyToken: false }, dropQuery],
	])('restores the subscription where it %s', async (_, before, options, onChange) => {
		const { subscription, trigger } = setup.subscribed(before, { options });
		setup.onChange = onChange;
		await trigger.listen();
		await setup.deliver(subscription.url, { a: 1 });
		expect(setup.modes).toEqual(['manual']);
		expect(subscription).toMatchObject(before);
	});

	test('gives way to publishing, and changes nothing at its end', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.listen();
		await trigger.publish();
		await trigger.endListening();
		expect(subscription.url).toContain(trigger.productionUrl);
		expect(subscription.active).toBe(true);
		await trigger.unpublish();
		expect(subscription).toMatchObject(free);
	});

	test('restores no `back` that names this trigger', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		const own = { url: trigger.productionUrl, events: [], active: true };
		const back = Buffer.from(JSON.stringify(own)).toString('hex');
		Object.assign(subscription, { url: `${trigger.testUrl}?back=${back}`, active: true });
		await trigger.publish();
		await trigger.unpublish();
		expect(subscription.active).toBe(false);
		expect(subscription.url).toContain(trigger.productionUrl);
	});

	test('uses a subscription that still delivers to the unpublished workflow, and restores it', async () => {
		const { subscription, trigger, url } = await setup.published({ onDeactivate: 'leave' });
		await trigger.unpublish();
		expect(subscription.url).toBe(url);
		await trigger.listen();
		await setup.deliver(subscription.url, { event: 'form.submitted' });
		expect(setup.modes).toEqual(['manual']);
		expect(subscription.url).toBe(url);
	});

	test('does not begin, nor try a shorter URL, where the service refuses the change', async () => {
		const { trigger } = setup.subscribed(free);
		setup.faults.add({ kind: 'status', status: 403, method: 'PATCH' });
		await expect(trigger.listen()).rejects.toThrow('403');
		expect(setup.changes).toHaveLength(1);
	});

	test('never fails at its end, and logs what went wrong', async () => {
		const { subscription, trigger } = setup.subscribed(free);
		await trigger.listen();
		setup.faults.add({ kind: 'status', status: 403 });
		await trigger.endListening();
		expect(setup.n8n.log.join()).toMatch(/could not be restored after the test run: .*403/);
		await trigger.endListening();
		expect(subscription).toMatchObject(free);
	});
});

describe('two test runs on one subscription, the second with Take Over', () => {
	const used = { ...free, active: true };
	const begin = async () => {
		const { subscription, trigger: first } = setup.subscribed(used, {
			options: { takeOver: true },
		});
		const second = setup.trigger(subscription, { options: { takeOver: true } });
		await first.listen();
		await second.listen();
		expect(subscription.url).toContain(second.testUrl);
		return { subscription, first, second };
	};
	type Both = Awaited<ReturnType<typeof begin>>;

	test.each<[string, (both: Both) => Promise<void>]>([
		[
			'the first one ends first',
			async ({ first, second }) => {
				await first.endListening();
				await second.endListening();
			},
		],
		[
			'the second one ends first',
			async ({ first, second }) => {
				await second.endListening();
				await first.endListening();
			},
		],
		[
			'both end at once',
			async ({ first, second }) => {
				await Promise.all([first.endListening(), second.endListening()]);
			},
		],
		[
			'the second one gets its event',
			async ({ subscription, first }) => {
				await setup.deliver(subscription.url, { event: 'form.submitted' });
				await first.endListening();
			},
		],
		...(['first', 'second'] as const).map((next): [string, (both: Both) => Promise<void>] => [
			`n8n is killed, and the ${next} one is run again`,
			async (both) => {
				both.first.kill();
				both.second.kill();
				setup.pass(20_000);
				await both[next].listen();
				await both[next].endListening();
			},
		]),
		[
			'n8n is killed, and the first one is published and unpublished',
			async ({ first, second }) => {
				first.kill();
				second.kill();
				setup.pass(20_000);
				await first.publish();
				await first.unpublish();
			},
		],
	])('leave it as it was when %s', async (_, end) => {
		const both = await begin();
		await end(both);
		expect(both.subscription).toMatchObject(used);
	});

	test('leave what a service keeps without the long URL, if they end in reverse order', async () => {
		setup.onChange = (record) => ({ ...record, url: record.url.slice(0, 160) });
		const { subscription, first, second } = await begin();
		expect(query(subscription.url).back).toBeUndefined();
		await second.endListening();
		expect(subscription.url).toContain(first.testUrl);
		await first.endListening();
		expect(subscription).toMatchObject(used);
	});
});
