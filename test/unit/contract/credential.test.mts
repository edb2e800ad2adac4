import { NodeHelpers } from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { isExposed, parseBaseUrl } from '../../../nodes/api/connection.ts';

const { properties } = new PageAudienceApi();

function isShown(name: string, baseUrl: string): boolean {
	const notice = properties.find((each) => each.name === name);
	if (!notice) throw new Error('The credential has no such notice');
	return NodeHelpers.displayParameter({ baseUrl, apiKey: 'k' }, notice, null, null);
}

test('no condition of the credential is a pattern, which n8n stops by the clock', () => {
	expect(JSON.stringify(properties)).not.toContain('"regex"');
});

describe('the hint of a run about a key that is sent without encryption', () => {
	test.each([
		['http://api.example.com', true],
		['HTTP://api.example.com:8080/base', true],
		[' http://93.184.216.34', true],
		['http://172.32.0.1', true],
		['http://localhost.example.com', true],
		['http://internal.example.com', true],
		['https://api.example.com', false],
		['api.example.com', false],
		['http://localhost:5678', false],
		['http://service:8080/v0', false],
		['http://127.0.0.1:3000', false],
		['http://10.1.2.3', false],
		['http://192.168.1.10', false],
		['http://172.16.0.1', false],
		['http://169.254.1.1', false],
		['http://api.internal', false],
		['http://nas.local:8080', false],
		['http://api.home.arpa/v0', false],
		['http://[::1]:3000', false],
		['http://[fd00::1]', false],
		['http://[2001:db8::1]', true],
		['http://100.64.0.7:5678', false],
		['http://100.128.0.7', true],
		['http://10.example.com', true],
		['http://api.internal.', false],
		['http://[::FFFF:10.0.0.1]', false],
	])('for %s: %p', (baseUrl, expected) => {
		expect(isExposed(parseBaseUrl(baseUrl))).toBe(expected);
	});
});

describe('the warning about a key that is sent without encryption', () => {
	test.each([
		['http://api.example.com', true],
		['http://localhost:5678', true],
		['https://api.example.com', false],
		['api.example.com', false],
		['', false],
	])('for %s: %p', (baseUrl, expected) => {
		expect(isShown('exposedNotice', baseUrl)).toBe(expected);
	});
});

describe('the advice about a local address', () => {
	test.each([
		['http://localhost:4010', true],
		['http://service:8080', true],
		['https://localhost:4010/v0', true],
		['https://127.0.0.1', true],
		['https://10.1.2.3', true],
		['https://192.168.1.7', true],
		['https://host.docker.internal:8443', true],
		['https://api.example.com', false],
		['localhost:4010', false],
		['http', false],
		['sk_live_4711', false],
		['', false],
	])('for %s: %p', (baseUrl, expected) => {
		expect(isShown('localNotice', baseUrl)).toBe(expected);
	});
});
