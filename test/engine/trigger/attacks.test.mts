import { createHmac } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { aWhile, setUpScene, until } from './scene.mts';

const scene = setUpScene();

async function publish(options: INodeParameters = {}) {
	const { subscription, trigger } = scene.subscribed({ active: false }, { options });
	await trigger.publish();
	return { subscription, trigger, url: subscription.url };
}

const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

describe('one request starts the published workflow at most once', () => {
	test.each([
		'test=/WEBHOOK/{id}/webhook',
		'test=/Webhook/{id}/webhook',
		'[test]=/WEBHOOK/{id}/webhook',
		'test=/webhook/{id}/webhook/',
		'test=/webhook-test/{id}/webhook',
		'test[]=/WEBHOOK/{id}/webhook',
		'test=/WEBHOOK/{id}/webhook&[test]=/WEBHOOK/{id}/webhook',
	])('whatever is in its query: %s', async (query) => {
		for (const verifyToken of [true, false]) {
			await scene.reset();
			const { trigger, url } = await publish({ verifyToken });
			const added = query.replaceAll('{id}', trigger.id);
			await scene.deliver(`${url}${url.includes('?') ? '&' : '?'}${added}`, { a: 1 });
			await aWhile();
			await scene.host.settle();
			expect(scene.host.executions).toHaveLength(1);
			expect(scene.host.arrivals).toHaveLength(1);
		}
	});

	test('and with a test run, that one once too', async () => {
		const { subscription, trigger } = await publish();
		const count = (mode: string) =>
			scene.host.executions.filter((each) => each.mode === mode).length;
		await trigger.listen();
		const order = new URL(subscription.url).searchParams.get('test');
		await scene.deliver(`${subscription.url}&[test]=${order}`, { a: 1 });
		await aWhile();
		expect([count('webhook'), count('manual')]).toEqual([1, 0]);
		await scene.deliver(`${subscription.url}&copy=1&back=7b7d`, { a: 1 });
		await until(() => count('manual') === 1);
		await aWhile();
		await scene.host.settle();
		expect([count('webhook'), count('manual')]).toEqual([2, 1]);
	});

	test('also where a proxy sends test URLs to the published workflow: a copy is never copied', async () => {
		const { subscription, trigger } = await publish();
		await trigger.listen();
		const { host } = scene;
		// n8n serves both at one address.
		host.routes.set(
			`/webhook-test/${trigger.id}/webhook`,
			host.routes.get(`/webhook/${trigger.id}/webhook`)!,
		);
		await scene.deliver(subscription.url, { a: 1 });
		await until(() => host.arrivals.length === 2);
		await aWhile();
		expect(host.arrivals).toHaveLength(2);
		expect(host.executions).toHaveLength(1);
	});

	test('even if test runs took over from each other in a circle', async () => {
		const subscription = scene.subscription({ active: true, url: `${scene.elsewhereUrl}/hook` });
		const takeOver = { options: { takeOver: true } };
		const [first, second] = [1, 2].map(() => scene.trigger(subscription, takeOver));
		await first.listen();
		await second.listen();
		await first.listen();
		// Not chosen, so that no test run ends.
		const none = { type: 'page.version.created' };
		subscription.events = null;
		await scene.deliver(subscription.url, none);
		for (let times = 0; times < 8; times++) await aWhile();
		expect(scene.host.arrivals.length).toBeLessThan(6);
	});
});

