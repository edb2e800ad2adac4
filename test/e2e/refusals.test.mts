import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { itemsOf } from '../../tools/n8n/execution.mts';
import { differencesOf } from '../../tools/n8n/release.mts';
import { givenToTests, OwnN8n } from '../n8n/instances.mts';
import { credentialType, type N8nSetup, setUpN8n, tested } from '../n8n/n8nSetup.mts';
import { WebhookTrigger } from '../n8n/triggers.mts';

// Requests that n8n, or the outbound proxy of its network, refuses: the service gets none of them.

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };

/** Two people who are not created, as the error output shows them. */
async function failToCreate(setup: N8nSetup, credential = setup.credential) {
	const credentials = { [credentialType]: credential };
	const settings = { onError: 'continueErrorOutput', credentials };
	const execution = await setup.run(create, [{ name: 'Ada' }, { name: 'Ben' }], settings);
	return itemsOf(execution, tested, 1).map(({ json }) => json);
}

const { hasSsrfProtection } = differencesOf(givenToTests().release.version);

(hasSsrfProtection ? describe : describe.skip)("n8n's protection of internal addresses", () => {
	const refused = 'n8n refused to send the request';
	const env = { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' };
	const setup = setUpN8n({ n8n: new OwnN8n(env) });
	afterEach(async () => {
		expect(setup.sandbox.requests).toEqual([]);
		await setup.clear();
	});

	test('leaves no doubt, and is not tried again', async () => {
		const description = expect.stringContaining('N8N_SSRF_ALLOWED_HOSTNAMES') as string;
		const failed = {
			error: expect.stringContaining(refused) as string,
			details: { maybeDone: false, attempts: 1, description },
		};
		expect(await failToCreate(setup)).toMatchObject([failed, failed]);
	});

	test('fails the test of the credential with the words of n8n', async () => {
		const { client, credential, sandbox } = setup;
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const test = await client.testCredential(credentialType, data, credential);
		const message = expect.stringContaining('restricted') as string;
		expect(test).toMatchObject({ status: 'Error', message });
	});

	test('fails publishing', async () => {
		const trigger = await WebhookTrigger.create(setup);
		await expect(trigger.publish()).rejects.toThrow(refused);
	});
});

describe('an outbound proxy', () => {
	const proxy = createServer()
		.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Login\r\n\r\n', () => socket.destroy()))
		.listen(0)
		.unref();
	const { port } = proxy.address() as AddressInfo;
	const env = { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' };
	const setup = setUpN8n({ n8n: new OwnN8n(env) });
	afterAll(() => proxy.close());

	test('that responds in place of the service is named, with its setting', async () => {
		const data = { baseUrl: 'https://api.example', apiKey: 'any' };
		const other = await setup.client.createCredential(credentialType, 'Other', data);
		const told = 'A proxy responded in place of the service: check NO_PROXY (407)';
		const failed = { error: expect.stringContaining(told) as string };
		expect(await failToCreate(setup, other)).toMatchObject([failed, failed]);
	});
});
