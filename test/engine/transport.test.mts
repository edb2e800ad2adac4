import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkedTo, type Run, type RunResult } from './engine.mts';
import { serve, type LocalServer } from '../localServer.mts';
import { openStage } from './stage.mts';

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
const restore = {
	resource: 'audience',
	operation: 'restore',
	pageId: '={{ $json.page }}',
	audienceId: '={{ $json.audience }}',
};
const items = [
	{ name: 'Ann', limit: 2, page: 'page_1', audience: 'audience_1' },
	{ name: 'Bob', limit: 3, page: 'page_2', audience: 'audience_2' },
];
const once = { concurrency: 1, maxRetries: 0 };

const run = async (parameters: IDataObject, more: Partial<Run> = {}): Promise<RunResult> =>
	await stage.run({ options: once, ...parameters } as INodeParameters, more.items ?? items, more);

const credentialFor = (baseUrl: string) => ({
	credential: { baseUrl, apiKey: stage.sandbox.apiKey },
});

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

describe.each([301, 302, 303, 307, 308])('a redirect with %d', (status) => {
	test.each([
		['a list', list],
		['a write', create],
	])('is not followed for %s', async (_, parameters) => {
		const seen: string[] = [];
		const other = await open(({ path }) => {
			seen.push(path);
			return { body: '{"items":[],"hasMore":false}' };
		});
		const first = await open(() => ({ status, headers: { location: `${other}/v0/persons` } }));
		const result = await run(parameters, {
			...credentialFor(first),
			onError: 'continueRegularOutput',
		});
		expect(seen).toEqual([]);
		expect(result.output).toHaveLength(2);
		for (const { json } of result.output) {
			expect(json.error).toMatch(new RegExp(`^The service redirected the request \\(${status}\\)`));
		}
	});
});

describe('the API key', () => {
	test('is sent only in its header', async () => {
		await run(create);
		await run(list);
		for (const { headers, path, rawQuery, rawBody } of stage.sandbox.requests) {
			const { 'x-api-key': key, ...rest } = headers;
			expect(key).toBe(stage.sandbox.apiKey);
			expect(JSON.stringify([rest, path, rawQuery, rawBody])).not.toContain(stage.sandbox.apiKey);
		}
		expect(stage.sandbox.requests).toHaveLength(4);
	});

	test('is trimmed of spaces and line breaks', async () => {
		const apiKey = ` \n${stage.sandbox.apiKey}\r\n`;
		const { error } = await run(list, { credential: { baseUrl: stage.sandbox.url, apiKey } });
		expect(error).toBeUndefined();
	});

	test('is sent once when it is rejected', async () => {
		const credential = { baseUrl: stage.sandbox.url, apiKey: 'another-key' };
		for (const parameters of [create, list]) {
			stage.sandbox.requests.length = 0;
			const { error } = await run(
				{ ...parameters, options: {} },
				{ credential, items: [items[0]] },
			);
			expect(error?.message).toBe('The API key was rejected (401)');
			expect(stage.sandbox.requests).toHaveLength(1);
		}
	});

	test.each([
		{ kind: 'status', status: 401, body: { message: 'Unknown key key-that-nobody-may-see' } },
		{ kind: 'status', status: 500, body: '<p>key-that-nobody-may-see</p>' },
		{ kind: 'answer', status: 200, body: 'key-that-nobody-may-see' },
		{ kind: 'resetBefore' },
		{ kind: 'cutBody' },
	] as const)('appears in nothing that is shown after %j', async (fault) => {
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			stage.sandbox.faults.add({ ...fault, times: 2 });
			const result = await run(create, { onError });
			expect(visible(result)).not.toContain(stage.sandbox.apiKey);
			expect(result.error ?? result.errors[0]).toBeDefined();
			stage.sandbox.faults.clear();
		}
	});

	test('is not quoted when it cannot be a header', async () => {
		const apiKey = 'key\u0001with\u{1F600}odd';
		const result = await run(list, { credential: { baseUrl: stage.sandbox.url, apiKey } });
		expect(result.error?.message).toMatch(/API key|cannot be reached/);
		expect(visible(result)).not.toMatch(/key.{1,2}with/u);
	});
});

