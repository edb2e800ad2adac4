import { randomBytes } from 'node:crypto';
import { credentialType, deliver, Stage } from './stage.mts';
import type { Options } from './liveTrigger.mts';

/** With more at once on a busy machine, n8n waits for SQLite for more than a minute, and responds 500 or 503. */
const burst = 50;

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => await stage.close());
afterEach(async () => await stage.clear());

async function publish(options: Options = {}) {
	const subscription = stage.subscription();
	const trigger = await stage.trigger(subscription, options);
	await trigger.publish();
	return { subscription, trigger, asked: stage.requestsOf(subscription).length };
}

test('rejects forged deliveries with 401 and no execution, and accepts real ones', async () => {
	const { subscription, trigger, asked } = await publish();
	const other = await publish();
	const body = { event: 'form.submitted' };
	const { productionUrl } = trigger;
	const wrong = `${productionUrl}?token=${randomBytes(32).toString('hex')}`;
	const foreign = productionUrl + new URL(other.subscription.url).search;
	const forged = [productionUrl, `${productionUrl}?token=`, wrong, foreign, wrong];
	const statuses: number[] = [];
	for (const url of forged) statuses.push(await deliver(url, body));
	expect(statuses).toEqual(forged.map(() => 401));
	expect(await trigger.listExecutions()).toEqual([]);
	// The service is not asked, however many come.
	expect(stage.requestsOf(subscription)).toHaveLength(asked);
	expect(await deliver(subscription.url, body)).toBe(200);
	expect(await trigger.runs(1)).toEqual([{ mode: 'webhook', status: 'success', items: [body] }]);
});

test('starts nothing for a kind that was not chosen', async () => {
	const { subscription, trigger } = await publish();
	expect(await deliver(subscription.url, { event: 'form.enriched' })).toBe(200);
	expect(await trigger.listExecutions()).toEqual([]);
	// What a visitor typed does not count.
	const typed = { event: 'form.submitted', data: { message: 'form.enriched' } };
	expect(await deliver(subscription.url, typed)).toBe(200);
	expect(await trigger.runs(1)).toMatchObject([{ items: [typed] }]);
});

test('starts with the events of chosen pages, and each leaves by its output', async () => {
	const subscription = stage.subscription();
	const pageId = { __rl: true, mode: 'id', value: 'page_1' };
	const trigger = await stage.trigger(subscription, { pages: { page: [{ pageId }] } });
	await trigger.change({ events: ['form.submitted', 'form.enriched'], outputs: 'perEvent' });
	await trigger.follow('After enriched', 'After submitted', 'After others');
	await trigger.publish();
	const submitted = { event: 'form.submitted', pageId: 'page_1' };
	const enriched = { event: 'form.enriched', n: 1 };
	const other = { n: 2 };
	const elsewhere = { event: 'form.submitted', pageId: 'page_2' };
	expect(await deliver(subscription.url, elsewhere)).toBe(200);
	expect(await trigger.listExecutions()).toEqual([]);
	expect(await deliver(subscription.url, submitted)).toBe(200);
	expect(await trigger.followed(1)).toEqual([{ 'After submitted': [submitted] }]);
	const list = JSON.stringify([submitted, enriched, elsewhere, other]);
	expect(await deliver(subscription.url, list)).toBe(200);
	expect((await trigger.followed(2))[1]).toEqual({
		'After enriched': [enriched],
		'After submitted': [submitted],
		'After others': [other],
	});
});

test('Details hold the delivery without secrets', async () => {
	const { subscription, trigger } = await publish({ output: 'details' });
	const { url } = subscription;
	const token = String(new URL(url).searchParams.get('token'));
	const body = { event: 'form.submitted', sentTo: url };
	const status = await deliver(`${url}&page=7`, body, {
		'content-type': 'application/json',
		authorization: 'Bearer secret',
		cookie: 'session=secret',
		referer: url,
		'x-forwarded-uri': `/webhook/x?token=${token}`,
		'x-signature': 'abc',
	});
	expect(status).toBe(200);
	const [run] = await trigger.runs(1);
	expect(run.items).toHaveLength(1);
	expect(run.items[0]).toEqual({
		body: { event: 'form.submitted', sentTo: expect.stringContaining(trigger.productionUrl) },
		rawBody: expect.stringContaining('"sentTo"') as string,
		headers: expect.objectContaining({ 'x-signature': 'abc', 'content-type': 'application/json' }),
		query: { page: '7' },
		eventKind: 'form.submitted',
		receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
		deliveryKey: expect.stringMatching(/^\S{20,}$/),
	});
	expect(JSON.stringify(run)).not.toContain(token);
	expect(JSON.stringify(run)).not.toContain('secret');
});

