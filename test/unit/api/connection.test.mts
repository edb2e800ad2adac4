import {
	Expression,
	type IDataObject,
	type IHttpRequestOptions,
	type IWorkflowDataProxyData,
	NodeApiError,
	type JsonObject,
	UserError,
} from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { attempt } from '../../../nodes/api/client.ts';
import { type ApiContext, parseBaseUrl, readConnection } from '../../../nodes/api/connection.ts';
import { type ApiRequest, at } from '../../../nodes/api/request.ts';

const get: ApiRequest = {
	method: 'GET',
	...at.person`/persons/${'a b'}`,
	query: { q: 'x y', limit: 2 },
};

/** A context that keeps what is asked of n8n, and responds with `respond`. */
function makeContext(
	credential: IDataObject,
	respond: () => unknown = () => ({ statusCode: 200 }),
) {
	const asked: Array<{ type: string; options: IHttpRequestOptions; more: unknown; that: unknown }> =
		[];
	const context: ApiContext = {
		getCredentials: async <T,>(type: string) =>
			await Promise.resolve((type === 'pageAudienceApi' ? credential : {}) as T),
		helpers: {
			async httpRequestWithAuthentication(type, options, more) {
				asked.push({ type, options, more, that: this });
				return await Promise.resolve(respond());
			},
		},
	};
	return { context, asked };
}

async function send(request: ApiRequest, respond?: () => unknown) {
	const credential = { baseUrl: 'https://api.example.com:8443/base/', apiKey: 'key' };
	const { context, asked } = makeContext(credential, respond);
	const connection = await readConnection(context);
	const outcome = await attempt(context, connection, request, 1234);
	return { outcome, asked, context, credential };
}

