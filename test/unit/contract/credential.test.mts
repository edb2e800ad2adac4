import fc from 'fast-check';
import { type IHttpRequestOptions, NodeHelpers } from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { generated } from '../../generated.mts';

const { authenticate, properties } = new PageAudienceApi();

test('no condition of the credential is a pattern, which n8n stops by the clock', () => {
	expect(JSON.stringify(properties)).not.toContain('"regex"');
});

/** Neither a notice, the one about a key without encryption, the one about a local address, or both. */
type Shown = 'none' | 'exposed' | 'local' | 'exposed local';

test.each<[shown: Shown, baseUrls: string[]]>([
	['exposed local', ['http://api.example.com', 'http://localhost:5678', 'http://service:8080']],
	['local', ['https://localhost:4010/v0', 'https://127.0.0.1', 'https://10.1.2.3']],
	['local', ['https://192.168.1.7', 'https://host.docker.internal:8443']],
	[
		'none',
		['https://api.example.com', 'api.example.com', 'localhost:4010', 'http', 'sk_live_4711', ''],
	],
])('the notices are %s for %j', (shown, baseUrls) => {
	for (const baseUrl of baseUrls) {
		const isShown = (name: string) => {
			const notice = properties.find((each) => each.name === `${name}Notice`);
			return NodeHelpers.displayParameter({ baseUrl, apiKey: 'k' }, notice!, null, null);
		};
		const names = ['exposed', 'local'].filter(isShown).join(' ');
		expect([baseUrl, names || 'none']).toEqual([baseUrl, shown]);
	}
});

const parse = (baseUrl: string) =>
	new URL(/^https?:/i.test(baseUrl) ? baseUrl : `https://${baseUrl}`);
const apiKey = ' secret-key\n';

/** What the HTTP Request node passes, whose URL n8n's types do not name. */
type CredentialRequest = Partial<IHttpRequestOptions> & { uri?: unknown };

const send = async (baseUrl: string, request: CredentialRequest, key: unknown = apiKey) =>
	await authenticate({ apiKey: key as string, baseUrl }, request as IHttpRequestOptions);

