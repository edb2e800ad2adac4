import { redact } from '../../../nodes/PageAudienceTrigger/delivery/redact.ts';
import {
	describeAddress,
	describeUrl,
	shortenUrls,
} from '../../../nodes/parameters/describeUrl.ts';
import {
	readPrevious,
	recallSnapshot,
	withPrevious,
} from '../../../nodes/PageAudienceTrigger/subscription/chain.ts';
import {
	isRoutable,
	findOwner,
	type OwnUrl,
} from '../../../nodes/PageAudienceTrigger/subscription/ownUrl.ts';
import {
	readSignedOrder,
	readTestOrder,
	withTestOrder,
} from '../../../nodes/PageAudienceTrigger/subscription/testOrder.ts';
import {
	isRewritten,
	isSameUrl,
	readParameter,
	withoutParameter,
	withParameter,
} from '../../../nodes/api/url.ts';
import { redactText } from '../../../nodes/PageAudienceTrigger/delivery/redaction.ts';

const own: OwnUrl = {
	href: 'https://n8n.example/webhook/abc/webhook',
	origin: 'https://n8n.example',
	path: '/webhook/abc/webhook',
	id: 'abc',
	tail: '/abc/webhook',
	isTest: false,
};

describe('whose a URL is', () => {
	test.each([
		['https://n8n.example/webhook/abc/webhook', 'production'],
		['https://n8n.example/webhook/abc/webhook?token=1&x#y', 'production'],
		['HTTPS://N8N.example:443/webhook/abc/webhook', 'production'],
		['https://n8n.example./webhook/abc/webhook', 'production'],
		['https://n8n.example/webhook/abc/webhook/', 'production'],
		['https://n8n.example/webhook/abc/Webhook', 'production'],
		['https://n8n.example/WEBHOOK/ABC/webhook//?token=1', 'production'],
		['https://n8n.example/webhook/%61bc/webhook', 'production'],
		['https://n8n.example/x/../webhook/abc/webhook', 'production'],
		['https://n8n.example/webhook-test/abc/webhook', 'test'],
		['https://n8n.example/webhook-test/abc/webhook/', 'test'],
		['https://n8n.example/hooks/test/abc/webhook', 'moved'],
		['https://n8n.example/two/webhook/abc/webhook', 'moved'],
		['https://n8n.example/abc/webhook', 'moved'],
		['https://n8n.example:8443/webhook/abc/webhook', 'moved'],
		['http://n8n.example/webhook/abc/webhook', 'production'],
		['https://other.example/webhook/abc/webhook', 'moved'],
		['https://n8n.example/webhook/xabc/webhook', 'foreign'],
		['https://n8n.example/x?u=/webhook/abc/webhook', 'foreign'],
		['https://n8n.example/#/abc/webhook', 'foreign'],
		['https://other.example/crm', 'foreign'],
		['', 'foreign'],
		['no URL', 'foreign'],
		['https://n8n.example/%E0%A4%A', 'foreign'],
	])('%s is %s', (url, place) => {
		expect(findOwner(own, url)).toBe(place);
	});

	test('is told in a test run too', () => {
		const path = '/webhook-test/abc/webhook';
		const test = { ...own, href: own.origin + path, path, isTest: true };
		expect(findOwner(test, test.href)).toBe('test');
		expect(findOwner(test, own.href)).toBe('production');
	});

	test('is told under a prefix and with endpoints of other names', () => {
		const path = '/one/hooks/live/abc/webhook';
		const prefixed = { ...own, href: own.origin + path, path };
		expect(findOwner(prefixed, `${own.origin}/one/hooks/test/abc/webhook`)).toBe('test');
		expect(findOwner(prefixed, `${own.origin}/two/hooks/live/abc/webhook`)).toBe('moved');
		expect(findOwner(prefixed, own.href)).toBe('moved');
		expect(findOwner(prefixed, `${own.origin}/on/ehooks/live/abc/webhook`)).toBe('moved');
	});

	test('is told with a dot between the host and its port', () => {
		const atPort = { ...own, origin: 'https://n8n.example:8443' };
		expect(findOwner(atPort, `https://n8n.example.:8443${own.path}`)).toBe('production');
		expect(findOwner(atPort, `https://n8n.example.${own.path}`)).toBe('moved');
	});

	test.each([
		['https://n8n.example/webhook/Abc/webhook', true],
		['https://n8n.example/WEBHOOK/Abc/webhook/?a=1', true],
		['https://n8n.example/webhook/%41bc/webhook', true],
		['https://n8n.example/webhook/abc/webhook', false],
		['https://n8n.example/webhook/Abc/Webhook', false],
		['https://n8n.example/one/webhook/Abc/webhook', true],
		['https://n8n.example/%77ebhook/Abc/webhook', false],
		['https://n8n.example/one/%77ebhook/Abc/webhook', false],
		['https://n8n.example/webhook/Abc/webhook//', false],
		['no URL', false],
	])('n8n finds the trigger at %s: %s', (url, isFound) => {
		expect(isRoutable({ ...own, tail: '/Abc/webhook' }, url)).toBe(isFound);
	});
});

