import type { IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import { type LocalServer, serve } from '../localServer.mts';
import { runNode } from './engine.mts';

/* Other nodes use the credential through two helpers of n8n. The HTTP Request node uses the older one. */

let arrived: Array<[server: string, path: string, key: unknown]>;
let service: LocalServer;
let other: LocalServer;
beforeEach(async () => {
	arrived = [];
	other = await serve(({ path, headers }) => {
		arrived.push(['other', path, headers['x-api-key']]);
		return { body: '{}' };
	});
	service = await serve(({ path, headers }) => {
		arrived.push(['service', path, headers['x-api-key']]);
		const location = `${elsewhere()}/landed`;
		return path.startsWith('/redirect') ? { status: 302, headers: { location } } : { body: '{}' };
	});
});
afterEach(() => {
	service.close();
	other.close();
});

/** The same machine under another name. */
const elsewhere = () => other.url.replace('127.0.0.1', 'localhost');

describe.each(['httpRequest', 'request'] as const)('the helper %sWithAuthentication', (helper) => {
	async function send(url: string) {
		const method: IHttpRequestMethods = 'GET';
		return await runNode({
			parameters: { resource: 'webhookSubscription', operation: 'getAll' },
			credential: { baseUrl: service.url, apiKey: 'secret-key' },
			prepare: (node) => {
				node.execute = async function (this: IExecuteFunctions) {
					const { httpRequestWithAuthentication, requestWithAuthentication } = this.helpers;
					if (helper === 'httpRequest')
						await httpRequestWithAuthentication.call(this, 'pageAudienceApi', { method, url });
					else await requestWithAuthentication.call(this, 'pageAudienceApi', { method, uri: url });
					return [[]];
				};
			},
		});
	}

	test('sends the key to the Base URL', async () => {
		const { status } = await send(`${service.url}/v0/persons`);
		expect(status).toBe('success');
		expect(arrived).toEqual([['service', '/v0/persons', 'secret-key']]);
	});

	test('sends nothing to another host, another port, or a host in the place of a password', async () => {
		for (const url of [elsewhere(), other.url, service.url.replace('://', '://127.0.0.1@') + '0'])
			await send(url);
		const { error } = await send(`${elsewhere()}/v0/persons?secret=1`);
		expect(`${error?.message} ${error?.description}`).toContain(
			`The API key goes only to the Base URL, ${service.url}, and this request goes to ${elsewhere()}. Correct the URL, or use another credential.`,
		);
		expect(arrived).toEqual([]);
	});

	test('does not follow a redirect to another host', async () => {
		const { status } = await send(`${service.url}/redirect`);
		expect(status).toBe('error');
		expect(arrived).toEqual([['service', '/redirect', 'secret-key']]);
	});
});