test.each<[baseUrl: string, request: CredentialRequest]>([
	['https://api.example.com', { url: 'https://api.example.com/v0/persons' }],
	['https://api.example.com', { uri: 'https://api.example.com/v0/persons' }],
	['https://api.example.com', { uri: new URL('https://api.example.com/v0/persons') }],
	['https://api.example.com/v0', { url: 'HTTPS://API.Example.com:443/v0/persons?a=//x.example' }],
	['http://API.example.com:80/base', { url: 'http://api.example.com/base/v0/persons' }],
	['api.example.com', { url: 'https://user:pass@api.example.com/v0' }],
	// n8n's test of a public host without its scheme.
	['api.example.com', { url: '/v0/persons', baseURL: 'https://api.example.com' }],
	['api.example.com/base', { url: '/v0/persons', baseURL: 'https://api.example.com/base' }],
	['https://api.example.com:8443', { url: '/v0/persons', baseURL: 'https://api.example.com:8443' }],
	['https://api.example.com/base', { url: 'v0', baseURL: 'https://api.example.com/base/' }],
	['https://api.example.com', { url: '', baseURL: 'https://api.example.com' }],
	// n8n puts a slash between the two.
	['https://api.example.com', { url: '.evil.example', baseURL: 'https://api.example.com' }],
	['https://api.example.com', { url: '@evil.example', baseURL: 'https://api.example.com' }],
	['http://[::1]:3000', { url: 'http://[0:0::1]:3000/v0' }],
	['https://bücher.example', { url: 'https://xn--bcher-kva.example/v0' }],
])('with the Base URL %j, %j gets the key', async (baseUrl, request) => {
	const given = { ...request, headers: { a: 'b' } };
	expect(await send(baseUrl, given)).toEqual({
		...given,
		headers: { a: 'b', 'x-api-key': 'secret-key' },
		// A redirect to another host is refused by n8n, and none is followed.
		allowedDomains: parse(baseUrl).hostname,
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
});

test.each<[baseUrl: string, request: CredentialRequest]>([
	['https://api.example.com', { url: 'https://evil.example/v0/persons' }],
	['https://api.example.com', { uri: new URL('https://evil.example') }],
	['https://api.example.com', { url: 'https://api.example.com@evil.example/' }],
	['https://api.example.com', { url: 'https://api.example.com.evil.example/' }],
	['https://api.example.com', { url: 'https://example.com/' }],
	['https://api.example.com', { url: 'http://api.example.com/' }],
	['https://api.example.com', { url: 'https://api.example.com:8443/' }],
	['http://localhost:3000', { url: 'http://localhost:3001/' }],
	['https://api.example.com', { url: '//evil.example/', baseURL: 'https://api.example.com' }],
	['https://api.example.com', { url: '\\\\evil.example/', baseURL: 'https://api.example.com' }],
	['https://api.example.com', { url: ' https://evil.example', baseURL: 'https://api.example.com' }],
	['https://api.example.com', { url: '/v0/persons', baseURL: 'https://evil.example' }],
	['https://api.example.com', { url: '/v0/persons' }],
	['https://api.example.com', { url: 'file:///etc/passwd' }],
	['https://api.example.com', {}],
])('with the Base URL %j, %j does not get the key', async (baseUrl, request) => {
	const sent = send(baseUrl, request);
	await expect(sent).rejects.toThrow(
		/^The API key goes only to the Base URL, https?:\/\/[\w.:]+, and this request goes to (?:https?:\/\/[\w.:]+|no web address)\. Correct the URL, or use another credential\.$/,
	);
	await expect(sent).rejects.toThrow(/^(?!.*(?:secret-key|passwd|persons))/);
});

const testRequest = (baseUrl: string) => ({ url: '/v0/persons', baseURL: `https://${baseUrl}` });
test.each(['localhost:4010', ' 10.1.2.3/v0', 'api.internal', 'api.example.com:8443'])(
	"n8n's test of the Base URL %j asks for its scheme, and every other request is sent",
	async (baseUrl) => {
		const request = testRequest(baseUrl.trim());
		await expect(send(baseUrl, request)).rejects.toThrow(
			new Error(
				'Enter the Base URL with http:// or https:// in front. A service on your own machine or network often has no HTTPS: enter http://. The API key was not tested.',
			),
		);
		const sent = await send(baseUrl, { url: `${request.baseURL}/persons` });
		expect(sent.headers).toEqual({ 'x-api-key': 'secret-key' });
	},
);

test.each(['', ' ', null])('no request goes out with the API key %j', async (key) => {
	const url = 'https://api.example.com';
	await expect(send(url, { url }, key)).rejects.toThrow('The API Key is empty');
});

const login =
	'contains a user name or password. Remove them, because the nodes send only the API key';
test.each([
	['secret-key', 'is not a web address'],
	['https://user@api.example.com/v0', login],
	['http://:pa55@127.0.0.1:80', login],
])("n8n's test and the nodes refuse the Base URL %j, and do not quote it", async (baseUrl, why) => {
	const told = `The Base URL in the credential ${why}. Enter one such as https://api.example.com.`;
	for (const request of [testRequest('api.example.com'), { url: 'https://api.example.com' }])
		await expect(send(baseUrl, request)).rejects.toThrow(new Error(told));
});

const hosts = ['a.example', 'A.EXAMPLE', 'b.example', 'a.example.b.example', '127.0.0.1'];
const host = fc.constantFrom(...hosts);
const schemes = [
	...['https://', 'http://', 'HTTPS://', 'https:', 'https:/', '//', '\\\\', '/', ''],
	...[' https://', 'ht\ttps://'],
];
const ends = ['/', '/v0', '@b.example', '?x=//b.example', '#@b.example', '/../..//b.example'];
const address = fc
	.tuple(
		fc.constantFrom(...schemes),
		fc.constantFrom('', '', 'u:p@', 'a.example@', 'a.example%40'),
		host,
		fc.constantFrom('', '', ':443', ':80', ':8443', '.', '\\'),
		fc.constantFrom('', ...ends),
	)
	.map((parts) => parts.join(''));

const base = fc
	.tuple(fc.constantFrom('https://', 'http://', ''), host, fc.constantFrom('', ':8443', '/v0'))
	.map((parts) => parts.join(''));
const baseURLs = fc.option(address, { nil: undefined });

test('whatever a request is made of: the key goes to the origin of the Base URL, or nowhere', async () => {
	const outcomes = { sent: 0, refused: 0 };
	const settings = generated(3_000);
	const judged = fc.asyncProperty(
		base,
		address,
		baseURLs,
		fc.boolean(),
		async (baseUrl, target, baseURL, isLegacy) => {
			const request = isLegacy ? { uri: target, baseURL } : { url: target, baseURL };
			const result = await send(baseUrl, request).catch(() => undefined);
			outcomes[result ? 'sent' : 'refused']++;
			if (!result) return;
			const { origin, hostname } = parse(baseUrl);
			expect(result.allowedDomains).toBe(hostname);
			// As n8n's guards read it, and as axios does.
			expect(new URL(target, baseURL || undefined).origin).toBe(origin);
			const isAbsolute = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(target);
			const joined =
				baseURL && !isAbsolute
					? `${baseURL.replace(/\/?\/$/, '')}/${target.replace(/^\/+/, '')}`
					: target;
			// What axios cannot read, it does not send.
			if (URL.canParse(joined)) expect(new URL(joined).origin).toBe(origin);
		},
	);
	await fc.assert(judged, settings);
	// Both happen, however many scenarios are played.
	expect(Math.min(outcomes.sent, outcomes.refused)).toBeGreaterThan(settings.numRuns / 60);
});
