import { isExposed, parseBaseUrl } from '../../../nodes/api/connection.ts';

describe('the Base URL', () => {
	test.each([
		['api.example.com', 'https://api.example.com'],
		['api.example.com/v0/', 'https://api.example.com'],
		['api.example.com:8443/base', 'https://api.example.com:8443/base'],
		['localhost:3000', 'https://localhost:3000'],
		['127.0.0.1:3000', 'https://127.0.0.1:3000'],
		['http://localhost:3000/v0', 'http://localhost:3000'],
		[' https://api.example.com/base/v0 ', 'https://api.example.com/base'],
	])('%j is %s', (given, baseUrl) => {
		expect(parseBaseUrl(given)).toMatchObject({ baseUrl });
	});

	test.each(['pk_live_51h8', 'c2VjcmV0.a2V5.X9_1', 'key-1234', 'ftp://api.example.com', undefined])(
		'%j is rejected, and not repeated',
		(given) => {
			expect(() => parseBaseUrl(given)).toThrow(
				'The Base URL in the credential is not a web address such as https://api.example.com',
			);
		},
	);

	test.each([
		['https://api.example.com', false],
		['http://api.example.com', true],
		['http://203.0.113.5:8080', true],
		['http://172.32.0.1', true],
		['http://172.31.0.1', false],
		['http://localhost:3000', false],
		['http://127.0.0.1', false],
		['http://192.168.0.7', false],
		['http://api', false],
		['http://api.internal', false],
		['http://[::1]:3000', false],
		['http://[2001:db8::1]', true],
	])('%s exposes the API key: %p', (given, exposed) => {
		expect(isExposed(parseBaseUrl(given))).toBe(exposed);
	});
});
