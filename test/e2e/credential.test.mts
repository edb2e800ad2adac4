import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialTest } from '../../tools/n8n/client.mts';
import { itemsOf } from '../../tools/n8n/execution.mts';
import { differencesOf } from '../../tools/n8n/release.mts';
import { findFreePort } from '../../tools/ports.mts';
import { root } from '../../tools/root.mts';
import { serve, type LocalServer } from '../localServer.mts';
import { testedRelease } from './sharedN8n.mts';
import { describeWorkflow, openWorkbench, tested, trigger, type Workbench } from './workbench.mts';

const { readsResponseCodes } = differencesOf(testedRelease().version);

let bench: Workbench;
let web: LocalServer;
/** Answers with the status that its address names. */
let refusing: LocalServer;
beforeAll(async () => {
	bench = await openWorkbench();
	web = await serve(() => ({
		headers: { 'content-type': 'text/html' },
		body: '<!doctype html><title>Welcome</title>',
	}));
	refusing = await serve(({ path }) => ({
		status: Number(path.split('/')[1]),
		headers: { location: 'https://elsewhere.example/' },
		body: '{}',
	}));
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
	// Older releases of n8n test the values of stored credentials only.
	return await bench.client.testCredential(
		'pageAudienceApi',
		{ baseUrl, apiKey },
		bench.credential,
	);
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

test.each([
	{ allowedHttpRequestDomains: 'none' },
	{ allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example' },
])('works with %j, which is for other nodes', async (restriction) => {
	const { client, sandbox } = bench;
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...restriction };
	const credential = await client.createCredential('pageAudienceApi', 'Restricted', data);
	expect(await client.testCredential('pageAudienceApi', data, credential)).toMatchObject({
		status: 'OK',
	});
	const read = { resource: 'person', operation: 'getAll', limit: 1 };
	const { id } = await client.createWorkflow(describeWorkflow(read, credential));
	const input = [{ json: {} }, { json: {} }];
	const execution = await client.waitForExecution(await client.runWorkflow(id, trigger, input));
	expect(itemsOf(execution, tested)).toHaveLength(2);
});

test('reports a wrong key', async () => {
	const { status, message } = await testCredential(bench.sandbox.url, 'wrong-key');
	expect(status).toBe('Error');
	expect(message).toBe(
		readsResponseCodes
			? 'The API key was rejected (401). Check the API Key.'
			: 'Authorization failed - please check your credentials',
	);
});

const testWithCodes = readsResponseCodes ? test : test.skip;
testWithCodes.each([
	[302, 'The address redirects to another one. Enter that one as the Base URL.'],
	[400, 'The address rejected the request (400). This does not look like the Page Audience API.'],
	[403, 'The API key has no access (403).'],
	[404, 'Nothing was found at this address (404). Check the Base URL.'],
	[429, 'Rate limit reached (429). Wait a minute and test again.'],
	[503, 'The service failed or is unavailable. Test again later.'],
	[522, 'The service failed or is unavailable. Test again later.'],
])('says what to do after a response with %d', async (status, advice) => {
	const result = await testCredential(`${refusing.url}/${status}`);
	expect(result).toMatchObject({ status: 'Error' });
	expect(result.message).toContain(advice);
});

test('asks for the scheme of a local address', async () => {
	// The sandbox speaks no TLS: n8n would show EPROTO alone.
	const { status, message } = await testCredential(new URL(bench.sandbox.url).host);
	expect(status).toBe('Error');
	expect(message).toContain('Enter the Base URL with http:// or https:// in front.');
});

test.each(['nowhere', 'https://', 'ftp://api.example.com', 'http://a b'])(
	'says that "%s" is no web address',
	async (baseUrl) => {
		expect(await testCredential(baseUrl)).toEqual({
			status: 'Error',
			message:
				'The Base URL in the credential is not a web address. Enter one such as https://api.example.com.',
		});
	},
);

test('says that the user name and password in an address are not sent', async () => {
	const { host } = new URL(bench.sandbox.url);
	const { status, message } = await testCredential(`http://ada:pa55@${host}`);
	expect(status).toBe('Error');
	expect(message).toContain('contains a user name or password. Remove them');
	expect(message).not.toContain('pa55');
});

test('when nothing responds, n8n shows the code that the documentation explains', async () => {
	// No rule of a credential is asked in this case.
	const result = await testCredential(`http://127.0.0.1:${await findFreePort()}`);
	const message = readsResponseCodes
		? 'ECONNREFUSED'
		: 'The service refused the connection - perhaps it is offline';
	expect(result).toEqual({ status: 'Error', message });
	expect(readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')).toContain('`ECONNREFUSED`');
});

test('blames the Base URL when it returns a web page', async () => {
	const { status, message } = await testCredential(web.url);
	expect(status).toBe('Error');
	expect(message).toMatch(/base url/i);
});
