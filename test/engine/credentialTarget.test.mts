import type { IDataObject, IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import { type LocalServer, serve } from '../localServer.mts';
import { runNode } from './engine.mts';

/* Other nodes use the credential through two helpers of n8n. The HTTP Request node uses the older one. */

interface Arrival {
	path: string;
	key: unknown;
}

let service: LocalServer;
let other: LocalServer;
let port: LocalServer;
const arrived: { service: Arrival[]; other: Arrival[]; port: Arrival[] } = {
	service: [],
	other: [],
	port: [],
};
beforeAll(async () => {
	const note = (list: Arrival[], path: string, headers: IDataObject) =>
		list.push({ path, key: headers['x-api-key'] });
	port = await serve(({ path, headers }) => {
		note(arrived.port, path, { ...headers });
		return { body: '{}' };
	});
	other = await serve(({ path, headers }) => {
		note(arrived.other, path, { ...headers });
		return { body: '{}' };
	});
	service = await serve(({ path, headers }) => {
		note(arrived.service, path, { ...headers });
		return path.startsWith('/redirect')
			? { status: 302, headers: { location: `${elsewhere()}/landed` }, body: '' }
			: { body: '{}' };
	});
});
afterAll(() => {
	service.close();
	other.close();
	port.close();
});
beforeEach(() => {
	for (const list of Object.values(arrived)) list.length = 0;
});

/** The same machine under another name. */
const elsewhere = () => other.url.replace('127.0.0.1', 'localhost');

async function send(helper: 'new' | 'legacy', url: string) {
	return await runNode({
		parameters: { resource: 'webhookSubscription', operation: 'getAll' },
		credential: { baseUrl: service.url, apiKey: 'secret-key' },
		prepare: (node) => {
			node.execute = async function (this: IExecuteFunctions) {
				const method: IHttpRequestMethods = 'GET';
				const sent: unknown =
					helper === 'new'
						? await this.helpers.httpRequestWithAuthentication.call(this, 'pageAudienceApi', {
								method,
								url,
							})
						: await this.helpers.requestWithAuthentication.call(this, 'pageAudienceApi', {
								method,
								uri: url,
								json: true,
							});
				return [[{ json: { sent: JSON.stringify(sent) } }]];
			};
		},
	});
}

describe.each(['new', 'legacy'] as const)('the %s helper of n8n', (helper) => {
	test('sends the key to the Base URL', async () => {
		const { status } = await send(helper, `${service.url}/v0/persons`);
		expect(status).toBe('success');
		expect(arrived.service).toEqual([{ path: '/v0/persons', key: 'secret-key' }]);
	});

	test('sends nothing to another host, another port, or a host in the place of a password', async () => {
		for (const url of [elsewhere(), port.url, service.url.replace('://', '://127.0.0.1@') + '0'])
			await send(helper, url);
		const { error } = await send(helper, `${elsewhere()}/v0/persons?secret=1`);
		expect(`${error?.message} ${error?.description}`).toContain(
			`The API key goes only to the Base URL, ${service.url}, and this request goes to ${elsewhere()}. Correct the URL, or use another credential.`,
		);
		expect(arrived).toEqual({ service: [], other: [], port: [] });
	});

	test('does not follow a redirect to another host', async () => {
		const { status } = await send(helper, `${service.url}/redirect`);
		expect(status).toBe('error');
		expect(arrived.service).toHaveLength(1);
		expect(arrived.other).toEqual([]);
	});
});
