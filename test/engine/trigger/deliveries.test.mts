import { join } from 'node:path';
import { loadOutputSchema } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { eventKinds } from '../../../nodes/parameters/eventKinds.ts';
import { setUpScene, until } from './scene.mts';

const scene = setUpScene();

type OutputSchema = {
	title: string;
	properties?: Record<string, { enum?: unknown[] }>;
	required?: string[];
};

/** The schema that n8n itself finds for the trigger. */
function readOutputSchema(): { anyOf: OutputSchema[] } {
	const nodeDir = join(import.meta.dirname, '../../../nodes/PageAudienceTrigger');
	const schema = loadOutputSchema({ nodeDir, version: 1, versionFallback: true });
	return schema as { anyOf: OutputSchema[] };
}

async function publish(options: INodeParameters = {}, events = ['form.submitted']) {
	const { subscription, trigger } = scene.subscribed({ active: false }, { options, events });
	await trigger.publish();
	scene.sandbox.requests.length = 0;
	return { subscription, trigger, url: subscription.url };
}

const json = (number = 0) => scene.host.executions[number].items.map((item) => item.json);

describe('the token', () => {
	test('accepts what carries it, without asking the service', async () => {
		const { url } = await publish();
		expect(await scene.deliver(url, { a: 1 })).toBe(200);
		expect(scene.asked).toEqual([]);
		expect(json()).toEqual([{ a: 1 }]);
	});

	test('needs no static data', async () => {
		const { trigger, url } = await publish();
		trigger.staticData = {};
		expect(await scene.deliver(url, { a: 1 })).toBe(200);
	});

	test.each([
		['none', ''],
		['an empty one', '?token='],
		['a short one', '?token=abc'],
		['a long one', `?token=${'a'.repeat(5_000)}`],
		['a wrong one of the right length', `?token=${'a'.repeat(64)}`],
		['one in capitals', `?token=${'A'.repeat(64)}`],
		['several', `?token=${'a'.repeat(64)}&token=${'b'.repeat(64)}`],
		['an object', '?token[x]=1'],
		['a prototype name', '?token=__proto__'],
		['another name', '?TOKEN=x&__proto__[token]=x'],
	])('rejects %s with 401, and starts nothing', async (_, query) => {
		const { trigger } = await publish();
		const { status, data } = await scene.send(trigger.productionUrl + query, {
			event: 'form.submitted',
		});
		expect([status, data]).toEqual([
			401,
			{ started: false, reason: 'The token is not the registered one' },
		]);
		expect(scene.host.executions).toEqual([]);
		const isWrong = query === `?token=${'a'.repeat(64)}`;
		const reason = isWrong ? 'is not that of the registered URL' : 'carried no token';
		expect(scene.host.log.join()).toMatch(`rejected a delivery (401), because it`);
		expect(scene.host.log.join()).toContain(reason);
		// Only what could be the token of an earlier key is worth a question.
		expect(scene.asked).toEqual(isWrong ? ['GET'] : []);
	});

	test('of another trigger, or for another subscription, is rejected', async () => {
		const first = await publish();
		const second = scene.trigger(scene.subscription({ active: false }, 3));
		await second.publish();
		const { token } = Object.fromEntries(new URL(first.url).searchParams);
		// Its owner remembers it for a while, and no other trigger does.
		expect(await scene.deliver(first.url, {})).toBe(200);
		expect(await scene.deliver(`${second.productionUrl}?token=${token}`, {})).toBe(401);
		first.trigger.parameters.subscriptionId = second.parameters.subscriptionId;
		first.trigger.parameters.options = { takeOver: true };
		await first.trigger.publish();
		expect(await scene.deliver(first.url, {})).toBe(401);
	});

	test('that is wrong asks the service and writes a line once a minute, however many arrive', async () => {
		const { trigger } = await publish();
		const wrong = (letter: string) => `${trigger.productionUrl}?token=${letter.repeat(64)}`;
		const statuses = await Promise.all(
			[...'abcdef0123'].map(async (letter) => await scene.deliver(wrong(letter), {})),
		);
		expect(new Set(statuses)).toEqual(new Set([401]));
		expect(scene.asked).toEqual(['GET']);
		expect(scene.host.log).toHaveLength(1);
		expect(scene.host.log[0]).not.toContain('aaaa');
	});

	test('made with an earlier key counts while it is registered, so a new key loses no delivery', async () => {
		const { trigger, url } = await publish();
		trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
		const bodies = Array.from({ length: 10 }, (_, i) => ({ event: 'form.submitted', i }));
		const statuses = await Promise.all(bodies.map(async (body) => await scene.deliver(url, body)));
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(scene.host.executions).toHaveLength(10);
		expect(scene.asked).toEqual(['GET']);
		expect(scene.host.log).toEqual([]);
	});

	test('is not made again for each delivery of a burst', async () => {
		const { trigger, url } = await publish();
		expect(await scene.deliver(url, {})).toBe(200);
		trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
		expect(await scene.deliver(url, {})).toBe(200);
		expect(scene.asked).toEqual([]);
		const wrong = `${trigger.productionUrl}?token=${'a'.repeat(64)}`;
		expect(await scene.deliver(wrong, {})).toBe(401);
		scene.pass(61_000);
		expect(await scene.deliver(url, {})).toBe(200);
		expect(scene.asked).toEqual(['GET', 'GET']);
		jest.restoreAllMocks();
	});

	test('is made again with a new key when the workflow is published again', async () => {
		const { subscription, trigger, url } = await publish();
		trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
		await trigger.publish();
		expect(subscription.url).not.toBe(url);
		expect(await scene.deliver(subscription.url, {})).toBe(200);
		expect(await scene.deliver(url, {})).toBe(401);
	});

	test('is the same with spaces around the key, which are not sent either', async () => {
		const { trigger, url } = await publish();
		trigger.credential = { ...trigger.credential, apiKey: ` ${trigger.credential.apiKey}\n` };
		expect(await scene.deliver(url, {})).toBe(200);
		expect(scene.asked).toEqual([]);
	});

	test('reaches the test run with the copy, also after the key was changed', async () => {
		const { subscription, trigger } = await publish();
		trigger.credential = { ...trigger.credential, apiKey: 'a-new-key' };
		await trigger.listen();
		await scene.sandbox.emit('form.submitted');
		await until(() => scene.host.executions.length === 2);
		expect(subscription.active).toBe(true);
	});

	test('of the test subscription is rejected in production, and a missing test subscription loses no delivery', async () => {
		const other = scene.subscription({ active: false }, 3);
		const { trigger } = await publish({ testSubscriptionId: other.subscriptionId });
		await trigger.listen();
		const { token } = Object.fromEntries(new URL(other.url).searchParams);
		expect(await scene.deliver(`${trigger.productionUrl}?token=${token}`, {})).toBe(401);
		await trigger.endListening();
		const second = await publish({ testSubscriptionId: 'subscription_gone' });
		second.trigger.credential = { ...second.trigger.credential, apiKey: 'a-new-key' };
		expect(await scene.deliver(second.url, {})).toBe(200);
	});

	test("of a registered URL that is not this trigger's is rejected", async () => {
		const { trigger } = await publish();
		const token = 'b'.repeat(64);
		scene.subscription({ url: `https://example.com/webhook/${trigger.id}/webhook?token=${token}` });
		expect(await scene.deliver(`${trigger.productionUrl}?token=${token}`, {})).toBe(401);
	});

	test('that cannot be checked gets 503 with Retry-After, and is checked again soon', async () => {
		const { url } = await publish();
		const old = new URL(url);
		old.searchParams.set('token', 'b'.repeat(64));
		scene.subscription({ url: old.href });
		scene.sandbox.faults.add({ kind: 'status', status: 503, times: 1 });
		const { status, headers, data } = await scene.send(old.href, {});
		expect([status, headers['retry-after'], data]).toEqual([
			503,
			'5',
			{ started: false, reason: 'The token cannot be checked at the moment' },
		]);
		expect(scene.host.log.join()).toContain('(503), because its token could not be checked');
		expect(scene.host.executions).toEqual([]);
		scene.pass(6_000);
		expect(await scene.deliver(old.href, {})).toBe(200);
		jest.restoreAllMocks();
	});

	test('is not needed with Verify Token off', async () => {
		const { trigger, url } = await publish({ verifyToken: false });
		expect(url).toBe(trigger.productionUrl);
		expect(await scene.deliver(url, { a: 1 })).toBe(200);
	});

	test('cannot be checked without a key', async () => {
		const { trigger, url } = await publish();
		trigger.credential = { ...trigger.credential, apiKey: ' ' };
		expect(await scene.deliver(url, {})).toBe(503);
		expect(scene.host.log.join()).toContain('The API Key in the credential is empty');
	});
});

