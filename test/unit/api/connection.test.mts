import {
	Expression,
	type IDataObject,
	type IWorkflowDataProxyData,
	NodeApiError,
	type JsonObject,
	UserError,
} from 'n8n-workflow';
import { PageAudienceApi } from '../../../credentials/PageAudienceApi.credentials.ts';
import { attempt } from '../../../nodes/api/client.ts';
import { parseBaseUrl, readConnection } from '../../../nodes/api/connection.ts';
import { at, GET } from '../../../nodes/api/request.ts';
import { credential, makeContext, node } from './responding.mts';

const get = GET(at.person`/persons/${'a b'}`, { q: 'x y', limit: 2 });

async function send(respond: () => unknown = () => ({ statusCode: 200 })) {
	const data = { baseUrl: 'https://api.example.com:8443/base/', apiKey: 'key' };
	const context = makeContext(respond, data);
	const outcome = await attempt(context, await readConnection(context), get, 1234);
	const { calls, contexts } = context.helpers.httpRequestWithAuthentication.mock;
	expect([calls.length, contexts]).toEqual([1, [context]]);
	return { outcome, asked: calls[0], data };
}

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
])('the Base URL %j is read as %j', (given, baseUrl) => {
	const { origin, hostname } = new URL(baseUrl);
	expect(parseBaseUrl(given)).toEqual({ baseUrl, origin, hostname });
	// n8n's test of the credential goes to the same address.
	const { baseURL } = new PageAudienceApi().test.request;
	const data = { $credentials: { baseUrl: given } } as unknown as IWorkflowDataProxyData;
	const tested = new Expression('UTC').resolveSimpleParameterValue(baseURL ?? '', data);
	expect(new URL(String(tested)).href).toBe(new URL(baseUrl).href);
});

test.each([
	undefined,
	'',
	'nowhere',
	'c2VjcmV0.a2V5.X9_1',
	'ftp://a.example',
	'httpsx://a.example',
])('the Base URL %j is rejected, and not quoted', (given) => {
	expect(() => parseBaseUrl(given)).toThrow(
		new RangeError('The Base URL in the credential is not a web address'),
	);
});

test.each<[given: unknown, key?: string]>([
	[' key\n', 'key'],
	[7, '7'],
	...[undefined, null, '', ' \n'].map((none): [unknown] => [none]),
])('the API key %j is read as %j, and without one nothing is sent', async (...[apiKey, key]) => {
	const context = makeContext(() => ({}), { ...credential, apiKey } as IDataObject);
	const reading = readConnection(context).catch(String);
	expect(await reading).toEqual(
		key
			? expect.objectContaining({ apiKey: key })
			: expect.stringContaining('API Key in the credential is empty'),
	);
	expect(context.helpers.httpRequestWithAuthentication).not.toHaveBeenCalled();
});

test('the account has an identity that does not tell the key', async () => {
	const identify = async (data: IDataObject) =>
		(await readConnection(makeContext(() => ({}), { ...credential, ...data }))).identity;
	const identity = await identify({});
	expect(identity).toMatch(/^[0-9a-f]{64}$/);
	expect(await identify({ apiKey: ' key ' })).toBe(identity);
	expect(await identify({ apiKey: 'other' })).not.toBe(identity);
	expect(await identify({ baseUrl: 'https://other.example.com' })).not.toBe(identity);
});

test('a request asks n8n for a full response of any status, without redirects, at the host of the Base URL alone', async () => {
	const { asked, data } = await send();
	expect(asked).toEqual([
		'pageAudienceApi',
		{
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
		{ credentialsDecrypted: { id: '', name: '', type: 'pageAudienceApi', data } },
	]);
});

/** Errors around each other, the outermost first. */
const wrap = (...links: object[]) =>
	links.reduceRight<object | undefined>(
		(cause, link) => ({ ...link, ...(cause && { cause }) }),
		undefined,
	);
const link = (code?: unknown, message?: unknown) => ({ code, message });

const [outer, inner] = [link('ETIMEDOUT', 'outer'), link('EPIPE', 'inner')];
const four = [link(), link(), link(), link()];

const byNode = (error: unknown) => new NodeApiError(node, error as JsonObject);
const refusal = new UserError('The request was blocked');

type Loss = [what: string, thrown: unknown, code: string | undefined, reason: string];

test.each<[...Loss, isRefusal?: boolean]>([
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
	['the error of a node', byNode(Object.assign(new Error('lost'), inner)), 'EPIPE', 'inner'],
	['the error of a node without a cause', byNode({ message: 'lost' }), undefined, 'lost'],
	['a refusal of n8n', refusal, undefined, refusal.message, true],
	['a refusal in the error of a node', byNode(refusal), undefined, refusal.message, true],
	[
		'a refusal while n8n looked a name up',
		byNode(Object.assign(new Error('x'), { cause: refusal })),
		undefined,
		refusal.message,
		true,
	],
])('a lost connection is told by %s', async (_, thrown, code, reason, isRefusal = false) => {
	const { outcome } = await send(() => {
		throw thrown;
	});
	expect(outcome).toEqual({ responded: false, code, syscall: undefined, reason, isRefusal });
});
