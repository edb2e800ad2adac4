import type { CredentialTest } from '../../tools/n8n/client.mts';
import { findFreePort } from '../../tools/ports.mts';
import { serve, type LocalServer } from '../localServer.mts';
import { openWorkbench, type Workbench } from './workbench.mts';

let bench: Workbench;
let web: LocalServer;
beforeAll(async () => {
	bench = await openWorkbench();
	web = await serve((_, response) => {
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end('<!doctype html><title>Welcome</title>');
	});
});
afterAll(async () => {
	web.close();
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
	expect(message).toMatch(/unauthorized|key/i);
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