describe('kinds', () => {
	test.each([
		['chosen', { event: 'form.submitted' }, {}, 1],
		['not chosen', { event: 'form.enriched' }, {}, 0],
		['in a header', { a: 1 }, { 'x-event-type': 'form.enriched' }, 0],
		['in two fields that agree', { event: 'form.enriched', type: 'form.enriched' }, {}, 0],
		['in fields that do not agree', { event: 'form.enriched', type: 'form.submitted' }, {}, 1],
		['in a field that a visitor may have typed', { message: 'form.enriched' }, {}, 1],
		['as the name or action of a flat form', { name: 'form.enriched' }, {}, 1],
		['as the action of an envelope', { action: 'form.enriched', data: {} }, {}, 0],
		['as the name of an envelope', { name: 'form.enriched', items: [] }, {}, 0],
		[
			'in a field and a header that do not agree',
			{ event: 'form.enriched' },
			{ 'x-kind': 'form.submitted' },
			1,
		],
		['in a nested value only', { data: { message: 'form.enriched' } }, {}, 1],
		['in a list', ['form.enriched'], {}, 1],
		['in every element of a batch', [{ type: 'form.enriched' }], {}, 0],
		['in some elements of a batch', [{ type: 'form.enriched' }, {}], {}, 1],
		['in a header for a batch', [{}, {}], { 'x-event': 'form.enriched' }, 0],
		['in a longer text', { event: 'form.enriched now' }, {}, 1],
		['that nobody knows', { event: 'page.deleted' }, {}, 1],
		['missing', {}, {}, 1],
	])('%s', async (_, body, headers, executions) => {
		const { url } = await publish();
		const { status, data } = await scene.send(url, body, {
			'content-type': 'application/json',
			...headers,
		});
		expect([status, data.started]).toEqual([200, executions === 1]);
		expect(scene.host.executions).toHaveLength(executions);
	});
});