describe('a response that the API does not document', () => {
	const html = '<!doctype html><title>Log in</title>';
	const answers: Array<[what: string, status: number, body: unknown]> = [
		['HTML with 200', 200, html],
		['an empty 200', 200, ''],
		['an empty 201', 201, ''],
		['an empty 204', 204, ''],
		['broken JSON', 200, '{"items":[{"personId":'],
		['a list in place of an object', 200, [{ name: 'x' }]],
		['null', 200, 'null'],
		['a text as JSON', 200, '"ok"'],
	];
	describe.each(answers)('%s', (_, status, body) => {
		test.each([
			['a record', create],
			['a list', list],
		])('where %s is expected', async (_kind, parameters) => {
			const headers = {
				'content-type':
					typeof body === 'string' && body === html ? 'text/html' : 'application/json',
			};
			stage.sandbox.faults.add({ kind: 'answer', status, body, headers, skip: 1 });
			const { output } = await run(parameters, { onError: 'continueRegularOutput' });
			const bad = linkedTo(output, 1);
			expect(bad).toHaveLength(1);
			expect(bad[0].json.error).toMatch(
				/^The service responded with something other than a record/,
			);
			expect(bad[0].json.error).toContain(`(${status})`);
			expect(stage.sandbox.requests).toHaveLength(2);
		});
	});

	test.each([
		['items that are no list', { items: {}, hasMore: false }],
		['no items', { hasMore: false, totalCount: 0 }],
		['null items', { items: null }],
	])('%s', async (_, body) => {
		stage.sandbox.faults.add({ kind: 'answer', body, skip: 1 });
		const { error, output } = await run(list);
		expect(error?.message).toContain('something other than a list');
		expect(output).toEqual([]);
	});

	test('reports a truncated body as a lost connection', async () => {
		stage.sandbox.faults.add({ kind: 'cutBody', skip: 1 });
		const { error, output } = await run(list);
		expect(error?.message).toMatch(/^The connection was lost .* \[item 1\]$/);
		expect(output).toEqual([]);
	});

	test('reports a service that does not respond in time', async () => {
		stage.sandbox.faults.add({ kind: 'latency', ms: 2000, times: 2 });
		const parameters = { ...list, options: { ...once, timeout: 100 } };
		const { errors } = await run(parameters, { onError: 'continueErrorOutput' });
		expect(errors.map(({ json }) => json.error)).toEqual(
			items.map((_, i) => `The service did not respond in time [item ${i}]`),
		);
	});
});

describe('the base URL', () => {
	test.each(['/', '//', '/v0', '/v0/', ' '])('may end in %j', async (tail) => {
		const { error, output } = await run(list, credentialFor(stage.sandbox.url + tail));
		expect(error).toBeUndefined();
		expect(output).toHaveLength(5);
		expect(stage.sandbox.requests.map(({ path }) => path)).toEqual(['/v0/persons', '/v0/persons']);
	});

	test.each(['api.example.invalid', 'localhost:1', '127.0.0.1:1/v0'])(
		'%j means https',
		async (baseUrl) => {
			const { error } = await run(list, credentialFor(baseUrl));
			expect(error?.message).toContain('The service cannot be reached');
		},
	);

	test.each(['', 'not a URL', 'ftp://127.0.0.1', 'nowhere', 'some-api-key:80'])(
		'%j is rejected',
		async (baseUrl) => {
			const { error } = await run(list, credentialFor(baseUrl));
			expect(error?.message).toContain('The Base URL in the credential is not a web address');
			const going = await run(list, { ...credentialFor(baseUrl), onError: 'continueErrorOutput' });
			expect(going.errors.map(({ json }) => json.error)).toEqual(
				items.map((_, i) => `The Base URL in the credential is not a web address [item ${i}]`),
			);
			expect(stage.received).toEqual([]);
		},
	);

	test('with a user name and password is rejected, and not quoted', async () => {
		const baseUrl = stage.sandbox.url.replace('//', '//ada:pa55@');
		const { errors } = await run(list, {
			...credentialFor(baseUrl),
			onError: 'continueErrorOutput',
		});
		expect(errors.map(({ json }) => json.error)).toEqual(
			items.map(
				(_, i) =>
					`The Base URL in the credential contains a user name or password. Remove them, because the nodes send only the API key [item ${i}]`,
			),
		);
		expect(JSON.stringify(errors)).not.toContain('pa55');
		expect(stage.received).toEqual([]);
	});

	test('is blamed, and not the key, when nothing responds', async () => {
		const server = await open(() => ({}));
		others.pop()?.close();
		const { error } = await run(list, credentialFor(server));
		expect(error?.message).toEqual('The service cannot be reached [item 0]');
		expect(error?.description).not.toContain('API Key');
	});

	test('is blamed when another service responds', async () => {
		const url = await open(() => ({ status: 404, headers: {}, body: '<h1>Nothing</h1>' }));
		const { error } = await run(list, credentialFor(url));
		expect(error?.message).toBe('GET /v0/persons was not found (404) [item 0]');
		expect(error?.description).toContain('Base URL');
	});
});

test('an empty object is sent as the body', async () => {
	await run(restore, { onError: 'continueRegularOutput' });
	expect(stage.sandbox.requests.map(({ rawBody }) => rawBody)).toEqual(['{}', '{}']);
	for (const { headers } of stage.sandbox.requests) {
		expect(headers['content-type']).toBe('application/json');
		expect(headers['content-length']).toBe('2');
	}
});
