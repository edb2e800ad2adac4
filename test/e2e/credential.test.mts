import type { CredentialTest } from '../../tools/n8n/client.mts';
import { findFreePort } from '../../tools/ports.mts';
import { serve, type LocalServer } from '../localServer.mts';
import { openWorkbench, type Workbench } from './workbench.mts';

let bench: Workbench;
let web: LocalServer;
/** Answers with the status that its address names. */
let refusing: LocalServer;
beforeAll(async () => {
	bench = await openWorkbench();
	web = await serve((_, response) => {
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end('<!doctype html><title>Welcome</title>');
	});
	refusing = await serve(({ url = '' }, response) => {
		response.writeHead(Number(url.split('/')[1]), { location: 'https://elsewhere.example/' });
		response.end('{}');
	});
});
afterAll(async () => {
	web.close();
	refusing.close();
	await bench.close();
});

async function testCredential(
	baseUrl: string,
	apiKey = bench.sandbox.apiKey,
): Promise<CredentialTest> {
	return await bench.client.testCredential('pageAudienceApi', { baseUrl, apiKey });
}

test('accepts the right key at the right address', async () => {
	expect(await testCredential(bench.sandbox.url)).toMatchObject({ status: 'OK' });
});

test.each([
	['a slash at its end', (url: string) => `${url}/`],
	['a pasted /v0', (url: string) => `${url}/v0`],
])('accepts an address with %s', async (_, write) => {
	expect(await testCredential(write(bench.sandbox.url))).toMatchObject({ status: 'OK' });
});

test('reports a wrong key', async () => {
	const { status, message } = await testCredential(bench.sandbox.url, 'wrong-key');
	expect(status).toBe('Error');
	expect(message).toBe('The API key was rejected (401). Check the API Key.');
});

test.each([
	[302, 'The address redirects to another one. Enter that one as the Base URL.'],
	[403, 'The API key has no access (403).'],
	[404, 'Nothing was found at this address (404). Check the Base URL.'],
	[429, 'Rate limit reached (429). Wait a minute and test again.'],
	[503, 'The service failed or is unavailable. Test again later.'],
])('says what to do after a response with %d', async (status, advice) => {
	const result = await testCredential(`${refusing.url}/${status}`);
	expect(result).toMatchObject({ status: 'Error' });
	expect(result.message).toContain(advice);
});

test('takes a host without a scheme for an https address', async () => {
	// The sandbox speaks no TLS: a request to http:// would succeed.
	const { status, message } = await testCredential(new URL(bench.sandbox.url).host);
	expect(status).toBe('Error');
	expect(message).not.toMatch(/invalid.?url/i);
});

test('blames the address and not the key when nothing responds', async () => {
	const { status, message } = await testCredential(`http://127.0.0.1:${await findFreePort()}`);
	expect(status).toBe('Error');
	expect(message).not.toMatch(/unauthorized|key/i);
});

test('blames the Base URL when it returns a web page', async () => {
	const { status, message } = await testCredential(web.url);
	expect(status).toBe('Error');
	expect(message).toMatch(/base url/i);
});
