import { caught, setUpTrigger } from './triggerSetup.mts';

const setup = setUpTrigger();

describe('the token', () => {
	const advice = 'If your service sent it, unpublish and publish the workflow, and let the query';
	const noToken = ['The request carried no token', `it had no token. ${advice}`];
	const wrongToken = [
		'The token is not the registered one',
		`its token is not that of the registered URL. ${advice}`,
	];

	test.each([
		['none', '', noToken],
		['an empty one', '?token=', noToken],
		['a short one', '?token=abc', wrongToken],
		['a longer one', `?token=${'a'.repeat(65)}`, wrongToken],
		['a wrong one', `?token=${'a'.repeat(64)}`, wrongToken],
		['several', `?token=${'a'.repeat(64)}&token=${'b'.repeat(64)}`, wrongToken],
		['an object, and a prototype name', '?token[x]=1&__proto__[token]=x', wrongToken],
	])('is checked, and %s is rejected with 401', async (_, query, [reason, line]) => {
		const { trigger } = await setup.published();
		const { status, data } = await setup.send(trigger.productionUrl + query, {});
		expect([status, data]).toEqual([401, { started: false, reason }]);
		expect(setup.n8n.executions).toEqual([]);
		expect(setup.n8n.log.join()).toContain(line);
	});

	// The scenes have that it stays valid until the next publishing.
	test('of another trigger, or of the key before the last publishing, is rejected', async () => {
		const { trigger, url } = await setup.published();
		const second = setup.trigger(setup.subscription({ active: false }, 3));
		await second.publish();
		expect(await setup.deliver(second.productionUrl + new URL(url).search, {})).toBe(401);
		trigger.credential.apiKey = 'a-new-key';
		await trigger.publish();
		expect(await setup.deliver(url, {})).toBe(401);
	});

	test('that is wrong writes a line once a minute, however many arrive', async () => {
		const { trigger } = await setup.published();
		const deliver = async (n = 0) => {
			const token = String(n).repeat(64);
			expect(await setup.deliver(`${trigger.productionUrl}?token=${token}`, {})).toBe(401);
		};
		await Promise.all([1, 2, 3, 4, 5].map(deliver));
		expect(setup.n8n.log).toEqual([expect.not.stringMatching(/[0-9a-f]{64}/)]);
		jest.advanceTimersByTime(61_000);
		await deliver();
		expect(setup.n8n.log[1]).toContain('(and 4 more since the last line)');
	});

	// For each credential that a delivery reads, n8n starts an isolate.
	test('needs static data or the API key', async () => {
		const { trigger, url } = await setup.published();
		const { apiKey } = trigger.credential;
		trigger.credential.apiKey = ' ';
		expect(await setup.deliver(url, {})).toBe(200);
		trigger.staticData = {};
		expect(await setup.deliver(url, {})).toBe(503);
		expect(setup.n8n.log.join()).toContain('The API Key in the credential is empty');
		trigger.credential.apiKey = apiKey;
		expect(await setup.deliver(url, {})).toBe(200);
	});

	test('is checked before the body is read', async () => {
		const { trigger } = await setup.published();
		const body = '['.repeat(15 * 1024 * 1024);
		const read = jest.spyOn(JSON, 'parse');
		const type = { 'content-type': 'text/plain' };
		expect(await setup.deliver(trigger.productionUrl, body, type)).toBe(401);
		expect(read.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([]);
	});

	test.each([
		['settings that became invalid', { events: [] }],
		['no subscription', { subscriptionId: '' }],
		['an expression that fails', { events: '={{ nowhere.to.be.found }}' }],
	])('comes before %s', async (_, parameters) => {
		const { trigger, url } = await setup.published();
		Object.assign(trigger.published!.parameters, parameters);
		expect(await setup.deliver(trigger.productionUrl, { a: 1 })).toBe(401);
		// What may be a real delivery is worth a retry.
		expect(await setup.deliver(url, { a: 1 })).toBe(503);
		expect(setup.n8n.executions).toEqual([]);
	});

	test('is neither needed nor output with Verify Token off', async () => {
		const { url } = await setup.published({ verifyToken: false, outputFormat: 'details' });
		expect(new URL(url).searchParams.has('token')).toBe(false);
		const query = `token=${'ab'.repeat(32)}`;
		await setup.deliver(`${url}?${query}&page=7`, { url: `${url}?${query}` });
		expect(setup.json()).toMatchObject([{ query: { page: '7' } }]);
		expect(JSON.stringify(setup.json())).not.toContain('abab');
	});
});

test('what other receivers keep secret stands in no message and no log line', async () => {
	const secret = 'S3cretInThePath0123456789';
	const url = `https://user:pass@crm.example/hooks/${secret}/in?key=k-1`;
	const { subscription, trigger } = setup.subscribed({ url, active: true });
	const errors = [await caught(trigger.publish())];
	trigger.parameters.options = { takeOver: true };
	await trigger.publish();
	const message = `${url} is not accepted with ${'f'.repeat(64)}`;
	setup.faults.add({ kind: 'status', status: 422, method: 'PATCH', body: { message } });
	errors.push(await caught(trigger.unpublish()));
	setup.faults.add({ kind: 'status', status: 200, body: { message } });
	errors.push(await caught(trigger.unpublish()));
	subscription.url = url;
	await trigger.unpublish();
	const told = errors
		.map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error)))
		.concat(setup.n8n.log)
		.join();
	expect(told).toContain('https://crm.example/hooks/S3cr…/in');
	expect(told.match(/is not accepted/g)?.length).toBeGreaterThanOrEqual(2);
	for (const each of [secret, 'k-1', 'user', 'pass', 'ffff']) expect(told).not.toContain(each);
});
