import { locate, type OwnUrl } from '../../../nodes/PageAudienceTrigger/registration/ownUrl.ts';
import {
	isSameUrl,
	readParameter,
	withoutParameter,
	withParameter,
} from '../../../nodes/PageAudienceTrigger/address/url.ts';
import { readReach } from '../../../nodes/PageAudienceTrigger/registration/reach.ts';
import {
	readBack,
	withBack,
} from '../../../nodes/PageAudienceTrigger/registration/registeredUrl.ts';
import { redactText, redactTokens } from '../../../nodes/PageAudienceTrigger/redaction.ts';

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
		['https://n8n.example/webhook-test/abc/webhook', 'test'],
		['https://n8n.example/hooks/test/abc/webhook', 'test'],
		['https://n8n.example:8443/webhook/abc/webhook', 'moved'],
		['http://n8n.example/webhook/abc/webhook', 'moved'],
		['https://other.example/webhook/abc/webhook', 'moved'],
		['https://n8n.example/webhook/xabc/webhook', 'foreign'],
		['https://n8n.example/webhook/abc/webhook/', 'foreign'],
		['https://n8n.example/webhook/abc/Webhook', 'foreign'],
		['https://n8n.example/x?u=/webhook/abc/webhook', 'foreign'],
		['https://n8n.example/#/abc/webhook', 'foreign'],
		['https://other.example/crm', 'foreign'],
		['', 'foreign'],
		['no URL', 'foreign'],
	])('%s is %s', (url, place) => {
		expect(locate(own, url)).toBe(place);
	});

	test('is told from a test as well', () => {
		const path = '/webhook-test/abc/webhook';
		const test = { ...own, href: own.origin + path, path, isTest: true };
		expect(locate(test, test.href)).toBe('test');
		expect(locate(test, own.href)).toBe('production');
	});
});

describe('a query', () => {
	test('is changed in one parameter and stays as it was written in all others', () => {
		const url = 'https://x.example/a?b=%7E&&c=a+b&test=1&d';
		expect(withParameter(url, 'test', '/w/a b&c=d')).toBe(
			'https://x.example/a?b=%7E&c=a+b&d&test=/w/a%20b%26c%3Dd',
		);
		expect(withoutParameter(url, 'test')).toBe('https://x.example/a?b=%7E&c=a+b&d');
		expect(withoutParameter('https://x.example/a?te%73t=1', 'test')).toBe('https://x.example/a');
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

describe('what was borrowed', () => {
	test.each([
		{ url: 'https://x.example/a?b=c&d=ü', events: ['form.submitted'], active: true },
		{ url: '', events: null, active: false },
	])('goes into a URL and comes out of it: %j', (state) => {
		expect(readBack(withBack(own.href, state))).toEqual(state);
	});

	test.each(['', 'x', 'bnVsbA', 'W10', 'eyJ1cmwiOjF9', '%00'])('is not read from %j', (back) => {
		expect(readBack(`${own.href}?back=${back}`)).toBeUndefined();
	});
});

describe('how far an address reaches', () => {
	test.each([
		['localhost', 'loopback'],
		['LOCALHOST.', 'loopback'],
		['a.localhost', 'loopback'],
		['127.0.0.1', 'loopback'],
		['127.9.9.9', 'loopback'],
		['0.0.0.0', 'loopback'],
		['[::1]', 'loopback'],
		['[::ffff:7f00:1]', 'loopback'],
		['10.1.2.3', 'private'],
		['172.16.0.1', 'private'],
		['172.32.0.1', 'public'],
		['192.168.1.1', 'private'],
		['[fd00::1]', 'private'],
		['[fe80::1]', 'private'],
		['[::ffff:a00:1]', 'private'],
		['n8n', 'private'],
		['nas.local', 'private'],
		['host.docker.internal', 'private'],
		['1.2.3.4', 'public'],
		['127.example.com', 'public'],
		['localhost.example.com', 'public'],
		['api.example.com', 'public'],
		['[2001:db8::1]', 'public'],
	])('%s: %s', (host, reach) => {
		expect(readReach(host)).toBe(reach);
	});
});

describe('secrets', () => {
	const token = 't'.repeat(43);

	test.each([
		[`/webhook/a?token=${token}&x=1`, '/webhook/a?token=***&x=1'],
		['https://x.example/?a=1&back=abc"', 'https://x.example/?a=1&back=***"'],
		['u=%2Fa%3Ftoken%3Dx%26back%3Dy%26z%3D1', 'u=%2Fa%3Ftoken%3D***%26back%3D***%26z%3D1'],
		[`<${token}>`, '<***>'],
		['my token=abc stays', 'my token=abc stays'],
	])('in a text: %s', (text, expected) => {
		expect(redactText(text, [token])).toBe(expected);
	});

	test('in a value, in keys and prototype names too', () => {
		const value: unknown = JSON.parse(`{"__proto__":["a${token}b"],"${token}":{"n":1,"x":null}}`);
		expect(JSON.stringify(redactTokens(value, [token]))).toBe(
			'{"__proto__":["a***b"],"***":{"n":1,"x":null}}',
		);
	});
});
