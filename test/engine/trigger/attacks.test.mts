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
		'test=webhook',
		'test=WebHook',
		'test=/webhook-test',
		'test=webhook-test/../webhook',
		'test=webhook-test/%2E%2E/webhook',
		'test=@evil.example',
		'test=evil.example:80',
		'[test]=webhook',
		'test[]=webhook-test',
		'test=webhook&[test]=webhook',
	])('whatever is in its query: %s', async (query) => {
		for (const verifyToken of [true, false]) {
			await scene.reset();
			const { url } = await publish({ verifyToken });
			await scene.deliver(`${url}${url.includes('?') ? '&' : '?'}${query}`, { a: 1 });
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
		await scene.deliver(`${subscription.url}&[test]=webhook-test`, { a: 1 });
		await aWhile();
		expect([count('webhook'), count('manual')]).toEqual([1, 0]);
		await scene.deliver(`${subscription.url}&back=7b7d`, { a: 1 });
		await until(() => count('manual') === 1);
		await aWhile();
		await scene.host.settle();
		expect([count('webhook'), count('manual')]).toEqual([2, 1]);
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

	test('in the query reach no item with Verify Token off', async () => {
		const { trigger, url } = await publish({ verifyToken: false, output: 'details' });
		const token = 'ab'.repeat(32);
		await scene.deliver(`${url}?token=${token}&page=7`, { url: `${url}?token=${token}` });
		const [{ json }] = scene.host.executionsOf(trigger)[0].items;
		expect(json.query).toEqual({ page: '7' });
		expect(JSON.stringify(json)).not.toContain(token);
	});

	test.each(['payload', 'details'])(
		'do not survive in a delivery that names its subscription (%s)',
		async (output) => {
			const { url } = await publish({ output });
			const token = tokenOf(url);
			const body = { event: 'form.submitted', url, [url]: 1, encoded: encodeURIComponent(url) };
			const form = `a=1&url=${encodeURIComponent(url)}`;
			await scene.deliver(url, body);
			await scene.deliver(url, form, { 'content-type': 'application/x-www-form-urlencoded' });
			await scene.deliver(url, Buffer.concat([Buffer.from([255]), Buffer.from(token)]), {});
			const seen = JSON.stringify(scene.host.executions.map(({ items }) => items));
			expect(scene.host.executions).toHaveLength(3);
			expect(seen.match(/token=\*\*\*/g)?.length).toBeGreaterThanOrEqual(3);
			const inBase64 = Buffer.concat([Buffer.from([255]), Buffer.from('***')]).toString('base64');
			expect(seen).toContain(inBase64);
			expect(seen).not.toContain(token);
		},
	);

	test('do not survive in the copy for a test run', async () => {
		const { subscription, trigger, url } = await publish();
		await trigger.listen();
		await scene.deliver(subscription.url, { event: 'form.submitted', url });
		await until(() => scene.host.executions.length === 2);
		const [one, other] = scene.host.executions;
		expect(other.items).toEqual(one.items);
		expect(JSON.stringify(other.items)).not.toContain(tokenOf(url));
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

test('a multipart form is not copied, and the log says so', async () => {
	const { subscription, trigger } = await publish();
	await trigger.listen();
	const type = { 'content-type': 'multipart/form-data; boundary=x' };
	expect(await scene.deliver(subscription.url, '', type)).toBe(200);
	await aWhile();
	expect(scene.host.executions.map(({ mode }) => mode)).toEqual(['webhook']);
	expect(scene.host.log.join()).toContain('n8n does not keep the raw body of a multipart form');
});