describe('kinds during a test run beside the published workflow', () => {
	const added = ['form.submitted', 'form.enriched'];
	const reason = 'The event is unknown, and a test run added events';

	/** @returns the URL that the service delivers to during the test run */
	async function listen(events: string[], previous?: null) {
		const { subscription, trigger } = await publish();
		if (previous === null) subscription.events = null;
		trigger.parameters = { ...trigger.parameters, events };
		await trigger.listen();
		return { url: subscription.url, trigger };
	}

	/** What started, as `webhook 1`: the mode and the number of items. */
	async function started(count: number) {
		await until(() => scene.host.executions.length >= count);
		await scene.host.settle();
		return scene.host.executions.map(({ mode, items }) => `${mode} ${items.length}`).sort();
	}

	test.each([
		['without a kind', { a: 1 }],
		['of a kind that nobody knows', { event: 'page.deleted' }],
		['of two kinds', { event: 'form.enriched', type: 'form.submitted' }],
		['in an empty list', []],
	])('a delivery %s starts only the test run if that added kinds', async (_, body) => {
		const { url } = await listen(added);
		const { status, data } = await scene.send(url, body);
		expect([status, data]).toEqual([200, { started: false, reason }]);
		expect(await started(1)).toEqual(['manual 1']);
		expect(scene.host.log.join()).toContain('because it does not name its event');
	});

	test.each<[string, string[], null | undefined]>([
		['adds no kind', ['form.submitted'], undefined],
		['cannot add one, because null may stand for all', added, null],
	])('a delivery without a kind starts both if the test run %s', async (_, events, previous) => {
		const { url } = await listen(events, previous);
		expect((await scene.send(url, { a: 1 })).data).toEqual({ started: true });
		expect(await started(2)).toEqual(['manual 1', 'webhook 1']);
		expect(scene.host.log).toEqual([]);
	});

	test('a delivery of a published kind starts both', async () => {
		const { url } = await listen(added);
		expect((await scene.send(url, { event: 'form.submitted' })).data).toEqual({ started: true });
		expect(await started(2)).toEqual(['manual 1', 'webhook 1']);
		expect(scene.host.log).toEqual([]);
	});

	test('a list starts production with the entries of published kinds', async () => {
		const { url } = await listen(added);
		const body = [{ event: 'form.submitted' }, { a: 1 }, { event: 'form.enriched' }];
		expect((await scene.send(url, body)).data).toEqual({ started: true });
		expect(await started(2)).toEqual(['manual 3', 'webhook 1']);
	});

	test('a kind that was not chosen is skipped for that reason', async () => {
		const { url } = await listen(added);
		const { data } = await scene.send(url, { event: 'form.enriched' });
		expect(data).toEqual({ started: false, reason: 'This event was not chosen' });
		expect(await started(1)).toEqual(['manual 1']);
		expect(scene.host.log).toEqual([]);
	});

	test('is logged at most once a minute, and ends with the test run', async () => {
		const { url, trigger } = await listen(added);
		trigger.kill();
		for (let i = 0; i < 3; i++) await scene.deliver(url, { i });
		await until(() => scene.host.log.join().includes('status 404'));
		const lines = scene.host.log.filter((line) => line.includes('does not name its event'));
		expect(lines).toHaveLength(1);
		await trigger.listen();
		await trigger.endListening();
		expect((await scene.send(scene.subscription().url, { a: 1 })).data).toEqual({ started: true });
	});

	test('is not remembered as delivered', async () => {
		const { subscription, trigger } = await publish({ duplicates: 'drop' });
		trigger.parameters = { ...trigger.parameters, events: added };
		await trigger.listen();
		expect((await scene.send(subscription.url, { a: 1 })).data).toEqual({ started: false, reason });
		await until(() => !trigger.isListening);
		await scene.host.settle();
		expect((await scene.send(subscription.url, { a: 1 })).data).toEqual({ started: true });
	});
});

