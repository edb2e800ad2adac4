import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { type Part, readDelivery } from '../../../nodes/PageAudienceTrigger/delivery/delivery.ts';
import { divide, toDeliveryItems } from '../../../nodes/PageAudienceTrigger/delivery/output.ts';

type DeliveryRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

const token = 'a1'.repeat(32);

/** A delivery of JSON, as n8n has parsed it, or of text. */
function read(body: unknown, headers: IDataObject = {}, sent: unknown = JSON.stringify(body)) {
	const rawBody = Buffer.from(sent as string);
	const request: object = { body, rawBody, headers, query: { token, page: '7' } };
	return readDelivery(request as DeliveryRequest);
}

const kindsOf = (body: unknown, headers?: IDataObject) =>
	read(body, headers).parts.map(({ kind }) => kind);

describe('the event', () => {
	test.each<[body: unknown, headers: IDataObject, kind: string | null]>([
		[{ type: 'form.enriched' }, {}, 'form.enriched'],
		[{ event: 'form.enriched' }, {}, 'form.enriched'],
		[{ eventType: 'form.enriched' }, {}, 'form.enriched'],
		[{ event_type: 'form.enriched' }, {}, 'form.enriched'],
		[{ kind: 'form.enriched' }, {}, 'form.enriched'],
		[{ topic: 'form.enriched' }, {}, 'form.enriched'],
		[{ type: 'form.enriched', kind: 'form.enriched' }, { c: 'form.enriched' }, 'form.enriched'],
		[{ type: 'form.enriched' }, { c: 'form.submitted' }, null],
		[{ type: 'form.enriched', event: 'form.submitted' }, {}, null],
		// A visitor may have typed what is under any other name.
		[{ message: 'form.enriched' }, {}, null],
		[{ type: 'form.enriched', message: 'form.submitted' }, {}, 'form.enriched'],
		[{ data: { type: 'form.enriched' } }, {}, null],
		['form.enriched', {}, null],
		[null, {}, null],
		[{ type: ['form.enriched'] }, {}, null],
		[{ type: 'FORM.ENRICHED', kind: ' form.enriched' }, {}, null],
		[{ type: 'toString', kind: '__proto__' }, {}, null],
		['', { 'x-event': 'page.version.created' }, 'page.version.created'],
		['', { 'x-event': ['page.version.created'] }, null],
	])('of %j with %j is %s', (body, headers, kind) => {
		expect(kindsOf(body, headers)).toEqual([kind]);
	});

	test('of each entry of a list agrees with a header, or is unknown', () => {
		const body = [{ type: 'form.submitted' }, { type: 'form.enriched' }, { a: 1 }, 'x'];
		expect(kindsOf(body)).toEqual(['form.submitted', 'form.enriched', null, null]);
		const kinds = [null, 'form.enriched', 'form.enriched', 'form.enriched'];
		expect(kindsOf(body, { 'x-event': 'form.enriched' })).toEqual(kinds);
	});

	test('leaves by its output, or by the last one', () => {
		const body = [{ a: 1 }, { type: 'form.submitted' }, { type: 'form.enriched' }];
		const { parts } = read(body);
		const [none, submitted, enriched] = parts;
		expect(divide(parts, [])).toEqual([parts]);
		expect(divide(parts, ['form.submitted'])).toEqual([[submitted], [none, enriched]]);
		expect(divide([none], ['form.enriched', 'form.submitted'])).toEqual([[], [], [none]]);
	});
});

describe('the payload', () => {
	/** As n8n parses it: JSON of exactly that type, and text. */
	const [asJson, unread] = [(text: string) => JSON.parse(text) as unknown, () => undefined];

	test.each<[text: string, parse: (text: string) => unknown, json: unknown[]]>([
		['{"a":{"b":[1]}}', asJson, [{ a: { b: [1] } }]],
		['[{"a":1},2,null,[3]]', asJson, [{ a: 1 }, { value: 2 }, { value: null }, { value: [3] }]],
		['[]', asJson, [{ value: [] }]],
		['{}', asJson, [{}]],
		['5', asJson, [{ rawBody: '5' }]],
		['null', asJson, [{ rawBody: 'null' }]],
		['"x"', asJson, [{ rawBody: '"x"' }]],
		['', unread, [{}]],
		['Zoë', String, [{ rawBody: 'Zoë' }]],
		['{"a":1}', String, [{ a: 1 }]],
		[' [{"a":1}]', unread, [{ a: 1 }]],
		['{a', unread, [{ rawBody: '{a' }]],
		['{"__proto__":1}', asJson, [{ ['__proto__']: 1 }]],
		// As n8n's parser of XML makes objects.
		['<a>1</a>', () => Object.assign(Object.create(null) as object, { a: '1' }), [{ a: '1' }]],
	])('of the text %j is read, or kept as it is', (text, parse, json) => {
		const delivery = read(parse(text), {}, text);
		const [items] = toDeliveryItems('payload', [delivery.parts], delivery);
		expect(items.map((item) => item.json)).toEqual(json);
		for (const item of items) expect(item.json).toBeInstanceOf(Object);
		const [[details]] = toDeliveryItems('details', [delivery.parts], delivery);
		expect(details.json.rawBody).toBe(text);
	});

	test('of what is no text is in base64, without the token', () => {
		const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(token)]);
		const delivery = read(undefined, {}, bytes);
		const [[{ json }]] = toDeliveryItems('payload', [delivery.parts], delivery);
		expect(json).toEqual({ rawBody: Buffer.from([0, 255, 42, 42, 42]).toString('base64') });
	});

	test('of a multipart form is known by its parts', () => {
		const request: object = { headers: {}, query: { token } };
		const readForm = (content: IDataObject, size = 1) =>
			readDelivery(request as DeliveryRequest, { content, files: [{ name: 'cv', size }] });
		const payload = { type: 'form.enriched' };
		const parts = [{ content: { a: '***', payload }, kind: 'form.enriched' }];
		const form = readForm({ a: token, payload });
		expect(form).toMatchObject({ text: '', bytes: undefined });
		expect(form.parts).toEqual(parts);
		const keys = [
			readForm({ a: 1 }),
			readForm({ a: 1 }),
			readForm({ a: 2 }),
			readForm({ a: 1 }, 2),
		];
		const [key, same, ...others] = keys.map(({ deliveryKey }) => deliveryKey);
		expect(same).toBe(key);
		expect(others).not.toContain(key);
	});
});

