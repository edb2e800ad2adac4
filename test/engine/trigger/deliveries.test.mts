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
		const isWrong = /^\?token=[aA]{64}$/.test(query);
		const reason = isWrong ? 'The token is not the registered one' : 'The request carried no token';
		expect([status, data]).toEqual([401, { started: false, reason }]);
		expect(scene.host.executions).toEqual([]);
		expect(scene.host.log.join()).toMatch('rejected a delivery (401), because it');
		expect(scene.host.log.join()).toContain(
			isWrong ? 'is not that of the registered URL' : 'had no token',
		);
		expect(scene.host.log.join().includes('removes the query of the URL')).toBe(query === '');
		expect(scene.asked).toEqual([]);
	});

	test('of another trigger is rejected', async () => {
		const first = await publish();
		const second = scene.trigger(scene.subscription({ active: false }, 3));
		await second.publish();
		const { token } = Object.fromEntries(new URL(first.url).searchParams);
		expect(await scene.deliver(first.url, {})).toBe(200);
		expect(await scene.deliver(`${second.productionUrl}?token=${token}`, {})).toBe(401);
	});

	test('that is wrong writes a line once a minute, however many arrive', async () => {
		const { trigger } = await publish();
		const wrong = (letter: string) => `${trigger.productionUrl}?token=${letter.repeat(64)}`;
		const statuses = await Promise.all(
			[...'abcdef0123'].map(async (letter) => await scene.deliver(wrong(letter), {})),
		);
		expect(new Set(statuses)).toEqual(new Set([401]));
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
		expect(scene.asked).toEqual([]);
		expect(scene.host.log).toEqual([]);
	});

	test('that is registered needs no credential: n8n starts an isolate for each that is read', async () => {
		const { trigger, url } = await publish();
		trigger.credential = { baseUrl: 'not an address', apiKey: '' };
		expect(await scene.deliver(url, {})).toBe(200);
		const wrong = `${trigger.productionUrl}?token=${'a'.repeat(64)}`;
		expect(await scene.deliver(wrong, {})).toBe(503);
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
		trigger.staticData = {};
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

	test('counts although the Test Subscription does not exist', async () => {
		const { url } = await publish({ testSubscriptionId: 'subscription_gone' });
		expect(await scene.deliver(url, {})).toBe(200);
	});

	test("of a registered URL that is not this trigger's is rejected", async () => {
		const { trigger } = await publish();
		const token = 'b'.repeat(64);
		scene.subscription({ url: `https://example.com/webhook/${trigger.id}/webhook?token=${token}` });
		expect(await scene.deliver(`${trigger.productionUrl}?token=${token}`, {})).toBe(401);
	});

	test('is not needed with Verify Token off', async () => {
		const { trigger, url } = await publish({ verifyToken: false });
		expect(url).toBe(trigger.productionUrl);
		expect(await scene.deliver(url, { a: 1 })).toBe(200);
	});

	test('cannot be checked without a key', async () => {
		const { trigger, url } = await publish();
		trigger.staticData = {};
		trigger.credential = { ...trigger.credential, apiKey: ' ' };
		expect(await scene.deliver(url, {})).toBe(503);
		expect(scene.host.log.join()).toContain('The API Key in the credential is empty');
	});
});