describe('the payload', () => {
	const type = (contentType: string) => ({ 'content-type': contentType });
	test.each([
		['an object', '{"a":{"b":[1]}}', type('application/json'), [{ a: { b: [1] } }]],
		[
			'a list',
			'[{"a":1},2,null,[3],"x"]',
			type('application/json'),
			[{ a: 1 }, { value: 2 }, { value: null }, { value: [3] }, { value: 'x' }],
		],
		['an empty list', '[]', type('application/json'), [{ value: [] }]],
		['nothing', '', type('application/json'), [{}]],
		['an empty object', '{}', type('application/json'), [{}]],
		['a number', '5', type('application/json'), [{ rawBody: '5' }]],
		['null', 'null', type('application/json'), [{ rawBody: 'null' }]],
		['a JSON text', '"x"', type('application/json'), [{ rawBody: '"x"' }]],
		['plain text', 'Zoë', type('text/plain'), [{ rawBody: 'Zoë' }]],
		['JSON as text', '{"a":1}', type('text/plain'), [{ a: 1 }]],
		['JSON of another type', ' {"a":1}', type('application/cloudevents+json'), [{ a: 1 }]],
		['what only begins like JSON', '{a', type('text/plain'), [{ rawBody: '{a' }]],
		['a form', 'a=1&b=%20', type('application/x-www-form-urlencoded'), [{ a: '1', b: ' ' }]],
		['no type at all', 'x=1', {}, [{ rawBody: 'x=1' }]],
		[
			'prototype names',
			'{"__proto__":{"x":1},"constructor":2}',
			type('application/json'),
			[JSON.parse('{"__proto__":{"x":1},"constructor":2}')],
		],
	])('of %s', async (_, body, headers, expected) => {
		const { url } = await publish();
		expect(await scene.deliver(url, body, headers as { [name: string]: string })).toBe(200);
		expect(json()).toEqual(expected);
		for (const item of json()) expect(item).toBeInstanceOf(Object);
	});

	test.each([
		['huge', JSON.stringify({ a: 'x'.repeat(15_000_000) })],
		['deeper than the stack', '['.repeat(100_000) + ']'.repeat(100_000)],
		[
			'of a hundred thousand items',
			JSON.stringify(Array.from({ length: 100_000 }, (_, i) => ({ i }))),
		],
	])('accepts one that is %s', async (_, body) => {
		const { url } = await publish({ duplicates: 'drop' });
		expect(await scene.deliver(url, body)).toBe(200);
		expect(scene.host.executions).toHaveLength(1);
	});
});