describe('the Base URL', () => {
	test.each([
		[' https://API.example.com/ \n', 'https://api.example.com'],
		['https://api.example.com//', 'https://api.example.com'],
		['https://api.example.com//v0//?x=1#y', 'https://api.example.com'],
		['https://api.example.com/v01', 'https://api.example.com/v01'],
		['https://api.example.com/v0/persons?limit=1#x', 'https://api.example.com'],
		['https://v0/my%20proxy/v0/pages/v0/', 'https://v0/my%20proxy'],
		['https://v0/v0', 'https://v0'],
		['http://127.0.0.1:8080/api/v0', 'http://127.0.0.1:8080/api'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		['api.example.com', 'https://api.example.com'],
		['api.example.com:8443/base/v0/', 'https://api.example.com:8443/base'],
		['localhost:3000', 'https://localhost:3000'],
		['127.0.0.1:3000', 'https://127.0.0.1:3000'],
	])('%j is read as %j', (given, baseUrl) => {
		expect(parseBaseUrl(given).baseUrl).toBe(baseUrl);
		// n8n's test of the credential goes to the same address.
		const { baseURL } = new PageAudienceApi().test.request;
		const data = { $credentials: { baseUrl: given } } as unknown as IWorkflowDataProxyData;
		const tested = new Expression('UTC').resolveSimpleParameterValue(baseURL ?? '', data);
		expect(new URL(String(tested)).href).toBe(new URL(baseUrl).href);
	});

	test('has an origin with its port, and a host without one', () => {
		expect(parseBaseUrl('https://api.example.com:8443/x')).toEqual({
			baseUrl: 'https://api.example.com:8443/x',
			origin: 'https://api.example.com:8443',
			hostname: 'api.example.com',
		});
	});

	test.each([undefined, '', 'c2VjcmV0.a2V5.X9_1', 'ftp://a.example', 'httpsx://a.example'])(
		'%j is rejected, and not quoted',
		(given) => {
			expect(() => parseBaseUrl(given)).toThrow(
				new RangeError('The Base URL in the credential is not a web address'),
			);
		},
	);
});

test.each<[given: unknown, key?: string]>([
	[' key\n', 'key'],
	[7, '7'],
	...[undefined, null, '', ' \n'].map((none): [unknown] => [none]),
])('the API key %j is read as %j, and without one nothing is sent', async (...[apiKey, key]) => {
	const credential = { baseUrl: 'https://api.example.com', apiKey } as IDataObject;
	const { context, asked } = makeContext(credential);
	const reading = readConnection(context).catch(String);
	expect(await reading).toEqual(
		key
			? expect.objectContaining({ apiKey: key })
			: expect.stringContaining('API Key in the credential is empty'),
	);
	expect(asked).toEqual([]);
});

describe('a request', () => {
	test('asks n8n for a full response of any status, without redirects, at the host of the Base URL alone', async () => {
		const { asked, context, credential } = await send(get);
		expect(asked).toEqual([
			{
				type: 'pageAudienceApi',
				options: {
					method: 'GET',
					url: 'https://api.example.com:8443/base/v0/persons/a%20b?q=x%20y&limit=2',
					headers: { accept: 'application/json' },
					timeout: 1234,
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					allowedDomains: 'api.example.com',
				},
				// n8n then does not read the credential anew for each request.
				more: {
					credentialsDecrypted: { id: '', name: '', type: 'pageAudienceApi', data: credential },
				},
				that: context,
			},
		]);
	});

	test.each([
		[{}, '{}'],
		[{ name: 'Ada', none: undefined }, '{"name":"Ada"}'],
	])('has %j as JSON in its body', async (body, text) => {
		const { asked } = await send({ method: 'POST', ...at.person`/persons`, body });
		expect(asked[0].options.body).toBe(text);
		expect(asked[0].options.headers).toEqual({
			accept: 'application/json',
			'content-type': 'application/json',
		});
	});
});

test('an outcome is the response with its status, headers, body and request, and the key that no message may have', async () => {
	const reply = { headers: { a: 'b' }, body: { c: 1 } };
	const { outcome } = await send(get, () => ({ statusCode: 418, ...reply }));
	expect(outcome).toEqual({ responded: true, status: 418, ...reply, request: get, apiKey: 'key' });
});

describe('a lost connection', () => {
	/** Errors around each other, the outermost first. */
	const wrap = (...links: object[]) =>
		links.reduceRight<object | undefined>(
			(cause, link) => ({ ...link, ...(cause && { cause }) }),
			undefined,
		);
	const link = (code?: unknown, message?: unknown) => ({ code, message });

	const [outer, inner] = [link('ETIMEDOUT', 'outer'), link('EPIPE', 'inner')];
	const four = [link(), link(), link(), link()];

	test.each<[what: string, thrown: unknown, code: string | undefined, reason: string]>([
		['an error', outer, 'ETIMEDOUT', 'outer'],
		['a wrapped one', wrap(link(undefined, 'outer'), inner), 'EPIPE', 'inner'],
		['the outermost code', wrap(outer, inner), 'ETIMEDOUT', 'inner'],
		['a status in place of a code', wrap(link('500', 'outer'), inner), 'EPIPE', 'inner'],
		['a number in place of a code', wrap(link(500, 'outer'), inner), 'EPIPE', 'inner'],
		['other codes', wrap(link('xECONN', 'a'), link('ECONNx', 'b'), link('E', 'c')), undefined, 'c'],
		['no message', link('EPIPE'), 'EPIPE', 'EPIPE'],
		['an empty message', link('EPIPE', ''), 'EPIPE', 'EPIPE'],
		['no message and no code', link(), undefined, '[object Object]'],
		['the code that n8n kept', { httpCode: 'EPROTO', message: 'lost' }, 'EPROTO', 'lost'],
		['the code of the cause before', { httpCode: 'EPROTO', cause: inner }, 'EPIPE', 'inner'],
		['a text', 'gone', undefined, 'gone'],
		['nothing', undefined, undefined, 'undefined'],
		['the fifth of many', wrap(...four, inner, outer), 'EPIPE', 'inner'],
		['none after the fifth', wrap(...four, link(undefined, 'fifth'), outer), undefined, 'fifth'],
	])('is told by %s', async (_, thrown, code, reason) => {
		const { outcome } = await send(get, () => {
			throw thrown;
		});
		expect(outcome).toEqual({ responded: false, code, reason, isRefusal: false });
	});

	const node = { id: '1', name: 'N', type: 'n', typeVersion: 1, position: [0, 0], parameters: {} };
	const byNode = (error: unknown) => new NodeApiError(node as never, error as JsonObject);
	const refusal = new UserError('The request was blocked');

	test.each<[what: string, thrown: unknown, isRefusal: boolean]>([
		['n8n itself', refusal, true],
		['n8n itself, around which n8n wraps another error', byNode(refusal), true],
		[
			'n8n itself while it looked a name up',
			byNode(Object.assign(new Error('x'), { cause: refusal })),
			true,
		],
		['the network', byNode(Object.assign(new Error('lost'), { code: 'ECONNRESET' })), false],
		['the network, without a cause', byNode({ message: 'lost' }), false],
	])('comes from %s', async (_, thrown, isRefusal) => {
		const { outcome } = await send(get, () => {
			throw thrown;
		});
		expect(outcome).toMatchObject({ isRefusal });
		if (isRefusal) expect(outcome).toMatchObject({ reason: refusal.message });
	});
});