describe('a check', () => {
	const check = { 'content-type': 'application/json', 'x-page-audience-check': '1' };

	test('is accepted with the token, and starts nothing', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		const { status, data } = await scene.send(url, {}, check);
		expect([status, data]).toEqual([200, { started: false, reason: 'This is a check' }]);
		expect(scene.host.executions).toEqual([]);
		expect((await scene.send(url, {})).data).toEqual({ started: true });
	});

	test('finds that the query is lost', async () => {
		const { trigger } = await publish();
		const { status, data } = await scene.send(trigger.productionUrl, {}, check);
		expect([status, data.reason]).toEqual([401, 'The request carried no token']);
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

describe('a delivery during a test run that added an event', () => {
	/** What started, as `webhook form.submitted`. */
	async function send(body: unknown) {
		const { subscription, trigger } = await publish();
		trigger.parameters = { ...trigger.parameters, events: ['form.submitted', 'form.enriched'] };
		await trigger.listen();
		const { data } = await scene.send(subscription.url, body);
		await until(() => scene.host.executions.some(({ mode }) => mode === 'manual'));
		await scene.host.settle();
		return { data, modes: scene.host.executions.map(({ mode }) => mode).sort() };
	}

	test.each([
		['of a published event', { event: 'form.submitted' }],
		['of an unknown event', { a: 1 }],
	])('%s starts production and the test run', async (_, body) => {
		expect(await send(body)).toEqual({ data: { started: true }, modes: ['manual', 'webhook'] });
	});

	test('of the added event starts only the test run', async () => {
		expect(await send({ event: 'form.enriched' })).toEqual({
			data: { started: false, reason: 'This event was not chosen' },
			modes: ['manual'],
		});
		expect(scene.host.log).toEqual([]);
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
			'what is no text, in base64',
			Buffer.from([0, 255, 1, 254]),
			type('application/octet-stream'),
			[{ rawBody: 'AP8B/g==' }],
		],
		[
			'a form with a part that is JSON',
			`a=1&payload=${encodeURIComponent('{"event":"form.submitted","data":{"b":1}}')}`,
			type('application/x-www-form-urlencoded'),
			[{ a: '1', payload: { event: 'form.submitted', data: { b: 1 } } }],
		],
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
			'Options > Output Format: Payload (the default)',
			'Options > Output Format: Details',
		]);
		const { properties = {} } = detailsSchema;
		expect(Object.keys(properties)).toEqual(detailsSchema.required);
		expect(properties.eventKind.enum).toEqual([...eventKinds.map(({ value }) => value), null]);
	});

	test('hold everything except secrets', async () => {
		const { url } = await publish({ output: 'details' });
		const { token } = Object.fromEntries(new URL(url).searchParams);
		await scene.deliver(
			`${url}&back=7b7d&test=/x&page=7`,
			{ event: 'form.submitted', url },
			{
				'content-type': 'application/json',
				authorization: 'Bearer x',
				cookie: 'a=b',
				'proxy-authorization': 'Basic x',
				referer: url,
				'x-forwarded-uri': `${new URL(url).pathname}?token=${token}&page=7`,
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
			body: { event: 'form.submitted', url: url.replace(token, '***') },
			headers: { 'x-signature': 'abc' },
			query: { page: '7' },
			eventKind: 'form.submitted',
			deliveryKey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		});
		expect(new Date(String(details.receivedAt)).toISOString()).toBe(details.receivedAt);
		expect(Object.keys(details.query as object)).toEqual(['page']);
		const seen = JSON.stringify(details);
		for (const secret of [token, 'Bearer', 'a=b', 'Basic', '7b7d', 'jwt-', 'key-1'])
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

	test('are dropped with 200 if their bytes are the same', async () => {
		const { url } = await publish({ duplicates: 'drop', output: 'details' });
		const bodies = ['{"a":1,"b":2}', '{"a":1,"b":2}', '{"a":1,"b":3}'];
		const statuses = [];
		for (const body of bodies) statuses.push(await scene.deliver(url, body));
		expect(statuses).toEqual([200, 200, 200]);
		expect(scene.host.executions).toHaveLength(2);
		expect(json(0)[0].deliveryKey).not.toBe(json(1)[0].deliveryKey);
	});

	test('are none if a header names another event', async () => {
		const { url } = await publish({ duplicates: 'drop' }, ['form.submitted', 'form.enriched']);
		for (const event of ['form.submitted', 'form.enriched'])
			await scene.deliver(url, '{}', { 'content-type': 'application/json', 'x-event': event });
		expect(scene.host.executions).toHaveLength(2);
	});

	test('are forgotten after 24 hours', async () => {
		const { url } = await publish({ duplicates: 'drop' });
		for (const hours of [0, 23, 2]) {
			scene.pass(hours * 3_600_000);
			await scene.deliver(url, { a: 1 });
		}
		expect(scene.host.executions).toHaveLength(2);
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