describe('a query', () => {
	test('changes in one parameter and stays as written in all others', () => {
		const url = 'https://x.example/a?b=%7E&&c=a+b&test=1&d';
		expect(withParameter(url, 'test', '/w/a b&c=d')).toBe(
			'https://x.example/a?b=%7E&c=a+b&d&test=%2Fw%2Fa%20b%26c%3Dd',
		);
		expect(withoutParameter(url, 'test')).toBe('https://x.example/a?b=%7E&c=a+b&d');
		expect(withoutParameter('https://x.example/a?te%73t=1', 'test')).toBe('https://x.example/a');
		expect(withoutParameter('https://x.example/a?[test]=1&test[b]=2&tests=3', 'test')).toBe(
			'https://x.example/a?tests=3',
		);
		expect(withParameter('https://x.example/a#f', 'a', '1')).toBe('https://x.example/a?a=1');
		expect(readParameter(withParameter(url, 'test', '/w/a b&c=d'), 'test')).toBe('/w/a b&c=d');
	});

	test.each([
		['https://X.example/a?b=1&c=2', 'https://x.example:443/a?c=2&b=1', true],
		['https://x.example/a?b=%2F', 'https://x.example/a?b=/', true],
		['https://x.example', 'https://x.example/', true],
		['https://x.example/a?b=1', 'https://x.example/a?b=2', false],
		['https://x.example/a?b=1&b=1', 'https://x.example/a?b=1', false],
		['https://x.example/a', 'https://x.example/A', false],
		['https://u@x.example/a', 'https://x.example/a', false],
		['', '', false],
	])('%s and %s are the same: %s', (one, other, same) => {
		expect(isSameUrl(one, other)).toBe(same);
	});
});

test.each([
	['https://x.example/a?b=1', 'https://x.example/a/?b=1', true],
	['https://x.example/A?b=C', 'HTTPS://X.EXAMPLE:443/a?b=c', true],
	['https://x.example', 'https://x.example/', true],
	['https://x.example/%7Ea', 'https://x.example/~a', true],
	['https://x.example/a?b=1', 'https://x.example/a', false],
	['https://x.example/a', 'https://x.example/b', false],
	['', '', false],
])('a service may have stored %s as %s: %s', (sent, stored, may) => {
	expect(isRewritten(sent, stored)).toBe(may);
});

describe('the earlier state in a URL', () => {
	test.each([
		{ url: 'https://x.example/a?b=c&d=ü', events: ['form.submitted'], active: true },
		{ url: '', events: null, active: false },
	])('is read as it was written, also from a URL in lower case: %j', (state) => {
		expect(readPrevious(withPrevious(own.href, state).toLowerCase())).toEqual(state);
		const earlierForm = Buffer.from(JSON.stringify(state)).toString('base64url');
		expect(readPrevious(`${own.href}?back=${earlierForm}`)).toEqual(state);
	});

	test.each(['', 'x', '6e756c6c', '5b5d', '7b2275726c223a317d', '%00'])(
		'is not read from %j',
		(back) => {
			expect(readPrevious(`${own.href}?back=${back}`)).toBeUndefined();
		},
	);

	test('ends where it leads back to itself', () => {
		const foreign = (url: string) => ({ url, events: null, active: true });
		const other = foreign(withPrevious('https://x.example/webhook/o/webhook', foreign(own.href)));
		// Without a mark in its URL, what was kept is all that is known.
		expect(recallSnapshot(own.href, own, other)?.url).toContain(
			'https://x.example/webhook/o/webhook',
		);
		expect(recallSnapshot(own.href, own, foreign(own.href))).toBeUndefined();
	});
});

