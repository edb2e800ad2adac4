import { findReceiver, type OwnUrl } from '../../../nodes/PageAudienceTrigger/ownUrl.ts';

const own: OwnUrl = {
	href: 'https://n8n.example/webhook/abc/webhook',
	origin: 'https://n8n.example',
	tail: '/abc/webhook',
	isTest: false,
};

const find = (from: OwnUrl, url: string) => findReceiver(from, { url, events: [], active: true });

describe('who gets the events', () => {
	test.each([
		['https://n8n.example/webhook/abc/webhook', 'published'],
		['https://n8n.example/webhook/abc/webhook?token=1&x#y', 'published'],
		['HTTPS://N8N.example:443/webhook/abc/webhook', 'published'],
		['https://n8n.example/WEBHOOK/ABC/webhook//?token=1', 'published'],
		['https://n8n.example/webhook/%61bc/webhook', 'published'],
		['https://n8n.example/x/../webhook/abc/webhook', 'published'],
		['https://n8n.example/webhook-test/abc/webhook', 'test'],
		['https://n8n.example/hooks/test/abc/webhook', 'test'],
		['https://n8n.example:8443/webhook/abc/webhook', 'another'],
		['http://n8n.example/webhook/abc/webhook', 'published'],
		['https://other.example/webhook/abc/webhook', 'another'],
		['https://n8n.example/webhook/xabc/webhook', 'another'],
		['https://n8n.example/x?u=/webhook/abc/webhook', 'another'],
		['https://n8n.example/#/abc/webhook', 'another'],
		['', 'another'],
		['no URL', 'another'],
		['https://n8n.example/%E0%A4%A', 'another'],
	])('%s is %s', (url, place) => {
		expect(find(own, url)).toBe(place);
	});

	test('is told in a test run too', () => {
		const test = { ...own, href: `${own.origin}/webhook-test/abc/webhook`, isTest: true };
		expect(find(test, test.href)).toBe('test');
		expect(find(test, own.href)).toBe('published');
		expect(find(test, 'https://webhooks.example/webhook/abc/webhook')).toBe('published');
	});

	test('is told with endpoints of other names, and under a path', () => {
		const [live, tested] = ['/auto/in/hooks', '/auto/in-test/hooks'].map(
			(prefix) => `${own.origin}${prefix}/abc/webhook`,
		);
		expect(find({ ...own, href: live }, tested)).toBe('test');
		expect(find({ ...own, href: tested, isTest: true }, live)).toBe('published');
	});
});
