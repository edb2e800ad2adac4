import { brotliCompressSync } from 'node:zlib';
import { keepEndToEnd } from '../../../nodes/PageAudienceTrigger/delivery/copies/send.ts';
import {
	countWindows,
	isDuplicate,
	makeDeliveryKey,
	Window,
} from '../../../nodes/PageAudienceTrigger/delivery/duplicates.ts';
import { recognizeKind } from '../../../nodes/PageAudienceTrigger/delivery/kinds.ts';
import { toItems } from '../../../nodes/PageAudienceTrigger/delivery/output.ts';
import {
	divide,
	type Part,
	readParts,
	readSharedKind,
} from '../../../nodes/PageAudienceTrigger/delivery/parts.ts';
import { isSecret } from '../../../nodes/PageAudienceTrigger/delivery/redaction.ts';
import {
	isSameToken,
	isTokenLike,
	makeToken,
	sign,
} from '../../../nodes/PageAudienceTrigger/subscription/signature.ts';

describe('the token', () => {
	test('is the HMAC-SHA256 over webhook and subscription, in lower-case hexadecimal digits', () => {
		// printf %s 'hook:subscription' | openssl dgst -sha256 -hmac key
		expect(makeToken('key', 'hook', 'subscription')).toBe(
			'c59d6266af0eb51fa1fdd41d1848c9d623578393f0fe51ee99aa67cf678d5b2d',
		);
	});

	test.each([
		['key2', 'hook', 'subscription'],
		['key', 'hook2', 'subscription'],
		['key', 'hook', 'subscription2'],
	])('differs by key, webhook and subscription: %s %s %s', (...parts) => {
		expect(makeToken(...parts)).not.toBe(makeToken('key', 'hook', 'subscription'));
	});

	test('differs from signatures, and those by their purpose', () => {
		const all = [
			makeToken('key', 'a', 'b'),
			sign('key', 'copy', 'a:b'),
			sign('key', 'test', 'a:b'),
		];
		expect(new Set(all).size).toBe(3);
	});

	test('is compared whatever the lengths', () => {
		expect(isSameToken('a', 'a')).toBe(true);
		for (const other of ['', 'b', 'aa', 'a\0', 'a'.repeat(1e6)])
			expect(isSameToken('a', other)).toBe(false);
	});

	test.each([
		undefined,
		null,
		1,
		[],
		['a'.repeat(64)],
		{},
		'',
		'a'.repeat(63),
		'a'.repeat(65),
		'A'.repeat(64),
		`${'a'.repeat(63)}g`,
		`${'a'.repeat(64)}\n`,
		'a',
		'a'.repeat(42),
		'a'.repeat(44),
	])('cannot be %j', (value) => {
		expect(isTokenLike(value)).toBe(false);
	});

	test.each([
		['as this version writes it', '09af'.repeat(16)],
		['as version 0.1.0 wrote it', `${'Az09_-'.repeat(7)}x`],
	])('may be %s', (_, value) => {
		expect(isTokenLike(value)).toBe(true);
	});
});

describe('the kind', () => {
	test.each([
		[{ type: 'form.enriched' }, {}, 'form.enriched'],
		[{ event: 'form.enriched' }, {}, 'form.enriched'],
		[{ eventType: 'form.enriched' }, {}, 'form.enriched'],
		[{ event_type: 'form.enriched' }, {}, 'form.enriched'],
		[{ kind: 'form.enriched' }, {}, 'form.enriched'],
		[{ topic: 'form.enriched' }, {}, 'form.enriched'],
		[{ type: 'form.enriched', kind: 'form.enriched' }, { c: 'form.enriched' }, 'form.enriched'],
		[{ type: 'form.enriched' }, { c: 'form.submitted' }, null],
		[{ type: 'form.enriched', event: 'form.submitted' }, {}, null],
		// A visitor may have typed what stands under any other name.
		[{ message: 'form.enriched' }, {}, null],
		[{ type: 'form.enriched', message: 'form.submitted' }, {}, 'form.enriched'],
		[{ name: 'form.enriched' }, {}, null],
		[{ action: 'form.enriched', email: 'a@example.com' }, {}, null],
		[{ name: 'form.enriched', data: {} }, {}, 'form.enriched'],
		[{ action: 'form.enriched', items: [] }, {}, 'form.enriched'],
		[{ name: 'form.enriched', data: null }, {}, null],
		['form.enriched', {}, null],
		[['form.enriched'], {}, null],
		[null, {}, null],
		[{ type: ['form.enriched'] }, {}, null],
		[{ type: 'FORM.ENRICHED', kind: ' form.enriched' }, {}, null],
		[{ type: 'toString', kind: '__proto__' }, {}, null],
		[Object.create({ type: 'form.enriched' }), {}, null],
		[undefined, { 'x-event': 'page.version.created' }, 'page.version.created'],
		[undefined, { 'x-event': ['page.version.created'] }, null],
	])('of %j with %j is %s', (body: unknown, headers, kind) => {
		expect(recognizeKind({ body, headers })).toBe(kind);
	});
});

