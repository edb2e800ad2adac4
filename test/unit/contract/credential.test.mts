import { NodeHelpers } from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';

const { properties } = new PageAudienceApi();

function isShown(name: string, baseUrl: string): boolean {
	const notice = properties.find((each) => each.name === name);
	if (!notice) throw new Error('The credential has no such notice');
	return NodeHelpers.displayParameter({ baseUrl, apiKey: 'k' }, notice, null, null);
}

test('no condition of the credential is a pattern, which n8n stops by the clock', () => {
	expect(JSON.stringify(properties)).not.toContain('"regex"');
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