describe('details', () => {
	const { anyOf: schemas } = readOutputSchema();
	const detailsSchema = schemas[1];

	test('are what the output schema of n8n says', () => {
		expect(schemas.map(({ title }) => title)).toEqual([
			'Options > Output: Payload (the default)',
			'Options > Output: Details',
		]);
		const { properties = {} } = detailsSchema;
		expect(Object.keys(properties)).toEqual(detailsSchema.required);
		expect(properties.eventKind.enum).toEqual([...eventKinds.map(({ value }) => value), null]);
	});

	test('hold everything except secrets', async () => {
		const { url } = await publish({ output: 'details' });
		const { token, kept } = Object.fromEntries(new URL(url).searchParams);
		await scene.deliver(
			`${url}&back=7b7d&test=/x&copy=1&page=7`,
			{ event: 'form.submitted', url },
			{
				'content-type': 'application/json',
				authorization: 'Bearer x',
				cookie: 'a=b',
				'proxy-authorization': 'Basic x',
				referer: url,
				'x-forwarded-uri': `${new URL(url).pathname}?token=${token}&back=7b7d&page=7`,
				'x-original': encodeURIComponent(url),
				'x-signature': 'abc',
				'cf-access-jwt-assertion': 'jwt-1',
				'x-api-key': 'key-1',
				'x-goog-iap-jwt-assertion': 'jwt-2',
			},
		);
		const [details] = json();
		expect(Object.keys(details)).toEqual([
			'body',
			'rawBody',
			'headers',
			'query',
			'eventKind',
			'receivedAt',
			'deliveryKey',
		]);
		expect(Object.keys(details)).toEqual(detailsSchema.required);
		expect(details).toMatchObject({
			body: { event: 'form.submitted', url: url.replace(token, '***').replace(kept, '***') },
			headers: { 'x-signature': 'abc' },
			query: { page: '7' },
			eventKind: 'form.submitted',
			deliveryKey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		});
		expect(new Date(String(details.receivedAt)).toISOString()).toBe(details.receivedAt);
		expect(Object.keys(details.query as object)).toEqual(['page']);
		const seen = JSON.stringify(details);
		for (const secret of [token, kept, 'Bearer', 'a=b', 'Basic', '7b7d', 'jwt-', 'key-1'])
			expect(seen).not.toContain(secret);
	});

	test.each([
		['text', 'hello', 'hello'],
		['nothing', '', ''],
		['a list', '[1]', [1]],
	])('of %s', async (_, body, expected) => {
		const { url } = await publish({ output: 'details' });
		await scene.deliver(url, body, {
			'content-type': body === '[1]' ? 'application/json' : 'text/plain',
		});
		expect(json()).toMatchObject([{ body: expected, rawBody: body, eventKind: null }]);
	});

	test('the payload holds no token, even if the service repeats the URL', async () => {
		const { url } = await publish();
		await scene.deliver(url, { subscription: { url } });
		expect(JSON.stringify(json())).not.toContain(new URL(url).searchParams.get('token'));
	});
});