describe('the parts of a delivery', () => {
	const enriched = { type: 'form.enriched' };
	const submitted = { type: 'form.submitted' };
	const unknown = { a: 1 };
	const kindsOf = (body: unknown, headers = {}) =>
		readParts({ body, headers }).map(({ kind }) => kind);

	test.each<[string, unknown, unknown[]]>([
		['an object', submitted, [submitted]],
		['a list', [submitted, 'x', null, [1]], [submitted, 'x', null, [1]]],
		['an empty list', [], [[]]],
		['text', 'x', ['x']],
		['nothing', undefined, [undefined]],
	])('of %s are its events', (_, body, contents) => {
		expect(readParts({ body, headers: {} }).map(({ content }) => content)).toEqual(contents);
	});

	test('have kinds of their own, which agree with a header or are unknown', () => {
		const body = [submitted, enriched, unknown, 'x'];
		expect(kindsOf(body)).toEqual(['form.submitted', 'form.enriched', null, null]);
		const headers = { 'x-event': 'form.enriched' };
		const kinds = [null, 'form.enriched', 'form.enriched', 'form.enriched'];
		expect(kindsOf(body, headers)).toEqual(kinds);
	});

	test.each<[string, unknown[], string | null]>([
		['the same kind', [submitted, submitted], 'form.submitted'],
		['several kinds', [submitted, enriched], null],
		['one of an unknown kind', [submitted, unknown], null],
		['none of a known kind', [unknown, unknown], null],
	])('share a kind only if they are of %s', (_, body, kind) => {
		expect(readSharedKind(readParts({ body, headers: {} }))).toBe(kind);
	});

	test('leave by the output of their kind, or by the last one', () => {
		const parts = readParts({ body: [unknown, submitted, enriched, submitted], headers: {} });
		const [none, first, second, third] = parts;
		expect(divide(parts, [])).toEqual([parts]);
		expect(divide(parts, ['form.submitted'])).toEqual([
			[first, third],
			[none, second],
		]);
		expect(divide([none], ['form.enriched', 'form.submitted'])).toEqual([[], [], [none]]);
	});
});

describe('the items', () => {
	const token = 'a'.repeat(64);
	const told = { charset: 'utf8', isJson: false, headers: {}, query: {} } as const;
	const make = (output: 'payload' | 'details', body: unknown, outputs?: Part[][]) => {
		const text = body === undefined || typeof body === 'object' ? '' : String(body);
		const parts = readParts({ body, headers: {} });
		return toItems(output, outputs ?? [parts], { ...told, body, text }, [token]).map((items) =>
			items.map(({ json }) => json),
		);
	};

	test('of a body without text are the body', () => {
		const body = { data: { a: 1 }, files: {} };
		expect(make('payload', body)).toEqual([[body]]);
		expect(make('payload', { data: [`x${token}`] })).toEqual([[{ data: ['x***'] }]]);
	});

	test('of a list are divided', () => {
		const body = [{ a: token }, { b: 2 }, 3];
		const [a, b, c] = readParts({ body, headers: {} });
		expect(make('payload', body, [[b], [], [a, c]])).toEqual([
			[{ b: 2 }],
			[],
			[{ a: '***' }, { value: 3 }],
		]);
		const [[first], none, [last]] = make('details', body, [[b], [], [a, c]]);
		expect(none).toEqual([]);
		expect([first.body, last.body]).toEqual([[{ b: 2 }], [{ a: '***' }, 3]]);
		expect([first.rawBody, first.receivedAt]).toEqual([last.rawBody, last.receivedAt]);
	});

	test('have a key each, which is that of the delivery if there is one item', () => {
		const body = [{ type: 'form.submitted' }, { type: 'form.enriched' }, {}];
		const parts = readParts({ body, headers: {} });
		const keysOf = (outputs: Part[][]) =>
			make('details', body, outputs).flatMap((items) => items.map((item) => item.deliveryKey));
		const key = makeDeliveryKey({ ...told, body, text: '' });
		expect(keysOf([[], parts])).toEqual([key]);
		const divided = parts.map((part) => [part]);
		expect(new Set([...keysOf(divided), key]).size).toBe(4);
		expect(keysOf(divided)).toEqual(keysOf(divided));
	});
});

