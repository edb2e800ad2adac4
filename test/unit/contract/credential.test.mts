import { NodeHelpers } from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { isExposed, parseBaseUrl } from '../../../nodes/api/connection.ts';

const { properties, authenticate } = new PageAudienceApi();

describe('the warning about a key that is sent without encryption', () => {
	const notice = properties.find(({ type }) => type === 'notice');

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
	])('for %s: %p', (baseUrl, expected) => {
		if (!notice) throw new Error('The credential has no notice');
		const isShown = NodeHelpers.displayParameter({ baseUrl, apiKey: 'k' }, notice, null, null);
		expect(isShown).toBe(expected);
		// The hint of a run says the same.
		expect(isExposed(parseBaseUrl(baseUrl))).toBe(expected);
	});
});

test('a request of another node is not judged by the Base URL of the test', async () => {
	const request = { url: 'https://api.example.com/v0/persons' };
	await expect(authenticate({ apiKey: 'k' }, request)).resolves.toMatchObject(request);
	await expect(authenticate({ apiKey: 'k' }, { ...request, baseURL: 'nowhere' })).rejects.toThrow(
		'The Base URL is not a web address',
	);
});
