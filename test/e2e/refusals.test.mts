import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { itemsOf, type JsonObject } from '../../tools/n8n/execution.mts';
import type { CredentialReference } from '../../tools/n8n/workflow.mts';
import { differencesOf } from '../../tools/n8n/release.mts';
import { givenToTests, OwnN8n } from '../n8n/instances.mts';
import { credentialType, N8nSetup, tested } from '../n8n/n8nSetup.mts';
import { WebhookTrigger } from '../n8n/triggers.mts';

// Requests that n8n, or the outbound proxy of its network, refuses: the service gets none of them.

let setup: N8nSetup;
afterEach(async () => await setup.clear());

async function open(env: NodeJS.ProcessEnv): Promise<void> {
	setup = new N8nSetup({ n8n: new OwnN8n(env) });
	await setup.open();
}

const continues = { onError: 'continueErrorOutput' };
const people = [{ name: 'Ada' }, { name: 'Ben' }];
const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };

const reach = async (baseUrl: string): Promise<CredentialReference> => {
	const data = { baseUrl, apiKey: setup.sandbox.apiKey };
	return await setup.client.createCredential(credentialType, 'Other', data);
};

/** Two people who are not created, as the error output shows them. */
async function failToCreate(credential: CredentialReference): Promise<JsonObject[]> {
	const given = { ...continues, credentials: { [credentialType]: credential } };
	const execution = await setup.run(create, people, given);
	const failed = itemsOf(execution, tested, 1).map(({ json }) => json);
	expect(failed).toHaveLength(2);
	return failed;
}

const { hasSsrfProtection } = differencesOf(givenToTests().release.version);

(hasSsrfProtection ? describe : describe.skip)(
	"n8n's protection against requests to internal addresses",
	() => {
		const refused = 'n8n refused to send the request';
		const setting = 'N8N_SSRF_ALLOWED_HOSTNAMES';

		beforeAll(async () => {
			await open({ N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' });
		}, 360_000);
		afterAll(async () => await setup.close());

		test('leaves no doubt, and is not tried again', async () => {
			for (const { error, details } of await failToCreate(setup.credential)) {
				expect(error).toContain(refused);
				expect(details).toMatchObject({ maybeDone: false, attempts: 1 });
				expect((details as JsonObject).description).toContain(setting);
			}
			expect(setup.sandbox.requests).toEqual([]);
		});

		test('fails the test of the credential with the words of n8n', async () => {
			const { url: baseUrl, apiKey } = setup.sandbox;
			const data = { baseUrl, apiKey };
			const test = await setup.client.testCredential(credentialType, data, setup.credential);
			expect(test).toMatchObject({
				status: 'Error',
				message: expect.stringContaining('restricted'),
			});
		});

		test('fails publishing', async () => {
			const trigger = await WebhookTrigger.create(setup);
			await expect(trigger.publish()).rejects.toThrow(refused);
			expect(setup.sandbox.requests).toEqual([]);
		});
	},
);

describe('an outbound proxy', () => {
	let proxy: Server;

	beforeAll(async () => {
		proxy = createServer().on('connect', (_, socket) =>
			socket.end('HTTP/1.1 407 Login\r\n\r\n', () => socket.destroy()),
		);
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		const { port } = proxy.address() as AddressInfo;
		await open({ HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' });
	}, 360_000);
	afterAll(async () => {
		proxy.close();
		await setup.close();
	});

	test('that responds in place of the service is named, with its setting', async () => {
		for (const { error } of await failToCreate(await reach('https://api.example')))
			expect(error).toContain('A proxy responded in place of the service: check NO_PROXY (407)');
	});
});