describe('the fingerprint', () => {
	const print = (text: string) =>
		makeDeliveryKey({ body: JSON.parse(text) as unknown, text, isJson: true, headers: {} });
	const printBytes = (bytes: Buffer) =>
		makeDeliveryKey({
			body: bytes.toString(),
			text: bytes.toString(),
			bytes,
			isJson: false,
			headers: {},
		});

	test('differs for kinds that only a header tells', () => {
		const body = { pageId: 'p' };
		const keys = ['page.version.created', 'page.version.published'].map((kind) =>
			makeDeliveryKey({
				body,
				text: JSON.stringify(body),
				isJson: true,
				headers: { 'x-event': kind, 'x-request-id': kind },
			}),
		);
		expect(new Set(keys).size).toBe(2);
	});

	test('is the same whatever the order of the headers that tell kinds', () => {
		const [one, other] = [
			{ 'x-event': 'page.version.created', 'x-topic': 'form.enriched' },
			{ 'x-topic': 'form.enriched', 'x-event': 'page.version.created' },
		].map((headers) => makeDeliveryKey({ body: 'x', text: 'x', isJson: false, headers }));
		expect(one).toBe(other);
	});

	test.each([
		['{"a":1,"b":[{"c":1,"d":2}]}', '{ "b":[{"d":2.0,"c":1}], "a":1 }'],
		['{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
		['"x"', ' "x" '],
		['{"id":"2026-01-01T00:00:00.000Z"}', '{ "id": "2026-01-01T00:00:00.000Z" }'],
		[
			'{"id":"0b3e4d5a-1111-4222-8333-444455556666","n":1}',
			'{"n":1.0,"id":"0b3e4d5a-1111-4222-8333-444455556666"}',
		],
		[
			'{"1234567890123456":"4111 1111 1111 1111","a":1}',
			'{"a":1,"1234567890123456":"4111 1111 1111 1111"}',
		],
		['["12345678901234567890\\"1e5\\\\",1]', '[ "12345678901234567890\\"1e5\\\\", 1 ]'],
	])('of %s and %s is the same', (one, other) => {
		expect(print(one)).toBe(print(other));
	});

	test.each([
		['[1,2]', '[2,1]'],
		['{"a":1}', '{"a":"1"}'],
		['{"a":null}', '{}'],
		['{"__proto__":1}', '{}'],
		['{}', '[]'],
		['"[]"', '[]'],
		['9007199254740993', '9007199254740992'],
		['{"id":9007199254740993}', '{"id":9007199254740992}'],
		['{"\\\\":9007199254740993,"a":""}', '{"\\\\":9007199254740992,"a":""}'],
		['["\\"",9007199254740993,"\\""]', '["\\"",9007199254740992,"\\""]'],
		['[0.1000000000000000055]', '[0.1000000000000000056]'],
		['[1e400]', '[1e401]'],
		['[1e400]', '[null]'],
		['["\ufffd"]', '["\ufffd" ]'],
	])('of %s and %s differs', (one, other) => {
		expect(print(one)).not.toBe(print(other));
	});

	test('of two bodies of undecodable bytes differs', () => {
		expect(printBytes(Buffer.from([0xff]))).not.toBe(printBytes(Buffer.from([0xfe])));
		expect(printBytes(Buffer.from([0xff]))).toBe(printBytes(Buffer.from([0xff])));
	});

	test('of two bodies that stay compressed differs', () => {
		const printPacked = (content: string) =>
			makeDeliveryKey({
				body: '',
				text: '',
				bytes: brotliCompressSync(content),
				isJson: false,
				headers: {},
			});
		expect(printPacked('a')).not.toBe(printPacked('b'));
		expect(printPacked('a')).toBe(printPacked('a'));
	});
});

describe('the window of duplicates', () => {
	const day = 24 * 60 * 60_000;

	test('forgets after 24 hours', () => {
		const window = new Window();
		expect(window.isRepeat('a', 0)).toBe(false);
		expect(window.isRepeat('a', day - 1)).toBe(true);
		expect(window.isRepeat('a', day)).toBe(false);
	});

	test('holds the last 1,000', () => {
		const window = new Window();
		for (let i = 0; i < 1_000; i++) window.isRepeat(`k${i}`, i);
		expect(window.isRepeat('k0', 1_000)).toBe(true);
		window.isRepeat('k1000', 1_000);
		expect(window.isRepeat('k1', 1_001)).toBe(true);
		expect(window.isRepeat('k0', 1_001)).toBe(false);
	});

	test('of another trigger is freed once it is over', () => {
		const start = 1_000 * day;
		isDuplicate('freed', 'a', start);
		const before = countWindows();
		isDuplicate('next', 'a', start + day - 1);
		expect(countWindows()).toBe(before + 1);
		isDuplicate('last', 'a', start + 2 * day);
		expect(countWindows()).toBe(1);
		expect(isDuplicate('freed', 'a', start + 2 * day)).toBe(false);
	});

	test('is one per trigger, also for prototype names', () => {
		expect(isDuplicate('__proto__', 'constructor', 0)).toBe(false);
		expect(isDuplicate('toString', 'constructor', 0)).toBe(false);
		expect(isDuplicate('__proto__', 'constructor', 1)).toBe(true);
	});
});

test('passes on only end-to-end headers', () => {
	expect(
		keepEndToEnd({
			Host: 'a',
			connection: 'close, X-One',
			'x-one': '1',
			'content-length': '5',
			'content-encoding': 'gzip',
			'transfer-encoding': 'chunked',
			'x-forwarded-for': '1.2.3.4',
			forwarded: 'for=1.2.3.4',
			'x-signature': 's',
			authorization: 'Bearer x',
			'content-type': 'application/json',
		}),
	).toEqual({ 'x-signature': 's', authorization: 'Bearer x', 'content-type': 'application/json' });
});

test.each([
	...['Connection', 'Content-Length', 'Expect', 'Host', 'Keep-Alive', 'Proxy-Authenticate'],
	...['Proxy-Authorization', 'Proxy-Connection', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'],
	...['Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Proto', 'CF-Access-Client-Id'],
	...['X-Goog-IAP-JWT-Assertion', 'X-Goog-Authenticated-User-Email', 'X-Amzn-OIDC-Identity'],
	...['X-MS-Token', 'X-MS-Token-AAD-Id', 'X-MS-Client-Principal', 'X-MS-Client-Principal-Name'],
	...['X-Auth-Request-User', 'X-Pomerium-Claim-Email', 'X-Authentik-Name', 'X-Vouch-User'],
	...['Tailscale-User-Login', 'Remote-User', 'Remote-Groups', 'Remote-Name', 'Remote-Email'],
])('the header %s is about the way to this n8n, and is not in a copy', (name) => {
	const headers = { [name]: 'x', 'content-type': 'text/plain' };
	expect(keepEndToEnd(headers)).toEqual({ 'content-type': 'text/plain' });
});

test.each([
	...['x-via', 'via-x', 'x-forwarded', 'forwarded-x', 'x-real-ip-2', 'hosted', 'x-host', 'x-te'],
	...['remote-userx', 'remote-host', 'x-remote-user', 'x-ms-tokens', 'x-ms-request-id'],
	...['x-goog-channel-id', 'x-goog-iap', 'x-amzn-trace-id', 'content-encoding', 'link'],
])('the header %s is in a copy', (name) => {
	const headers = { [name]: 'br', 'content-type': 'text/plain' };
	expect(keepEndToEnd(headers)).toEqual(headers);
});

test.each([
	['authorization', true],
	['X-Forwarded-Authorization', true],
	['cookie', true],
	['cf-access-jwt-assertion', true],
	['cf-access-authenticated-user-email', true],
	['x-goog-iap-jwt-assertion', true],
	['x-amzn-oidc-data', true],
	['x-ms-client-principal', true],
	['x-api-key', true],
	['x_api_key_v2', true],
	['x-webhook-secret', true],
	['x-forwarded-client-cert', true],
	['client_cert', true],
	['apikey', true],
	['cookie2', true],
	['x-auth', true],
	['x-jwt', true],
	['x-oidc-data', true],
	['x-passwd', true],
	['x-password', true],
	['x-principal', true],
	['x-saml-assertion', true],
	['x-token', true],
	['x-goog-authenticated-user-email', true],
	['x-signature', false],
	['x-hub-signature-256', false],
	['x-author', false],
	['x-cf-access-log', false],
	['a-x-goog-iap-x', false],
	['x-goog-iapetus', false],
	['myapi-key', false],
	['api-keys', false],
	['content-type', false],
])('the header %s is a secret: %s', (name, secret) => {
	expect(isSecret(name)).toBe(secret);
});
