import { readFileSync } from 'node:fs';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	describeSent,
	expectRecords,
	findCase,
	operationNames,
	operationsWith,
	withoutToday,
} from './cases/index.mts';
import { allOperations, linkedTo, originOf, type Run, unexpectedWords } from './engine.mts';
import { runOffline } from './offline.mts';
import { setUpActionNode } from './actionNodeSetup.mts';
import { asFile } from '../groups.mts';

const setup = setUpActionNode();

/** The operations of several requests, which have tests of their own. */
const composed: Record<string, INodeParameters> = {
	'account.upsert': { domain: '={{ $json.domain }}', name: '={{ $json.name }}' },
	'audienceSession.getByFormSubmission': {
		pageId: '={{ $json.page }}',
		identifier: '={{ $json.session }}',
	},
	'person.createOrGet': { email: '={{ $json.email }}', name: '={{ $json.name }}' },
	'webhookSubscription.check': { subscriptionId: '={{ $json.subscription }}' },
};

test('every operation has a case', () => {
	expect([...operationNames, ...Object.keys(composed)].sort()).toEqual(allOperations.sort());
});

test.each([
	['person', 'getNothing', 'getNothing'],
	['nothing', 'create', ''],
	['__proto__', 'constructor', ''],
])('%s > %s that does not exist is named', async (resource, operation, named) => {
	const { error } = await setup.run({ resource, operation }, [{}, {}]);
	expect(error?.message).toBe(
		`The operation '${named}' of the resource '${resource}' does not exist`,
	);
	expect(error?.description).toContain('update the package');
	expect(setup.received).toEqual([]);
});

describe.each(operationNames)('%s', (operation) => {
	test('sends the values of each item, and returns its records unchanged, in input order', async () => {
		const each = findCase(setup.sandbox, operation);
		const { error, output } = await setup.run(each.parameters, each.items);
		expect(error).toBeUndefined();
		expect(setup.sandbox.requests.map(describeSent)).toEqual(each.sends);
		const { apiKey, requests } = setup.sandbox;
		for (const { headers, rawBody, ...request } of requests) {
			expect(headers).toMatchObject({ 'x-api-key': apiKey, accept: 'application/json' });
			expect(headers['content-type']).toBe(rawBody ? 'application/json' : undefined);
			expect(JSON.stringify([rawBody, request])).not.toContain(apiKey);
		}
		const records = expectRecords(each);
		expect(records.map(({ length }) => length)).not.toContain(0);
		expect(withoutToday(output.map(({ json, pairedItem }) => ({ json, pairedItem })))).toEqual(
			records.flatMap((own, item) => own.map((json) => ({ json, pairedItem: { item } }))),
		);
	});

	test('does not take an error for a record, whatever its status is', async () => {
		const { parameters, items, sends } = findCase(setup.sandbox, operation);
		setup.sandbox.faults.add({ kind: 'answer', status: 200, body: { error: 'Locked' } });
		const onError = 'continueErrorOutput';
		const { output, errors } = await setup.run(parameters, items, { onError });
		const [{ request: endpoint }] = sends;
		const error = expect.stringContaining('responded with something other than') as string;
		const details = { endpoint, maybeDone: !endpoint.startsWith('GET ') };
		expect(errors).toMatchObject([
			{ json: { ...items[0], error, details }, pairedItem: { item: 0 } },
		]);
		expect(new Set(output.map(originOf))).toEqual(new Set([1]));
	});
});

/** Values of other types than a field expects, and texts that try to leave their segment of a path. */
const hostileValues: unknown[] = [
	...[0, -1, 1e21, true, false, null, '', ' ', 'null', '[]', '{}', 'a,b', '["a"'],
	...[[], {}, [[]], ['a'], [{ a: 1 }], { a: 1 }, { toString: 1 }, { value: { value: 'a' } }],
	...['__proto__', 'constructor', 'toString', '😀'.repeat(300), 'x'.repeat(50_000), { length: 3 }],
	...['..', '.', '../..', '../../persons', '%2e%2e', '%2E%2E/persons', '..%2f..%2fpersons', 'a/b'],
	...['/', '\\..\\persons', 'a?limit=1', '?', '#', 'a#b', 'a;b=c', '//other.example/'],
	...['@a.example', 'http://other.example/v0/persons', 'a b', '\t\n', '\ud83d', '\udc00x'],
	...['a\u0000b', '..\u200b', 'a\r\nx-evil: 1', 'ａ'],
];

