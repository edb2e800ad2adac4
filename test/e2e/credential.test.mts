import { itemsOf } from '../../tools/n8n/execution.mts';
import { differencesOf } from '../../tools/n8n/release.mts';
import { type LocalServer, serve } from '../localServer.mts';
import { givenToTests } from '../n8n/instances.mts';
import { credentialType, setUpN8n, tested } from '../n8n/n8nSetup.mts';

const setup = setUpN8n();
/** A web page, and what redirects to another one. */
let other: LocalServer;
beforeAll(async () => {
	const headers = { 'content-type': 'text/html', location: 'https://elsewhere.example/' };
	const body = '<!doctype html>Welcome';
	other = await serve(({ path }) => ({ status: path.includes('away') ? 302 : 200, headers, body }));
});
afterAll(() => other.close());

async function testCredential(baseUrl: string, apiKey = setup.sandbox.apiKey) {
	// Older releases of n8n test the values of stored credentials only.
	return await setup.client.testCredential(credentialType, { baseUrl, apiKey }, setup.credential);
}

test.each(['', '/', '/v0', '/v0/persons?limit=1'])(
	'accepts the right key at the address with "%s" behind it',
	async (end) => {
		expect(await testCredential(setup.sandbox.url + end)).toMatchObject({ status: 'OK' });
	},
);

test('works with a restriction to other hosts, which is for other nodes', async () => {
	const { client, sandbox } = setup;
	const restriction = { allowedHttpRequestDomains: 'domains', allowedDomains: 'else.example' };
	const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...restriction };
	const credential = await client.createCredential(credentialType, 'Restricted', data);
	const { status } = await client.testCredential(credentialType, data, credential);
	expect(status).toBe('OK');
	const read = { resource: 'person', operation: 'getAll', limit: 1 };
	const settings = { credentials: { [credentialType]: credential } };
	expect(itemsOf(await setup.run(read, [{}, {}], settings), tested)).toHaveLength(2);
});

/** Older releases lose the response, and with it what the credential says about it. */
const { readsResponseCodes } = differencesOf(givenToTests().release.version);

test('reports a wrong key', async () => {
	const { status, message } = await testCredential(setup.sandbox.url, 'wrong-key');
	const said = readsResponseCodes ? 'The API key was rejected (401)' : 'Authorization failed';
	expect([status, message]).toEqual(['Error', expect.stringContaining(said)]);
});

(readsResponseCodes ? test : test.skip)('follows no redirect, and says so', async () => {
	const { message } = await testCredential(`${other.url}/away`);
	expect(message).toContain('The service redirected the request');
});

test.each([
	['a web page', () => other.url, /base url/i],
	['what is no web address', () => 'nowhere', 'is not a web address'],
	['a password', () => 'http://ada:pa55@127.0.0.1', 'Remove them'],
])('an address with %s is reported', async (_, write, said) => {
	const { status, message } = await testCredential(write());
	expect([status, message]).toEqual(['Error', expect.stringMatching(said)]);
	expect(message).not.toContain('pa55');
});