describe('the order of a test run', () => {
	const order = {
		path: '/webhook-test/abc/webhook',
		before: { events: ['form.enriched'], active: false },
		during: ['form.enriched', 'form.submitted'],
	};
	const write = () => withTestOrder(own.href, 'key', 'abc', order);
	const writeValue = () => readParameter(write(), 'test') ?? '';

	test('is read as it was written', () => {
		expect(readTestOrder(write().toLowerCase())).toEqual(order);
		expect(readSignedOrder(writeValue(), 'key', 'abc')).toEqual(order);
	});

	const whole = (value: string) => value;
	test.each<[what: string, change: (value: string) => string, key: string, id: string]>([
		['another key', whole, 'key2', 'abc'],
		['another trigger', whole, 'key', 'abd'],
		[
			'another signature',
			(value) => value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
			'key',
			'abc',
		],
		['no signature', (value) => value.split('.')[0], 'key', 'abc'],
		['a path alone', () => '/webhook/abc/webhook', 'key', 'abc'],
		['nothing', () => '', 'key', 'abc'],
	])('does not count with %s', (_, change, key, id) => {
		expect(readSignedOrder(change(writeValue()), key, id)).toBeUndefined();
	});
});

describe('a URL in lists and messages', () => {
	test.each([
		['https://crm.example/hooks/in?key=s3cret', 'https://crm.example/hooks/in'],
		['https://user:pass@crm.example:8443/hook', 'https://crm.example:8443/hook'],
		[
			'https://hooks.example/services/T00000001/B00000001/XXXXXXXXXXXXXXXXXXXXXXXX',
			'https://hooks.example/services/T000…/B000…/XXXX…',
		],
		[
			'https://n8n.example/webhook/3f2a1b0c-0d1e-4f5a-8b9c-0a1b2c3d4e5f/webhook?token=1',
			'https://n8n.example/webhook/3f2a…/webhook',
		],
		['https://x.example/a/b/c/d/e', 'https://x.example/a/b/…/d/e'],
		['https://x.example/', 'https://x.example'],
		['mailto:a@example.com', 'no usable URL'],
		['', 'no usable URL'],
	])('%s shows as %s', (url, shown) => {
		expect(describeUrl(url)).toBe(shown);
		expect(describeAddress(url)).toBe(shown.replace('https://', ''));
	});

	test('that a text of the service repeats is shortened too', () => {
		expect(shortenUrls('"HTTPS://x.example/a?key=1" is bad, https://y.example/b?c=d&e')).toBe(
			'"https://x.example/a" is bad, https://y.example/b',
		);
	});
});

describe('secrets', () => {
	const token = 'a1'.repeat(32);
	const escapes = {
		json: [...token].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
		url: [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
		xml: [...token].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
	};

	test.each([
		[`/webhook/a?token=${token}&x=1`, '/webhook/a?token=***&x=1'],
		['https://x.example/?a=1&back=abc"', 'https://x.example/?a=1&back=***"'],
		['u=%2Fa%3Ftoken%3Dx%26back%3Dy%26z%3D1', 'u=%2Fa%3Ftoken%3D***%26back%3D***%26z%3D1'],
		[`<${token}>`, '<***>'],
		['my token=abc stays', 'my token=abc stays'],
		[token.toUpperCase(), '***'],
		[`x${escapes.json}y`, 'x***y'],
		[`x${escapes.url}y`, 'x***y'],
		[`x${escapes.xml}y`, 'x***y'],
		[JSON.stringify(escapes.json), '"***"'],
		['&test=1&copy=2&kept=3', '&test=***&copy=***&kept=***'],
	])('in a text: %s', (text, expected) => {
		expect(redactText(text, [token])).toBe(expected);
	});

	test('in a value, in keys and prototype names too', () => {
		const value: unknown = JSON.parse(`{"__proto__":["a${token}b"],"${token}":{"n":1,"x":null}}`);
		expect(JSON.stringify(redact(value, [token]))).toBe(
			'{"__proto__":["a***b"],"***":{"n":1,"x":null}}',
		);
	});

	test('in a value nested deeper than the stack', () => {
		let value: unknown = token;
		for (let depth = 0; depth < 100_000; depth++) value = [value];
		let clean = redact(value, [token]);
		while (Array.isArray(clean)) [clean] = clean as unknown[];
		expect(clean).toBe('***');
	});
});