test.each(operationNames)('%s sends any value of any field to its own path', async (operation) => {
	const { parameters, items, sends } = findCase(setup.sandbox, operation);
	const [usual] = items;
	const fields = new Set(JSON.stringify(parameters).match(/(?<=\$json\.)\w+/g));
	const odd = [...fields].flatMap((name) =>
		hostileValues.map((value) => ({ ...usual, [name]: value }) as IDataObject),
	);
	// All of them fail, because the service knows no record.
	const { output, exchanges } = await runOffline({
		answer: () => ({ status: 404, body: {} }),
		// As many at once as usual.
		parameters: { ...parameters, options: { ...(parameters.options as object), requests: {} } },
		items: [usual, ...odd],
		onError: 'continueRegularOutput',
	});
	expect(output).toHaveLength(1 + odd.length);
	for (const { json } of output) {
		expect(json.error).not.toMatch(unexpectedWords);
		expect(String(json.error).length).toBeLessThan(1_000);
	}
	const [method, path] = sends[0].request.split(' ');
	const segments = path.split('/');
	const texts = [...hostileValues, ...Object.values(usual)].map((value) =>
		typeof value === 'string' ? value.trim() : JSON.stringify(value),
	);
	expect(exchanges.length).toBeGreaterThan(0);
	for (const { request } of exchanges) {
		const sent = request.path.split('/');
		expect([request.method, sent.length, sent[2]]).toEqual([method, segments.length, segments[2]]);
		for (const segment of sent)
			expect([...segments, ...texts]).toContain(decodeURIComponent(segment));
	}
});

/** What the service sends where it has nothing, if it is no page of a list. */
const nothing: Record<string, object> = {
	'audienceSession.getInteractions': { found: true, interactions: [] },
	'webhookSubscription.getAll': [],
};

test.each(operationsWith('keepEmpty'))('%s says if it finds nothing', async (name) => {
	const run = async (options: INodeParameters, more: Partial<Run> = {}) => {
		const { parameters, items } = findCase(setup.sandbox, name);
		const body = nothing[name] ?? { items: [], hasMore: false };
		setup.sandbox.faults.add({ kind: 'answer', status: 200, body });
		const given = { ...parameters, options: { ...(parameters.options as object), ...options } };
		const { output, error } = await setup.run(given, items, more);
		expect(error).toBeUndefined();
		return [0, 1].map((item) => linkedTo(output, item).map(({ json }) => json));
	};
	const isFound = name === 'audienceSession.getInteractions';
	const empty = [expect.objectContaining({ found: isFound }) as unknown];
	expect((await run({}))[0]).toEqual([]);
	const [none, some] = await run({ keepEmpty: true });
	expect(none).toEqual(isFound ? empty : [{ found: false }]);
	expect(some.length).toBeGreaterThan(0);
	expect(some).not.toContainEqual({ found: false });
	// A model is told by itself.
	expect((await run({}, { asTool: true }))[0]).toEqual(empty);
});

test('a list in a file has the file where it is empty, also with Keep Empty', async () => {
	const list = { resource: 'person', operation: 'search', query: 'nowhere to be found' };
	const parameters = { ...list, options: { ...asFile(), keepEmpty: true } };
	const { output } = await setup.run(parameters, [{}, {}]);
	expect(output).toMatchObject([{ json: { records: 0 } }, { json: { records: 0 } }]);
});

/** Fields that the API documents as optional, and one of sessions whose interactions cannot be read. */
const optional = [
	...['headerActionId', 'metadata', 'effectiveMetadata', 'metadataOverride'],
	'interactionsError',
];

test.each(allOperations)('the preview of %s has the fields of its default output', async (name) => {
	const { items } = findCase(setup.sandbox, 'person.create');
	for (const { session } of items) {
		const found = setup.sandbox.store.sessions.get(String(session));
		if (found) found.sessionStartedAt = new Date().toISOString();
	}
	const [resource, operation] = name.split('.');
	// The output options keep the defaults that a builder finds.
	const { simplify: _, ...own } = composed[name] ?? findCase(setup.sandbox, name).parameters;
	const { json, error } = await setup.run({ ...own, resource, operation }, items);
	expect(error).toBeUndefined();
	const previews = `${import.meta.dirname}/../../nodes/PageAudience/__schema__/v1.0.0`;
	const text = readFileSync(`${previews}/${resource}/${operation}.json`, 'utf8');
	const { properties } = JSON.parse(text) as { properties: Record<string, { type: string }> };
	const missing = Object.keys(properties).filter((field) => !json.some((each) => field in each));
	expect(optional).toEqual(expect.arrayContaining(missing));
	for (const [field, value] of Object.entries(json[0])) {
		const type = properties[field]?.type.replace('integer', 'number');
		if (value === null) expect(type).toBeDefined();
		else expect([field, type]).toEqual([field, Array.isArray(value) ? 'array' : typeof value]);
	}
});
