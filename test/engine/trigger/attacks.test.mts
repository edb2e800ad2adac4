import { randomBytes } from 'node:crypto';
import { aWhile, setUpScene } from './scene.mts';

const scene = setUpScene();

// `test/unit/trigger/urls.test.mts` has the values of `test` that are no paths of a test run.
test.each(['test=webhook', '[test]=webhook', 'test[]=webhook-test', 'test=webhook&[test]=webhook'])(
	'one request starts the published workflow once, whatever is in its query: %s',
	async (query) => {
		const { url } = await scene.published();
		await scene.deliver(`${url}&${query}`, { a: 1 });
		await aWhile();
		await scene.host.settle();
		expect(scene.host.executions).toHaveLength(1);
		expect(scene.host.arrivals).toHaveLength(1);
	},
);

describe('the token', () => {
	test.each([
		['none', ''],
		['a short one', '?token=abc'],
		['a wrong one', `?token=${'a'.repeat(64)}`],
		['several', `?token=${'a'.repeat(64)}&token=${'b'.repeat(64)}`],
		['an object, and a prototype name', '?token[x]=1&__proto__[token]=x'],
	])('is checked, and %s is rejected with 401', async (_, query) => {
		const { trigger } = await scene.published();
		const { status, data } = await scene.send(trigger.productionUrl + query, {});
		const isWrong = /^\?token=a{64}$/.test(query);
		const reason = isWrong ? 'The token is not the registered one' : 'The request carried no token';
		expect([status, data]).toEqual([401, { started: false, reason }]);
		expect(scene.host.executions).toEqual([]);
		expect(scene.host.log.join()).toContain(
			isWrong ? 'its token is not that of the registered URL' : 'it had no token',
		);
		expect(scene.host.log.join().includes('removes the query of the URL')).toBe(query === '');
	});

	test('of another trigger is rejected', async () => {
		const { url } = await scene.published();
		const second = scene.trigger(scene.subscription({ active: false }, 3));
		await second.publish();
		expect(await scene.deliver(url, {})).toBe(200);
		expect(await scene.deliver(second.productionUrl + new URL(url).search, {})).toBe(401);
	});

	test('that is wrong writes a line once a minute, however many arrive', async () => {
		const { trigger } = await scene.published();
		const deliver = async () => {
			const token = randomBytes(32).toString('hex');
			expect(await scene.deliver(`${trigger.productionUrl}?token=${token}`, {})).toBe(401);
		};
		await Promise.all(Array.from({ length: 5 }, deliver));
		expect(scene.host.log).toEqual([expect.not.stringMatching(/[0-9a-f]{64}/)]);
		scene.pass(61_000);
		await deliver();
		expect(scene.host.log[1]).toContain('(and 4 more since the last line)');
	});

	test('needs no static data', async () => {
		const { trigger, url } = await scene.published();
		trigger.staticData = {};
		expect(await scene.deliver(url, { a: 1 })).toBe(200);
	});

	// For each credential that a delivery reads, n8n starts an isolate.
	test('that is registered needs no credential', async () => {
		const { trigger, url } = await scene.published();
		trigger.credential = { ...trigger.credential, apiKey: ' ' };
		expect(await scene.deliver(url, {})).toBe(200);
		const wrong = `${trigger.productionUrl}?token=${'a'.repeat(64)}`;
		expect(await scene.deliver(wrong, {})).toBe(503);
		expect(scene.host.log.join()).toContain('The API Key in the credential is empty');
	});

	test('is made again with a new key when the workflow is published again', async () => {
		const { subscription, trigger, url } = await scene.published();
		trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
		expect(await scene.deliver(url, {})).toBe(200);
		await trigger.publish();
		expect(await scene.deliver(subscription.url, {})).toBe(200);
		expect(await scene.deliver(url, {})).toBe(401);
	});

	test('still counts after a new key, even if n8n has lost its data before the last publishing', async () => {
		const { subscription, trigger } = await scene.published();
		trigger.staticData = {};
		await trigger.publish();
		trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
		expect(await scene.deliver(subscription.url, {})).toBe(200);
		expect(await scene.deliver(trigger.productionUrl, {})).toBe(401);
	});

	test('is checked before the body is read', async () => {
		const { trigger } = await scene.published();
		const body = '['.repeat(15 * 1024 * 1024);
		const read = jest.spyOn(JSON, 'parse');
		const type = { 'content-type': 'text/plain' };
		expect(await scene.deliver(trigger.productionUrl, body, type)).toBe(401);
		expect(read.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([]);
	});

	test.each([
		['settings that became invalid', { events: [] }],
		['no subscription', { subscriptionId: '' }],
		['an expression that fails', { events: '={{ nowhere.to.be.found }}' }],
	])('comes before %s', async (_, parameters) => {
		const { trigger, url } = await scene.published();
		Object.assign(trigger.published!.parameters, parameters);
		expect(await scene.deliver(trigger.productionUrl, { a: 1 })).toBe(401);
		// What may be a real delivery is worth a retry.
		expect(await scene.deliver(url, { a: 1 })).toBe(503);
		expect(scene.host.executions).toEqual([]);
	});

	test('is neither needed nor output with Verify Token off', async () => {
		const { trigger, url } = await scene.published({ verifyToken: false, output: 'details' });
		expect(url).toBe(trigger.productionUrl);
		const token = 'ab'.repeat(32);
		await scene.deliver(`${url}?token=${token}&page=7`, { url: `${url}?token=${token}` });
		expect(scene.json()).toMatchObject([{ query: { page: '7' } }]);
		expect(JSON.stringify(scene.json())).not.toContain(token);
	});

	test('does not survive in a delivery that names its subscription', async () => {
		const { url } = await scene.published({ output: 'details' });
		const token = new URL(url).searchParams.get('token') ?? '';
		const body = { event: 'form.submitted', url, [url]: 1, encoded: encodeURIComponent(url) };
		const form = `a=1&url=${encodeURIComponent(url)}`;
		await scene.deliver(url, body);
		await scene.deliver(url, form, { 'content-type': 'application/x-www-form-urlencoded' });
		await scene.deliver(url, Buffer.concat([Buffer.from([255]), Buffer.from(token)]), {});
		const seen = JSON.stringify([0, 1, 2].map((n) => scene.json(n)));
		expect(seen.match(/token=\*\*\*/g)?.length).toBeGreaterThanOrEqual(3);
		expect(seen).toContain(Buffer.from([255, 42, 42, 42]).toString('base64'));
		expect(seen).not.toContain(token);
	});
});

test('what other receivers keep secret stands in no message and no log line', async () => {
	const secret = 'S3cretInThePath0123456789';
	const theirs = {
		url: `https://user:pass@crm.example/hooks/${secret}/in?key=k-1`,
		active: true,
	};
	const { subscription, trigger } = scene.subscribed(theirs);
	const refusal: unknown = await trigger.publish().catch((error: unknown) => error);
	trigger.parameters.options = { takeOver: true };
	await trigger.publish();
	const message = `${theirs.url} is not accepted with ${'f'.repeat(64)}`;
	scene.sandbox.faults.add({ kind: 'status', status: 422, method: 'PATCH', body: { message } });
	const failure: unknown = await trigger.unpublish().catch((error: unknown) => error);
	scene.sandbox.faults.add({ kind: 'status', status: 200, body: { message } });
	const unexpected: unknown = await trigger.unpublish().catch((error: unknown) => error);
	Object.assign(subscription, theirs);
	await trigger.unpublish();
	const told = [refusal, failure, unexpected]
		.map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error)))
		.concat(scene.host.log)
		.join();
	expect(told).toContain('https://crm.example/hooks/S3cr…/in');
	expect(told.match(/is not accepted/g)?.length).toBeGreaterThanOrEqual(2);
	for (const each of [secret, 'k-1', 'user', 'pass', 'ffff']) expect(told).not.toContain(each);
});