describe('what comes before the token', () => {
	test('is checked before the body is read', async () => {
		const { trigger } = await publish();
		const body = '['.repeat(15 * 1024 * 1024);
		const read = jest.spyOn(JSON, 'parse');
		expect(await scene.deliver(trigger.productionUrl, body, { 'content-type': 'text/plain' })).toBe(
			401,
		);
		expect(read.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([]);
		read.mockRestore();
	});

	test('does not parse a text that cannot be JSON', async () => {
		const { url } = await publish();
		const read = jest.spyOn(JSON, 'parse');
		const body = '['.repeat(1024 * 1024);
		expect(await scene.deliver(url, body, { 'content-type': 'text/plain' })).toBe(200);
		expect(read.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([]);
		read.mockRestore();
	});

	test.each([
		['settings that became invalid', { events: [] }],
		['no subscription', { subscriptionId: '' }],
		['an expression that fails', { events: '={{ nowhere.to.be.found }}' }],
	])('is 401 without a token, even with %s', async (_, parameters) => {
		const { trigger, url } = await publish();
		Object.assign(trigger.published!.parameters, parameters);
		expect(await scene.deliver(trigger.productionUrl, { a: 1 })).toBe(401);
		expect(await scene.deliver(`${trigger.productionUrl}?token=abc`, { a: 1 })).toBe(401);
		// What may be a real delivery is worth a retry.
		expect(await scene.deliver(url, { a: 1 })).toBe(503);
		expect(scene.host.executions).toEqual([]);
	});
});

describe('secrets', () => {
	const escaped = (token: string) =>
		[...token].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('');

	test('are not in the error where the service repeats them in something else than a record', async () => {
		const { subscription, trigger } = scene.subscribed();
		const token = 'f'.repeat(64);
		const message = `Moved from https://hooks.example.com/services/T1?key=theirs-4711, ${token}`;
		scene.sandbox.faults.add({ kind: 'status', status: 200, body: { message }, times: 9 });
		const error = await trigger.publish().catch((caught: object) => caught);
		scene.sandbox.faults.clear();
		const told = JSON.stringify(error);
		expect(told).toContain('Moved from https://hooks.example.com');
		expect(told).not.toMatch(/theirs-4711|f{64}/);
		expect(subscription.url).not.toContain(trigger.productionUrl);
	});

	test.each(['payload', 'details'])('do not survive escapes in a body (%s)', async (output) => {
		const { url } = await publish({ output });
		const token = tokenOf(url);
		const body = `{"a":"${escaped(token)}","${escaped(token)}":1}`;
		expect(await scene.deliver(url, body)).toBe(200);
		const seen = JSON.stringify(scene.host.executions[0].items).toLowerCase();
		expect(seen).toContain('***');
		expect(seen).not.toContain(token);
		expect(seen.replaceAll('\\\\', '\\')).not.toContain(escaped(token).toLowerCase());
	});

	test('are removed from a body nested deeper than the stack', async () => {
		const { url } = await publish();
		const depth = 50_000;
		const body = `{"token":"${tokenOf(url)}","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
		expect(await scene.deliver(url, body)).toBe(200);
		expect(scene.host.executions[0].items[0].json.token).toBe('***');
	});

	test('in the query reach no item with Verify Token off', async () => {
		const { trigger, url } = await publish({ verifyToken: false, output: 'details' });
		const token = 'ab'.repeat(32);
		await scene.deliver(`${url}?token=${token}&page=7`, { url: `${url}?token=${token}` });
		const [{ json }] = scene.host.executionsOf(trigger)[0].items;
		expect(json.query).toEqual({ page: '7' });
		expect(JSON.stringify(json)).not.toContain(token);
	});

	/** How a delivery may repeat the URL of its subscription. */
	const repeated = (url: string) => ({
		event: 'form.submitted',
		url,
		[url]: 1,
		upper: url.toUpperCase(),
		encoded: encodeURIComponent(url),
		escaped: escaped(url),
		cut: url.slice(0, -10),
	});

	/** All that a text shows, also to those who decode hexadecimal digits. */
	function reveal(text: string): string {
		const runs = text.matchAll(/(?:[0-9a-f]{2}){8,}/gi);
		const inner = [...runs].map(([run]) => Buffer.from(run, 'hex').toString('latin1'));
		return [text, ...inner.map(reveal)].join('\n').toLowerCase();
	}

	test.each(['payload', 'details'])(
		'of the owners before do not survive in a delivery that names its subscription (%s)',
		async (output) => {
			const { subscription, trigger: first } = scene.subscribed({ active: false });
			await first.publish();
			const urls = [subscription.url];
			const options = { takeOver: true, output };
			for (const trigger of [1, 2].map(() => scene.trigger(subscription, { options }))) {
				await trigger.publish();
				urls.push(subscription.url);
			}
			const last = urls[2];
			const values = urls.flatMap((url) => [...new URL(url).searchParams.values()]);
			expect(values).toHaveLength(8);
			// A service may also send along how the subscription changed.
			await scene.deliver(last, { ...repeated(last), before: urls, tokens: values });
			const seen = reveal(JSON.stringify(scene.host.executions[0].items));
			expect(seen).toContain('***');
			for (const value of values) expect(seen).not.toContain(value);
			expect(seen).toContain('form.submitted');
		},
	);

	test('of another receiver survive neither in a test run, nor those of the test run in what it forwards', async () => {
		const theirs = `${scene.elsewhereUrl}/services/T00000001/S3CR3T-K3Y?key=hunter2`;
		const subscription = scene.subscription({ url: theirs, events: null, active: true });
		const trigger = scene.trigger(subscription, { options: { takeOver: true, output: 'details' } });
		await trigger.listen();
		const { url } = subscription;
		const { token, back } = Object.fromEntries(new URL(url).searchParams);
		await scene.deliver(url, { ...repeated(url), before: theirs, page: scene.elsewhereUrl });
		await until(() => scene.elsewhere.length > 0);
		const [{ json }] = scene.host.executions[0].items;
		const [{ body }] = scene.elsewhere;
		for (const text of [JSON.stringify(json), body]) {
			const seen = reveal(text);
			for (const secret of [token, back, 's3cr3t', 'hunter2']) expect(seen).not.toContain(secret);
			expect(seen).toContain(`"page":"${scene.elsewhereUrl}"`);
		}
	});

	test('of the owners before do not survive in the copy for a test run', async () => {
		const { subscription, trigger: first } = scene.subscribed({ active: false });
		await first.publish();
		const token = tokenOf(subscription.url);
		const second = scene.trigger(subscription, { options: { takeOver: true } });
		await second.publish();
		await second.listen();
		const { url } = subscription;
		expect(reveal(url)).toContain(token);
		await scene.deliver(url, repeated(url));
		await until(() => scene.host.executions.length === 2);
		const [one, other] = scene.host.executions;
		expect(other.items).toEqual(one.items);
		expect(reveal(JSON.stringify(other.items))).not.toContain(token);
	});

	test('of other receivers appear in no message and no log line', async () => {
		const secret = 'S3cretInThePath0123456789';
		const theirs = {
			url: `https://user:pass@crm.example/hooks/${secret}/in?key=k-1`,
			active: true,
		};
		const { subscription, trigger } = scene.subscribed(theirs);
		const refusal: unknown = await trigger.publish().catch((error: unknown) => error);
		trigger.parameters.options = { takeOver: true };
		await trigger.publish();
		scene.sandbox.faults.add({
			kind: 'status',
			status: 422,
			method: 'PATCH',
			body: { message: `${theirs.url} is not accepted` },
		});
		const failure: unknown = await trigger.unpublish().catch((error: unknown) => error);
		Object.assign(subscription, theirs);
		await trigger.unpublish();
		const told = [refusal, failure]
			.map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error)))
			.concat(scene.host.log)
			.join();
		expect(told).toContain('https://crm.example/hooks/S3cr…/in');
		expect(told).toContain('is not accepted');
		for (const each of [secret, 'k-1', 'user', 'pass']) expect(told).not.toContain(each);
	});

	test('of the way to this n8n are not forwarded', async () => {
		const url = `${scene.elsewhereUrl}/hook`;
		const { subscription, trigger } = scene.subscribed(
			{ url, active: true, events: null },
			{ options: { takeOver: true } },
		);
		await trigger.listen();
		const secrets = {
			'cf-access-jwt-assertion': 'jwt-1',
			'cf-access-client-secret': 'jwt-2',
			'x-goog-iap-jwt-assertion': 'jwt-3',
			'x-amzn-oidc-data': 'jwt-4',
			'x-auth-request-access-token': 'jwt-5',
		};
		await scene.deliver(subscription.url, { a: 1 }, { ...secrets, 'x-signature': 's' });
		await until(() => scene.elsewhere.length === 1);
		expect(scene.elsewhere[0].headers).toMatchObject({ 'x-signature': 's' });
		expect(JSON.stringify(scene.elsewhere[0].headers)).not.toContain('jwt-');
	});
});

