import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIP } from 'node:net';
import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';
import { type Arrival, type LocalServer, serve } from '../localServer.mts';
import type { Run } from './engine.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { requestLimits } from '../groups.mts';

/* What n8n's helpers make of requests and responses. unit/api has the tables of what the nodes make of that. */

const setup = setUpActionNode();
let arrived: Array<[path: string, key: unknown]> = [];
const servers: LocalServer[] = [];
afterEach(() => {
	arrived = [];
	for (const server of servers.splice(0)) server.close();
});

/** Keeps what arrives, and responds with `{}` unless told. */
async function open(answer: (arrival: Arrival) => object = () => ({ body: '{}' })) {
	const server = await serve((arrival) => {
		arrived.push([arrival.path, arrival.headers['x-api-key']]);
		return answer(arrival);
	});
	servers.push(server);
	return server.url;
}

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
const list = { resource: 'person', operation: 'getAll', limit: '={{ $json.limit }}' };
const items = [
	{ name: 'Ann', limit: 2 },
	{ name: 'Bob', limit: 3 },
];

async function run(parameters: INodeParameters, more: Partial<Run> = {}) {
	const options = requestLimits({ concurrency: 1, maxRetries: 0, timeout: 1_000 });
	const result = await setup.run({ options, ...parameters }, items, more);
	return { ...result, told: result.output.map(({ json }) => json.error) };
}
const credentialFor = (baseUrl: string, apiKey = setup.sandbox.apiKey) => ({
	credential: { baseUrl, apiKey },
});
const onError = 'continueRegularOutput';

test.each([301, 302, 303, 307, 308])('a redirect with %d is not followed', async (status) => {
	const location = `${await open()}/landed`;
	const first = await open(() => ({ status, headers: { location } }));
	for (const parameters of [list, create]) {
		const { told } = await run(parameters, { ...credentialFor(first), onError });
		expect(told).toEqual(
			[0, 1].map((item) => `The service redirected the request (${status}) [item ${item}]`),
		);
	}
	expect(arrived.map(([path]) => path.split('?')[0])).toEqual(Array(4).fill('/v0/persons'));
});

// Other nodes use the credential through two helpers of n8n. The HTTP Request node uses the older one.
test.each([
	['httpRequestWithAuthentication', 'url'],
	['requestWithAuthentication', 'uri'],
] as const)(
	'the helper %s sends the key to the Base URL only, and follows no redirect',
	async (helper, option) => {
		const other = await open();
		// The same machine under another name.
		const elsewhere = other.replace('127.0.0.1', 'localhost');
		const headers = { location: `${elsewhere}/landed` };
		const service = await open(({ path }) =>
			path === '/redirect' ? { status: 302, headers } : { body: '{}' },
		);
		const send = async (url: string) => {
			const execute = async function (this: IExecuteFunctions) {
				const request = ['pageAudienceApi', { method: 'GET', [option]: url }];
				await (Reflect.apply(this.helpers[helper], this, request) as Promise<unknown>);
				return [[]];
			};
			const prepare = (node: INodeType) => (node.execute = execute);
			return await run(list, { ...credentialFor(service, 'secret-key'), prepare });
		};
		for (const url of [elsewhere, other, service.replace('://', '://127.0.0.1@') + '0'])
			await send(url);
		const { error } = await send(`${elsewhere}/v0/persons?secret=1`);
		expect(`${error?.message} ${error?.description}`).toContain(
			`The API key goes only to the Base URL, ${service}, and this request goes to ${elsewhere}. Correct the URL, or use another credential.`,
		);
		expect(arrived).toEqual([]);
		expect((await send(`${service}/v0/persons`)).status).toBe('success');
		expect((await send(`${service}/redirect`)).status).toBe('error');
		expect(arrived).toEqual([
			['/v0/persons', 'secret-key'],
			['/redirect', 'secret-key'],
		]);
	},
);

test('an API key that cannot be a header is not quoted', async () => {
	const apiKey = 'key\u0001with\u{1F600}odd';
	const { error } = await run(list, credentialFor(setup.sandbox.url, apiKey));
	expect(error?.message).toMatch(/API key|cannot be reached/);
	const shown = [error, error?.message, error?.description, error?.context];
	expect(JSON.stringify(shown)).not.toMatch(/key.{1,2}with/u);
});

test.each([
	['<!doctype html><title>Log in</title>', 200, 'a web page instead of'],
	['', 204, 'something other than'],
	['null', 200, 'something other than'],
])('the response %j with %d fails its item', async (body, status, told) => {
	const headers = { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' };
	setup.sandbox.faults.add({ kind: 'answer', status, body, headers, skip: 1 });
	expect((await run(create, { onError })).told).toEqual([
		undefined,
		`The service responded with ${told} a record (${status}) [item 1]`,
	]);
});

// n8n gives out what it could decompress of a body that ends too early, as a text.
test('a response whose JSON is not complete is asked for once more, or fails its item', async () => {
	const body = '{"hasMore":false,"items":[{"name":"Ada Berg","personId":';
	const cut = { kind: 'answer', body, headers: { 'content-type': 'application/json' } } as const;
	setup.sandbox.faults.add({ ...cut, method: 'GET', skip: 1 });
	setup.sandbox.faults.add({ ...cut, method: 'POST', skip: 1 });
	const options = requestLimits({ concurrency: 1 });
	expect((await run({ ...list, options })).output).toHaveLength(5);
	const { output, told } = await run({ ...create, options }, { onError });
	expect(told).toEqual([
		undefined,
		'The service responded with incomplete or invalid JSON (201) [item 1]',
	]);
	expect(output[1].json.details).toMatchObject({ maybeDone: true, attempts: 1 });
	// A part of a record is no message.
	expect(JSON.stringify(output)).not.toContain('Ada Berg');
});

test('what ends before a request can leave has sent nothing', async () => {
	const lookup = jest.spyOn(dns, 'lookup') as jest.SpyInstance;
	const found = ['127.0.0.1', '::1'].map((address) => ({ address, family: isIP(address) }));
	lookup.mockImplementation((_: string, __: object, tell: (error: null, all: object[]) => void) =>
		tell(null, found),
	);
	const closing = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
	await once(closing, 'listening');
	const { port } = closing.address() as AddressInfo;
	try {
		for (const [baseUrl, said] of [
			[
				'http://two.example:9',
				/^\(connect ECONNREFUSED 127\.0\.0\.1:9; connect \w+ ::1:9.*\) Check/,
			],
			[`https://127.0.0.1:${port}`, /^\(.* before secure TLS connection was established\) Check/],
		] as const) {
			const { output } = await run(create, { ...credentialFor(baseUrl), onError });
			expect(output.map(({ json }) => json)).toMatchObject(
				[0, 1].map((item) => ({
					error: `The service cannot be reached [item ${item}]`,
					details: { maybeDone: false, description: expect.stringMatching(said) as string },
				})),
			);
		}
	} finally {
		lookup.mockRestore();
		closing.close();
	}
});

test.each([
	[{ kind: 'cutBody' }, 'The connection was lost before the response was complete [item 1]'],
	[{ kind: 'latency', ms: 5_000 }, 'The service did not respond in time [item 1]'],
] as const)('a response that is not complete fails its item: %j', async (fault, told) => {
	setup.sandbox.faults.add({ ...fault, skip: 1 });
	const { error, output } = await run(list);
	expect([error?.message, output]).toEqual([told, []]);
});