test.each([
	['a list as one item per element', [{ a: 1 }, 2], [{ a: 1 }, { value: 2 }]],
	['an empty body as an empty item', '', [{}]],
	['text as rawBody', 'hello', [{ rawBody: 'hello' }]],
])('the payload gives %s', async (_, body, items) => {
	const { subscription, trigger } = await publish();
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	expect(await deliver(subscription.url, text, { 'content-type': type })).toBe(200);
	expect(await trigger.runs(1)).toMatchObject([{ status: 'success', items }]);
});

test('outputs the fields of a multipart form, of which JSON is read', async () => {
	const { subscription, trigger } = await publish({ output: 'details' });
	const { url } = subscription;
	const token = String(new URL(url).searchParams.get('token'));
	const form = new FormData();
	form.set('name', `Zoë ${token}`);
	form.set('payload', '{"event":"form.submitted"}');
	form.set('cv', new Blob(['hello'], { type: 'text/plain' }), 'cv.txt');
	expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
	const typed = [
		'--x',
		'Content-Disposition: form-data; name="part"',
		'Content-Type: application/json',
	];
	const part = [...typed, '', '{"event":"form.submitted","a":"Zoë"}', '--x--', ''].join('\r\n');
	const type = { 'content-type': 'multipart/form-data; boundary=x' };
	expect(await deliver(url, part, type)).toBe(200);
	const payload = { event: 'form.submitted' };
	expect((await trigger.runs(2)).map(({ items }) => items[0])).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ body: { name: 'Zoë ***', payload }, eventKind: 'form.submitted' }),
			expect.objectContaining({ body: { part: { ...payload, a: 'Zoë' } } }),
		]),
	);
	const latin = { 'content-type': 'application/json; charset=iso-8859-1' };
	expect(await deliver(url, { a: 1 }, latin)).toBe(422);
	expect(await deliver(url, { a: 1 }, { ...latin, 'content-encoding': 'br' })).toBe(422);
});

test.each([
	['drop', 1],
	['keep', 3],
] as const)(
	'a delivery that comes three times, with Duplicates "%s", starts %d',
	async (duplicates, count) => {
		const { subscription, trigger } = await publish({ duplicates });
		const bodies = [
			'{"event":"form.submitted","n":{"a":1,"b":2}}',
			'{"event":"form.submitted","n":{"a":1,"b":2}}',
			'{"event":"form.submitted","n":{"a":1,"b":2}}',
		];
		for (const body of bodies) expect(await deliver(subscription.url, body)).toBe(200);
		expect(await trigger.runs(count)).toHaveLength(count);
	},
);

test('a new API key loses no delivery, and the subscription is restored', async () => {
	const { subscription, trigger, asked } = await publish();
	const other = await publish();
	const { service } = stage;
	const { id, name } = stage.credential;
	const { apiKey } = stage.sandbox;
	const setKey = async (key: string): Promise<void> =>
		await stage.client.updateCredential(id, credentialType, name, {
			baseUrl: service.url,
			apiKey: key,
		});
	try {
		service.keys = ['a-new-key'];
		// Until the credential has the new key, the old one still makes the token, which needs no service.
		expect(await stage.emit(other.subscription, 'form.submitted')).toMatchObject({ status: 200 });
		await setKey('a-new-key');
		const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
		const sent = await Promise.all(
			numbers.map(async (n) => await stage.emit(subscription, 'form.submitted', { n })),
		);
		expect(sent.map((each) => each?.status)).toEqual(numbers.map(() => 200));
		expect(await trigger.runs(10)).toHaveLength(10);
		expect(stage.requestsOf(subscription)).toHaveLength(asked);
		// A publishing that reaches the trigger makes the token anew.
		const { url } = subscription;
		await trigger.change({ events: ['form.submitted', 'form.enriched'] });
		await trigger.publish();
		expect(subscription.url).not.toBe(url);
		expect(await stage.emit(subscription, 'form.submitted')).toMatchObject({ status: 200 });
		expect(await trigger.runs(11)).toHaveLength(11);
		await trigger.unpublish();
		expect(subscription).toMatchObject({ url: 'https://example.com/old?secret=s3', active: false });
	} finally {
		service.keys = ['a-new-key', apiKey];
		await setKey(apiKey);
	}
});

test(`${burst} events at once each start the workflow exactly once`, async () => {
	const { subscription, trigger } = await publish();
	const numbers = Array.from({ length: burst }, (_, index) => index);
	const sent = await Promise.all(
		numbers.map(async (n) => await stage.emitUntilTaken(subscription, 'form.submitted', { n })),
	);
	expect(sent.filter((status) => status !== 200)).toEqual([]);
	const runs = await trigger.runs(burst, 180_000);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
	const started = runs.map(({ items }) => (items[0].data as { n: number }).n);
	expect(started.sort((a, b) => a - b)).toEqual(numbers);
}, 600_000);