describe('the items', () => {
	type Choose = (parts: Part[]) => Part[][];
	const make = (output: 'payload' | 'details', body: unknown, choose: Choose) => {
		const delivery = read(body);
		const outputs = toDeliveryItems(output, choose(delivery.parts), delivery);
		return { delivery, json: outputs.map((items) => items.map((item) => item.json)) };
	};

	test('of a list are divided, without the token', () => {
		const body = [{ a: token }, { b: 2 }, 3];
		const choose = ([a, b, c]: Part[]) => [[b], [], [a, c]];
		const payload = make('payload', body, choose);
		expect(payload.json).toEqual([[{ b: 2 }], [], [{ a: '***' }, { value: 3 }]]);
		const [[first], none, [last]] = make('details', body, choose).json;
		expect(none).toEqual([]);
		expect([first.body, last.body]).toEqual([[{ b: 2 }], [{ a: '***' }, 3]]);
		expect([first.rawBody, first.query]).toEqual([last.rawBody, { page: '7' }]);
	});

	test('have a key each, which is that of the delivery if there is one item', () => {
		const body = [{ type: 'form.submitted' }, { type: 'form.enriched' }, {}];
		const { delivery, json } = make('details', body, (parts) => [[], parts]);
		const { deliveryKey } = delivery;
		expect(json).toMatchObject([[], [{ eventKind: null, deliveryKey }]]);
		const divided = make('details', body, (parts) => parts.map((part) => [part])).json.flat();
		expect(new Set([...divided.map((item) => item.deliveryKey), deliveryKey]).size).toBe(4);
	});
});

describe('the key of a delivery', () => {
	const keyOf = (text: string, headers?: IDataObject) => read('', headers, text).deliveryKey;

	test.each([
		['{"a":1}', '{"a":1}', true],
		['{"a":1}', '{ "a":1}', false],
		['{"id":9007199254740993}', '{"id":9007199254740992}', false],
	])('of %s and %s is the same: %s', (one, other, same) => {
		expect(keyOf(one) === keyOf(other)).toBe(same);
	});

	test('differs for events that only a header tells, whatever the order of the headers', () => {
		const [created, published] = ['page.version.created', 'page.version.published'];
		expect(keyOf('x', { a: created })).not.toBe(keyOf('x', { a: published }));
		const both = keyOf('x', { a: created, b: published });
		expect(keyOf('x', { a: published, b: created })).toBe(both);
	});
});

/** The headers that an item of details has. */
function keepHeaders(names: string[]): string[] {
	const delivery = read({ a: 1 }, Object.fromEntries(names.map((name) => [name, 'x'])));
	const [[{ json }]] = toDeliveryItems('details', [delivery.parts], delivery);
	return Object.keys(json.headers as object);
}

test.each([
	...['authorization', 'X-Forwarded-Authorization', 'cookie', 'cookie2', 'x-auth', 'x-jwt'],
	...['cf-access-jwt-assertion', 'cf-access-authenticated-user-email', 'x-goog-iap-jwt-assertion'],
	...['x-amzn-oidc-data', 'x-oidc-data', 'x-ms-client-principal', 'x-principal', 'apikey'],
	...['x-api-key', 'x_api_key_v2', 'x-webhook-secret', 'x-forwarded-client-cert', 'client_cert'],
	...['x-passwd', 'x-password', 'x-saml-assertion', 'x-token', 'x-goog-authenticated-user-email'],
])('the header %s is a secret', (name) =>
	expect(keepHeaders([name, 'x-other'])).toEqual(['x-other']),
);

test('other headers are none', () => {
	const names = [
		...['x-signature', 'x-hub-signature-256', 'x-author', 'x-cf-access-log', 'a-x-goog-iap-x'],
		...['x-goog-iapetus', 'myapi-key', 'api-keys', 'content-type'],
	];
	expect(keepHeaders(names)).toEqual(names);
});
