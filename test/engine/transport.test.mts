import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type LocalServer, serve } from '../localServer.mts';
import type { Run, RunResult } from './engine.mts';
import { openStage } from './stage.mts';

/* What n8n's helper makes of requests and responses. unit/api has the tables of what the nodes make of that. */

const stage = openStage({ apiKey: 'key-that-nobody-may-see' });
const others: LocalServer[] = [];
afterEach(() => {
	for (const server of others.splice(0)) server.close();
});

async function open(answer: Parameters<typeof serve>[0]): Promise<string> {
	const server = await serve(answer);
	others.push(server);
	return server.url;
}

const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
const list = { resource: 'person', operation: 'getAll', limit: '={{ $json.limit }}' };
const items = [
	{ name: 'Ann', limit: 2 },
	{ name: 'Bob', limit: 3 },
];

const run = async (parameters: IDataObject, more: Partial<Run> = {}): Promise<RunResult> => {
	const options = { concurrency: 1, maxRetries: 0 };
	return await stage.run({ options, ...parameters } as INodeParameters, items, more);
};
const credentialFor = (baseUrl: string, apiKey = stage.sandbox.apiKey) => ({
	credential: { baseUrl, apiKey },
});
const messagesOf = ({ output }: RunResult) => output.map(({ json }) => String(json.error));

/** Everything that a person or another node can see. */
const visible = ({ error, output, errors, hints }: RunResult): string =>
	JSON.stringify([
		error,
		error?.message,
		error?.description,
		error?.context,
		output,
		errors,
		hints,
	]);

test.each([301, 302, 303, 307, 308])('a redirect with %d is not followed', async (status) => {
	const seen: string[] = [];
	const other = await open(({ path }) => {
		seen.push(path);
		return { body: '{"items":[],"hasMore":false}' };
	});
	const first = await open(() => ({ status, headers: { location: `${other}/v0/persons` } }));
	for (const parameters of [list, create]) {
		const result = await run(parameters, {
			...credentialFor(first),
			onError: 'continueRegularOutput',
		});
		expect(messagesOf(result)).toEqual(
			[0, 1].map((item) => `The service redirected the request (${status}) [item ${item}]`),
		);
	}
	expect(seen).toEqual([]);
});

describe('the API key', () => {
	test.each([
		{ kind: 'status', status: 401, body: { message: 'Unknown key key-that-nobody-may-see' } },
		{ kind: 'status', status: 500, body: '<p>key-that-nobody-may-see</p>' },
		{ kind: 'answer', status: 200, body: 'key-that-nobody-may-see' },
	] as const)('appears in nothing that is shown after %j', async (fault) => {
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			stage.sandbox.faults.add({ ...fault, times: 2 });
			const result = await run(create, { onError });
			expect(result.error ?? result.errors[0]).toBeDefined();
			expect(visible(result)).not.toContain(stage.sandbox.apiKey);
			stage.sandbox.faults.clear();
		}
	});

	test('is not quoted when it cannot be a header', async () => {
		const apiKey = 'key\u0001with\u{1F600}odd';
		const result = await run(list, credentialFor(stage.sandbox.url, apiKey));
		expect(result.error?.message).toMatch(/API key|cannot be reached/);
		expect(visible(result)).not.toMatch(/key.{1,2}with/u);
	});
});

test.each([
	['<!doctype html><title>Log in</title>', 200, 'a web page instead of'],
	['', 201, 'something other than'],
	['', 204, 'something other than'],
	['{"items":[{"personId":', 200, 'something other than'],
	['"ok"', 200, 'something other than'],
	['null', 200, 'something other than'],
	['[{ "name": "x" }]', 200, 'something other than'],
])('the response %j with %d fails its item', async (body, status, told) => {
	const headers = { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' };
	stage.sandbox.faults.add({ kind: 'answer', status, body, headers, skip: 1 });
	const result = await run(create, { onError: 'continueRegularOutput' });
	expect(messagesOf(result)).toEqual([
		'undefined',
		`The service responded with ${told} a record (${status}) [item 1]`,
	]);
});

test.each([
	[{ kind: 'cutBody' }, 'The connection was lost before the response was complete [item 1]'],
	[{ kind: 'latency', ms: 5_000 }, 'The service did not respond in time [item 1]'],
] as const)('a response that is not complete fails its item: %j', async (fault, told) => {
	stage.sandbox.faults.add({ ...fault, skip: 1 });
	const options = { concurrency: 1, maxRetries: 0, timeout: 1_000 };
	const { error, output } = await run({ ...list, options });
	expect([error?.message, output]).toEqual([told, []]);
});

describe('the Base URL', () => {
	test.each([
		['no address', 'is not a web address'],
		['http://ada:pa55@127.0.0.1:1', 'contains a user name or password'],
	])('%j is rejected for every item, and not quoted', async (baseUrl, told) => {
		const stopped = await run(list, credentialFor(baseUrl));
		expect(stopped.error?.message).toContain(`The Base URL in the credential ${told}`);
		const more = { ...credentialFor(baseUrl), onError: 'continueRegularOutput' } as const;
		const going = await run(list, more);
		expect(messagesOf(going)).toEqual(Array(2).fill(expect.stringContaining(told)));
		expect(visible(going) + visible(stopped)).not.toMatch(/pa55|no address/);
	});

	test('is blamed, and not the key, when nothing responds', async () => {
		const url = await open(() => ({}));
		others.pop()?.close();
		const { error } = await run(list, credentialFor(url));
		expect(error?.message).toEqual('The service cannot be reached [item 0]');
		expect(error?.description).not.toContain('API Key');
	});
});
