import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { describeCases } from './cases/index.mts';
import { runHostile } from './hostile.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ validateResponses: false });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const run = async (parameters: INodeParameters, items: IDataObject[]) =>
	await runHostile(sandbox, parameters, items);

describe('values of other types', () => {
	const odd: unknown[] = [
		0,
		-1,
		1e21,
		true,
		false,
		null,
		'',
		' ',
		'null',
		'[]',
		'{}',
		[],
		{},
		[[]],
		['a'],
		[{ a: 1 }],
		{ a: 1 },
		{ toString: 1 },
		{ value: { value: 'a' } },
		{ length: 3 },
		'a,b',
		'["a"',
		'__proto__',
		'constructor',
		'\ud800',
		'😀'.repeat(300),
		'x'.repeat(50_000),
	];

	test.each(Array.from({ length: 23 }, (_, i) => i))(
		'operation %i meets them in every parameter',
		async (index) => {
			const each = describeCases(sandbox)[index];
			const items = findReferences(each.parameters).flatMap((name) =>
				odd.map((value) => ({ ...each.items[0], [name]: value }) as IDataObject),
			);
			const options = { ...(each.parameters.options as object), concurrency: 20, maxRetries: 0 };
			const { requests, told } = await run({ ...each.parameters, options }, items);
			const [method, path] = each.sends[0].request.split(' ');
			const segments = path.split('/');
			for (const request of requests) {
				expect(request.startsWith(`${method} /v0/${segments[2]}`)).toBe(true);
				expect(request.split('/')).toHaveLength(segments.length);
			}
			// None is lost: each was told about or sent.
			expect(told.length + requests.length).toBeGreaterThanOrEqual(items.length);
		},
		20_000,
	);

	/** The members of the input item that the parameters' expressions read. */
	function findReferences(parameters: INodeParameters): string[] {
		const found = JSON.stringify(parameters).matchAll(/\$json\.(\w+)/g);
		return [...new Set([...found].map(([, name]) => name))];
	}

	test('an object, a list and null are never sent as text', async () => {
		const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
		const { told, requests } = await run(parameters, [
			{ name: {} },
			{ name: ['a'] },
			{ name: null },
			{ name: [] },
		]);
		expect(requests).toEqual([]);
		expect(told).toEqual([
			"'Name' must be text, but is an object [item 0]",
			"'Name' must be text, but is a list [item 1]",
			"'Name' is empty [item 2]",
			"'Name' must be text, but is a list [item 3]",
		]);
	});
});

describe('names that objects have by themselves', () => {
	const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
	const log = { resource: 'personLog', operation: 'create', source: 'test' };

	test('are field names like any other', async () => {
		const assignments = names.map((name, i) => ({
			id: `${i}`,
			name,
			value: '={{ $json.v }}',
			type: 'string',
		}));
		const parameters = { ...log, payloadFields: { assignments } };
		await run(parameters, [{ v: 'a' }, { v: 'b' }]);
		for (const [i, { rawBody }] of sandbox.requests.entries()) {
			for (const name of names) expect(rawBody).toContain(`"${name}":"${'ab'[i]}"`);
		}
		expect(sandbox.requests).toHaveLength(2);
	});

	test('are members of JSON like any other', async () => {
		const payload = `{${names.map((name) => `"${name}":{"polluted":true}`).join()}}`;
		await run({ ...log, payloadMode: 'json', payload: '={{ $json.p }}' }, [
			{ p: payload },
			{ p: payload },
		]);
		for (const { rawBody } of sandbox.requests) expect(rawBody).toContain(payload);
		expect(sandbox.requests).toHaveLength(2);
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	test('are no resource, operation, event or choice', async () => {
		for (const name of names) {
			const { told, requests } = await run({ resource: name, operation: name }, [{}, {}]);
			expect(requests).toEqual([]);
			expect(told.join()).toContain('does not exist');
		}
		const parameters = {
			resource: 'webhookSubscription',
			operation: 'update',
			subscriptionId: 'x',
			updateFields: { events: '={{ $json.e }}' },
		};
		const { told } = await run(
			parameters,
			names.map((e) => ({ e: [e] })),
		);
		expect(told).toHaveLength(names.length);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('Unicode', () => {
	const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };

	test('255 emoji pass, 256 do not', async () => {
		const { told, bodies } = await run(create, [
			{ name: '😀'.repeat(255) },
			{ name: '😀'.repeat(256) },
		]);
		expect(bodies).toEqual([{ name: '😀'.repeat(255) }]);
		expect(told).toEqual([expect.stringContaining('has 256')]);
		expect(sandbox.requests[0].status).toBe(201);
	});

	test('texts arrive as they are', async () => {
		const names = [
			'\u202eevil',
			'e\u0301',
			'\ufeffx',
			'a\u0000b',
			'👩‍👩‍👧',
			'‮',
			'"\\',
			'\u2028',
			'</script>',
		];
		const { bodies } = await run(
			create,
			names.map((name) => ({ name })),
		);
		expect(bodies).toEqual(names.map((name) => ({ name })));
	});

	test('half an emoji in a query is refused by name, in a body it is sent as JSON can', async () => {
		const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}', limit: 1 };
		const { told, requests } = await run(search, [{ q: 'a\ud83d' }, { q: 'a😀' }]);
		expect(requests).toEqual(['GET /v0/persons/search']);
		expect(told).toEqual([expect.stringMatching(/^'Query' .*Unicode.* \[item 0\]$/)]);
		await run(create, [{ name: 'a\ud83d' }, { name: 'b' }]);
		expect(sandbox.requests[0].rawBody).toBe('{"name":"a\\ud83d"}');
	});
});

test('ten megabytes of text are told in short, whoever refuses them', async () => {
	const text = 'Ab '.repeat(3_500_000);
	const create = { resource: 'personLog', operation: 'create', source: '={{ $json.source }}' };
	const { told } = await run({ ...create, payloadMode: 'inputItem' }, [
		{ source: 'a', text },
		{ source: text },
	]);
	expect(told).toHaveLength(2);
	expect(told[0]).toMatch(/too large|was lost/);
	expect(told[1]).toMatch(/^'Source' must be 1 to 100 characters/);
});
