import type { IWebhookFunctions } from 'n8n-workflow';
import { forwardToKept, keepEndToEnd } from '../../../nodes/PageAudienceTrigger/delivery/copies.ts';
import {
	isDuplicate,
	makeFingerprint,
	Window,
} from '../../../nodes/PageAudienceTrigger/delivery/duplicates.ts';
import { recognizeKind } from '../../../nodes/PageAudienceTrigger/delivery/kinds.ts';
import { toPayload } from '../../../nodes/PageAudienceTrigger/delivery/output.ts';
import {
	isSameToken,
	isTokenLike,
} from '../../../nodes/PageAudienceTrigger/delivery/verifyToken.ts';
import { makeToken } from '../../../nodes/PageAudienceTrigger/registration/registeredUrl.ts';

describe('the token', () => {
	test('is base64url of the HMAC-SHA256 over webhook and subscription', () => {
		// printf %s 'hook:subscription' | openssl dgst -sha256 -hmac key -binary | basenc --base64url, without its padding
		expect(makeToken('key', 'hook', 'subscription')).toBe(
			'xZ1iZq8OtR-h_dQdGEjJ1iNXg5Pw_lHumapnz2eNWy0',
		);
	});

	test.each([
		['key2', 'hook', 'subscription'],
		['key', 'hook2', 'subscription'],
		['key', 'hook', 'subscription2'],
	])('differs by key, webhook and subscription: %s %s %s', (...parts) => {
		expect(makeToken(...parts)).not.toBe(makeToken('key', 'hook', 'subscription'));
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
		['a'.repeat(43)],
		{},
		'',
		'a'.repeat(42),
		'a'.repeat(44),
		`${'a'.repeat(42)}+`,
		`${'a'.repeat(43)}\n`,
	])('cannot be %j', (value) => {
		expect(isTokenLike(value)).toBe(false);
	});
});

describe('the kind', () => {
	test.each([
		[{ type: 'form.enriched' }, {}, 'form.enriched'],
		[{ a: 'form.enriched', b: 'form.enriched' }, { c: 'form.enriched' }, 'form.enriched'],
		[{ a: 'form.enriched' }, { c: 'form.submitted' }, null],
		['form.enriched', {}, null],
		[['form.enriched'], {}, null],
		[null, {}, null],
		[{ a: ['form.enriched'] }, {}, null],
		[{ a: 'FORM.ENRICHED', b: ' form.enriched' }, {}, null],
		[{ a: 'toString', b: '__proto__' }, {}, null],
		[undefined, { 'x-event': 'page.version.created' }, 'page.version.created'],
		[undefined, { 'x-event': ['page.version.created'] }, null],
	])('of %j with %j is %s', (body, headers, kind) => {
		expect(recognizeKind({ body, headers })).toBe(kind);
	});
});

test('a body without text is taken as it is', () => {
	const delivery = {
		body: { data: { a: 1 }, files: {} },
		text: '',
		method: 'POST',
		headers: {},
		query: {},
		rawQuery: '',
	};
	expect(toPayload(delivery, ['t'])).toEqual([{ json: { data: { a: 1 }, files: {} } }]);
});

describe('the fingerprint', () => {
	const print = (text: string) => makeFingerprint({ body: JSON.parse(text) as unknown, text });

	test.each([
		['{"a":1,"b":[{"c":1,"d":2}]}', '{ "b":[{"d":2.0,"c":1}], "a":1 }'],
		['{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
		['"x"', ' "x" '],
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
	])('of %s and %s is not', (one, other) => {
		expect(print(one)).not.toBe(print(other));
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

	test('is one per trigger, and takes prototype names', () => {
		expect(isDuplicate('__proto__', 'constructor', 0)).toBe(false);
		expect(isDuplicate('toString', 'constructor', 0)).toBe(false);
		expect(isDuplicate('__proto__', 'constructor', 1)).toBe(true);
	});
});

test('nothing is forwarded to the trigger itself', () => {
	const sent: string[] = [];
	const context = {
		helpers: {
			httpRequest: async ({ url }: { url: string }) => {
				sent.push(url);
				return await Promise.resolve({ statusCode: 200 });
			},
		},
	} as unknown as IWebhookFunctions;
	const origin = 'https://n8n.example';
	const path = '/webhook/abc/webhook';
	const own = { href: origin + path, origin, path, id: 'abc', tail: '/abc/webhook', isTest: false };
	const delivery = { body: {}, text: '', method: 'POST', headers: {}, query: {}, rawQuery: '' };
	const told = { kind: null, tokens: [] };
	for (const url of [
		`${origin}${path}?x=1`,
		`${origin}/webhook-test/abc/webhook`,
		`${origin}/webhook/x/webhook`,
	])
		forwardToKept(context, own, { kept: { url, events: null, active: true } }, delivery, told);
	expect(sent).toEqual([`${origin}/webhook/x/webhook`]);
});

test('only headers that mean something at the end are passed on', () => {
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
