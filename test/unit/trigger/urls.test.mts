import { readParameter, withParameter } from '../../../nodes/runtime/url.ts';
import { findOwner, type OwnUrl } from '../../../nodes/PageAudienceTrigger/ownUrl.ts';
import {
	readBack,
	readTestUrl,
	withBack,
	withTest,
} from '../../../nodes/PageAudienceTrigger/registeredUrl.ts';

const own: OwnUrl = {
	href: 'https://n8n.example/webhook/abc/webhook',
	origin: 'https://n8n.example',
	prefix: '/webhook',
	tail: '/abc/webhook',
	isTest: false,
};

describe('whose a URL is', () => {
	test.each([
		['https://n8n.example/webhook/abc/webhook', 'production'],
		['https://n8n.example/webhook/abc/webhook?token=1&x#y', 'production'],
		['HTTPS://N8N.example:443/webhook/abc/webhook', 'production'],
		['https://n8n.example/WEBHOOK/ABC/webhook//?token=1', 'production'],
		['https://n8n.example/webhook/%61bc/webhook', 'production'],
		['https://n8n.example/x/../webhook/abc/webhook', 'production'],
		['https://n8n.example/webhook-test/abc/webhook', 'test'],
		['https://n8n.example/hooks/test/abc/webhook', 'test'],
		['https://n8n.example:8443/webhook/abc/webhook', 'moved'],
		['http://n8n.example/webhook/abc/webhook', 'production'],
		['https://other.example/webhook/abc/webhook', 'moved'],
		['https://n8n.example/webhook/xabc/webhook', 'other'],
		['https://n8n.example/x?u=/webhook/abc/webhook', 'other'],
		['https://n8n.example/#/abc/webhook', 'other'],
		['', 'other'],
		['no URL', 'other'],
		['https://n8n.example/%E0%A4%A', 'other'],
	])('%s is %s', (url, place) => {
		expect(findOwner(own, url)).toBe(place);
	});

	test('is told in a test run too', () => {
		const test = { ...own, href: `${own.origin}/webhook-test/abc/webhook`, isTest: true };
		expect(findOwner(test, test.href)).toBe('test');
		expect(findOwner(test, own.href)).toBe('production');
	});

	test('is told with endpoints of other names, and under a path', () => {
		const [live, tested] = ['/auto/in/hooks', '/auto/in-test/hooks'].map(
			(prefix) => `${own.origin}${prefix}/abc/webhook`,
		);
		expect(findOwner({ ...own, href: live }, tested)).toBe('test');
		expect(findOwner({ ...own, href: tested, isTest: true }, live)).toBe('production');
	});
});

describe('what a test run leaves in a URL', () => {
	const state = { url: 'https://crm.example/in?key=ä&x=1', events: null, active: true };

	test('is read as it was written, even with its letters lowered', () => {
		const url = withBack('https://n8n.example/webhook-test/abc/webhook?token=1', state);
		expect(readParameter(url, 'token')).toBe('1');
		expect(readBack(url)).toEqual(state);
		expect(readBack(url.toLowerCase())).toEqual(state);
	});

	test.each(['', 'x', '6e756c6c', '5b5d', '7b2275726c223a317d', '%00'])(
		'is nothing where it is unreadable: %j',
		(back) => {
			expect(readBack(`https://n8n.example/webhook-test/abc/webhook?back=${back}`)).toBeUndefined();
		},
	);
});

describe('where a test run takes copies', () => {
	const published = { events: null, active: true };
	const read = (url: string) => readTestUrl(own, Object.fromEntries(new URL(url).searchParams));

	test.each(['/webhook-test', '/auto/in-test/hooks'])('is read as it was written: %s', (prefix) => {
		const url = withTest({ ...published, url: `${own.href}?token=a1` }, { ...own, prefix });
		expect(read(url)).toBe(`https://n8n.example${prefix}/abc/webhook?token=a1`);
	});

	test.each([
		'/webhook-test',
		'webhook-test/',
		'webhook-test/../webhook',
		'webhook',
		'WEBHOOK',
		'@evil.example',
		'//evil.example',
		'webhook-test?x',
		'webhook-test#x',
		'',
	])('is nowhere for %j', (test) => {
		expect(read(withParameter(own.href, 'test', test))).toBeUndefined();
	});
});