describe('duplicates', () => {
	test('start the workflow by default', async () => {
		const { url } = await publish();
		await scene.deliver(url, { a: 1 });
		await scene.deliver(url, { a: 1 });
		expect(scene.host.executions).toHaveLength(2);
	});

	test('are dropped with 200, in whatever layout the same JSON comes', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		const statuses = [
			await scene.deliver(url, '{"a":1,"b":{"c":2,"d":3}}'),
			await scene.deliver(url, '{ "b": {"d":3, "c":2}, "a":1 }'),
			await scene.deliver(url, '{"a":1,"b":{"c":2,"d":4}}'),
		];
		expect(statuses).toEqual([200, 200, 200]);
		expect(scene.host.executions).toHaveLength(2);
	});

	test.each([
		['form_1', '0b3e4d5a-1111-4222-8333-444455556666'],
		['12345678901234567', 'form_2'],
	])('are dropped whatever their IDs look like: %s, %s', async (formId, userId) => {
		const { url } = await publish({ duplicates: 'drop', output: 'details' });
		await scene.deliver(url, JSON.stringify({ formId, userId }));
		await scene.deliver(url, JSON.stringify({ userId, formId }));
		await scene.deliver(url, JSON.stringify({ formId, userId: `${userId}0` }));
		expect(scene.host.executions).toHaveLength(2);
		expect(json(0)[0].deliveryKey).not.toBe(json(1)[0].deliveryKey);
	});

	test('are none where different texts are parsed to the same', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		const type = { 'content-type': 'application/x-www-form-urlencoded' };
		// No letters in UTF-8.
		for (const body of ['a=%FE', 'a=%FF']) await scene.deliver(url, body, type);
		expect(json(1)).toEqual(json(0));
	});

	test('are none where a text is written as JSON', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		await scene.deliver(url, '"x"');
		await scene.deliver(url, 'x', { 'content-type': 'text/plain' });
		expect(json(1)).toEqual([{ rawBody: 'x' }]);
	});

	test('of a burst are dropped', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		const bodies = Array.from({ length: 40 }, (_, i) => ({ i: i % 20 }));
		await Promise.all(bodies.map(async (body) => await scene.deliver(url, body)));
		expect(scene.host.executions).toHaveLength(20);
	});

	test('of one trigger start another', async () => {
		const first = await publish({ duplicates: 'drop' });
		const second = scene.trigger(scene.subscription({ active: false }, 3), {
			options: { duplicates: 'drop' },
		});
		await second.publish();
		await scene.deliver(first.url, { a: 1 });
		await scene.deliver(scene.subscription({}, 3).url, { a: 1 });
		expect(scene.host.executions).toHaveLength(2);
	});

	test('start every test run', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		await scene.deliver(url, { a: 1 });
		const other = scene.subscription({ active: false }, 3);
		const trigger = scene.trigger(other, { options: { duplicates: 'drop' } });
		for (const round of [1, 2]) {
			await trigger.listen();
			await scene.deliver(other.url, { a: 1 });
			await scene.host.settle();
			expect(scene.host.executionsOf(trigger)).toHaveLength(round);
		}
	});
});
