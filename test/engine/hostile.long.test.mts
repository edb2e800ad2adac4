import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { findCase, operationNames } from './cases/index.mts';
import { runHostile } from './hostile.mts';
import { openStage } from './stage.mts';

const stage = openStage({ validateResponses: false });

const run = async (parameters: INodeParameters, items: IDataObject[]) =>
	await runHostile(stage, parameters, items);

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

	test.each(operationNames)('%s survives them in every parameter', async (operation) => {
		const each = findCase(stage.sandbox, operation);
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
		// Every item was sent or reported.
		expect(told.length + requests.length).toBeGreaterThanOrEqual(items.length);
	});

	/** The fields of the input item that expressions in the parameters read. */
	function findReferences(parameters: INodeParameters): string[] {
		const found = JSON.stringify(parameters).matchAll(/\$json\.(\w+)/g);
		return [...new Set([...found].map(([, name]) => name))];
	}

	test('objects, lists and null are never sent as text', async () => {
		const parameters = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };
		const { told, requests } = await run(parameters, [
			{ name: {} },
			{ name: ['a'] },
			{ name: null },
			{ name: [] },
		]);
		expect(requests).toEqual([]);
		expect(told).toEqual([
			'Name must be text, but is an object [item 0]',
			'Name must be text, but is an array [item 1]',
			'Name is required [item 2]',
			'Name must be text, but is an array [item 3]',
		]);
	});
});

describe('names of built-in object members', () => {
	const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
	const log = { resource: 'personLog', operation: 'create', source: 'test' };

	test('are ordinary field names', async () => {
		const assignments = names.map((name, i) => ({
			id: `${i}`,
			name,
			value: '={{ $json.v }}',
			type: 'string',
		}));
		const parameters = { ...log, payloadFields: { assignments } };
		await run(parameters, [{ v: 'a' }, { v: 'b' }]);
		for (const [i, { rawBody }] of stage.sandbox.requests.entries()) {
			for (const name of names) expect(rawBody).toContain(`"${name}":"${'ab'[i]}"`);
		}
		expect(stage.sandbox.requests).toHaveLength(2);
	});

	test('are ordinary members of JSON', async () => {
		const payload = `{${names.map((name) => `"${name}":{"polluted":true}`).join()}}`;
		await run({ ...log, payloadMode: 'json', payload: '={{ $json.p }}' }, [
			{ p: payload },
			{ p: payload },
		]);
		for (const { rawBody } of stage.sandbox.requests) expect(rawBody).toContain(payload);
		expect(stage.sandbox.requests).toHaveLength(2);
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
		expect(stage.sandbox.requests).toEqual([]);
	});
});

describe('Unicode', () => {
	const create = { resource: 'person', operation: 'create', name: '={{ $json.name }}' };

	test('accepts 255 emoji and rejects 256', async () => {
		const { told, bodies } = await run(create, [
			{ name: '😀'.repeat(255) },
			{ name: '😀'.repeat(256) },
		]);
		expect(bodies).toEqual([{ name: '😀'.repeat(255) }]);
		expect(told).toEqual([expect.stringContaining('has 256')]);
		expect(stage.sandbox.requests[0].status).toBe(201);
	});

	test('sends names unchanged, but for what nobody sees around them', async () => {
		const names = [
			'\u202eevil',
			'e\u0301',
			'\ufeffx',
			'a\u0000b',
			'👩‍👩‍👧',
			'"Ada\\',
			'a\u2028b',
			'</script>',
		];
		const { bodies } = await run(
			create,
			names.map((name) => ({ name })),
		);
		const seen = names.map((name) => ({ name: name.replace(/[\u202e\ufeff]/, '') }));
		expect(bodies).toEqual(seen);
	});

	test('replaces half an emoji in a query and escapes it in a body', async () => {
		const search = { resource: 'person', operation: 'search', query: '={{ $json.q }}', limit: 1 };
		const { told, requests } = await run(search, [{ q: 'a\ud83d' }, { q: 'a😀' }]);
		expect(requests).toEqual(['GET /v0/persons/search', 'GET /v0/persons/search']);
		expect(told).toEqual([]);
		await run(create, [{ name: 'a\ud83d' }, { name: 'b' }]);
		expect(stage.sandbox.requests[0].rawBody).toBe('{"name":"a\\ud83d"}');
	});
});

test('keeps the message short when ten megabytes of text are rejected', async () => {
	const text = 'Ab '.repeat(3_500_000);
	const create = { resource: 'personLog', operation: 'create', source: '={{ $json.source }}' };
	const { told } = await run({ ...create, payloadMode: 'inputItem' }, [
		{ source: 'a', text },
		{ source: text },
	]);
	expect(told).toHaveLength(2);
	expect(told[0]).toMatch(/too large|was lost/);
	expect(told[1]).toMatch(/^Source is invalid: .*100 characters/);
});