describe('forwarding during a test run that took over', () => {
	/** A trigger whose API is on the internet. */
	async function listenOn(url: string, api = 'https://api.example.invalid') {
		const { subscription, trigger } = scene.subscribed(
			{ url, active: true, events: null },
			{ options: { takeOver: true } },
		);
		await trigger.listen();
		trigger.credential = { ...trigger.credential, baseUrl: api };
		return subscription;
	}

	test.each([
		['this machine', (port: string) => `http://127.0.0.1:${port}/hook`],
		['this machine by name', (port: string) => `http://localhost:${port}/hook`],
		['this machine in other digits', (port: string) => `http://0x7f.1:${port}/hook`],
		['this machine in IPv6', (port: string) => `http://[::ffff:127.0.0.1]:${port}/hook`],
		['the network inside', () => 'http://169.254.169.254/latest'],
		['a name inside', () => 'http://metadata.internal/'],
		['no web address', () => 'file:///etc/passwd'],
	])('sends nothing to %s', async (_, makeUrl) => {
		const subscription = await listenOn(makeUrl(new URL(scene.elsewhereUrl).port));
		expect(await scene.deliver(subscription.url, { a: 1 })).toBe(200);
		await aWhile();
		expect(scene.elsewhere).toEqual([]);
		expect(scene.host.log.join()).toContain('which the service cannot reach');
	});

	test('reaches addresses that the service could reach', async () => {
		const subscription = await listenOn(`${scene.elsewhereUrl}/hook`, 'http://localhost:1');
		await scene.deliver(subscription.url, { a: 1 });
		await until(() => scene.elsewhere.length === 1);
	});

	test('follows no redirect', async () => {
		scene.redirect = `${scene.elsewhereUrl}/third`;
		const subscription = await listenOn(`${scene.elsewhereUrl}/hook`, 'http://localhost:1');
		await scene.deliver(subscription.url, { email: 'a@example.com' });
		await until(() => scene.host.log.join().includes('got status 307'));
		await aWhile();
		expect(scene.elsewhere.map(({ path }) => path)).toEqual(['/hook']);
	});

	test('does not send a multipart form empty', async () => {
		const subscription = await listenOn(`${scene.elsewhereUrl}/hook`, 'http://localhost:1');
		const type = { 'content-type': 'multipart/form-data; boundary=x' };
		expect(await scene.deliver(subscription.url, '', type)).toBe(200);
		await aWhile();
		expect(scene.elsewhere).toEqual([]);
		expect(scene.host.log.join()).toContain('n8n does not keep the raw body of this content type');
	});
});

test('a copy that fails writes one line a minute', async () => {
	const { subscription, trigger } = await publish();
	await trigger.listen();
	trigger.kill();
	for (let i = 0; i < 5; i++) await scene.deliver(subscription.url, { i });
	await until(() => scene.host.log.length > 0);
	await aWhile();
	expect(scene.host.executions).toHaveLength(5);
	expect(scene.host.log).toHaveLength(1);
	expect(scene.host.log[0]).toContain('got status 404');
	scene.pass(61_000);
	await scene.deliver(subscription.url, {});
	await until(() => scene.host.log.length > 1);
	expect(scene.host.log[1]).toMatch(/and \d more since the last line/);
	jest.restoreAllMocks();
});

test('a copy mark that another key made is no copy', async () => {
	const { trigger, url } = await publish();
	const mark = createHmac('sha256', 'not the key').update(`copy\n${trigger.id}`).digest('hex');
	await scene.deliver(`${url}&copy=${mark}`, { a: 1 });
	expect(scene.host.executions).toHaveLength(1);
});
