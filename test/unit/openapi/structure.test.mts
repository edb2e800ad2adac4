import { readFileSync } from 'node:fs';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import { eventKinds } from '../../../nodes/parameters/eventKinds.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';
import {
	documentPath,
	eventKinds as sandboxKinds,
	handlers,
	loadDocument,
} from '../../../sandbox/index.mts';
import {
	document,
	endpoints,
	lastPart,
	schemas,
	typeOf,
	type Endpoint,
	type Schema,
} from '../../../tools/docs/document.mts';

/** Every object in a tree, with its JSON pointer. */
function walk(node: unknown, pointer = '#'): [pointer: string, node: Record<string, unknown>][] {
	if (typeof node !== 'object' || node === null) return [];
	const members = Object.entries(node);
	const below = members.flatMap(([name, member]) => walk(member, `${pointer}/${name}`));
	return Array.isArray(node) ? below : [[pointer, Object.fromEntries(members)], ...below];
}

const nodes = walk(document);
const references = nodes.flatMap(([pointer, { $ref }]) =>
	typeof $ref === 'string' ? { pointer, target: $ref } : [],
);

const find = (pointer: string): unknown =>
	pointer
		.slice(2)
		.split('/')
		.reduce<unknown>(
			(node, name) =>
				typeof node === 'object' && node !== null
					? Object.entries(node).find(([key]) => key === name)?.[1]
					: undefined,
			document,
		);

test('is valid OpenAPI 3.1', () => {
	expect(document.openapi).toBe('3.1.0');
	expect(document.info).toMatchObject({ title: expect.any(String), version: 'v0' });
	const validator = new OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: true });
	expect(validator.validate(loadDocument()).errors).toEqual([]);
	const broken = { ...loadDocument(), info: undefined };
	expect(validator.validate(broken as never).errors).not.toEqual([]);
});

test('gives every operation its own ID, a tag, a summary and a handler in the sandbox', () => {
	const ids = endpoints.map(({ operationId }) => operationId);
	expect(ids.length).toBeGreaterThan(0);
	expect(new Set(ids).size).toBe(ids.length);
	expect([...ids].sort()).toEqual(Object.keys(handlers).sort());
	for (const { operationId, described } of endpoints) {
		expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
		expect([operationId, described.tags, described.summary]).toEqual([
			operationId,
			[expect.any(String)],
			expect.stringMatching(/\w/),
		]);
	}
});

test('has a tag for every resource of the node', () => {
	const tags = document.tags.map(({ name }) => name).sort();
	expect(tags).toEqual(resources.map(({ option }) => option.name).sort());
	expect([...new Set(endpoints.flatMap(({ described }) => described.tags))].sort()).toEqual(tags);
});

test('resolves every reference', () => {
	expect(references.length).toBeGreaterThan(100);
	for (const { pointer, target } of references) {
		expect([pointer, typeof find(target)]).toEqual([pointer, 'object']);
	}
});

test('uses every schema, parameter and response', () => {
	const used = new Set(references.map(({ target }) => target));
	const { parameters, responses } = document.components;
	const all = [
		...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
		...Object.keys(parameters).map((name) => `#/components/parameters/${name}`),
		...Object.keys(responses).map((name) => `#/components/responses/${name}`),
	];
	expect(all.filter((pointer) => !used.has(pointer))).toEqual([]);
});

test('declares each path parameter as required', () => {
	for (const { path, pathNames } of endpoints) {
		const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		expect([path, ...pathNames]).toEqual([path, ...named]);
	}
	for (const [, node] of nodes.filter(([, { in: place }]) => place === 'path')) {
		expect(node).toMatchObject({ required: true, schema: { type: 'string' } });
	}
});

test('gives each operation one success status and leaves error statuses open', () => {
	for (const { operationId, method, success, body, answer } of endpoints) {
		expect([operationId, success]).toEqual([operationId, expect.stringMatching(/^20[01]$/)]);
		expect([operationId, typeOf(answer)]).toEqual([
			operationId,
			expect.stringMatching(/^(object|array)$/),
		]);
		expect([operationId, body !== undefined]).toEqual([
			operationId,
			method === 'POST' || method === 'PATCH',
		]);
	}
	expect(Object.keys(document.components.responses)).toEqual(['Error']);
});

test('closes every object except the free-form payload', () => {
	const open = nodes.flatMap(([pointer, { type, additionalProperties }]) =>
		[type].flat().includes('object') && additionalProperties !== false ? pointer : [],
	);
	expect(open).toEqual([
		'#/components/schemas/PersonLogCreate/properties/payload',
		'#/components/schemas/AccountActivity/properties/payload',
	]);
});

test('describes every required field', () => {
	for (const [pointer, { required, properties }] of nodes) {
		if (!Array.isArray(required)) continue;
		const names = Object.keys(properties ?? {});
		expect([pointer, required.filter((name) => !names.includes(name))]).toEqual([pointer, []]);
	}
});

test('describes every list that has pages in the same way', () => {
	const count = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
	const positions = { cursor: 'nextCursor', offset: 'nextOffset' };
	for (const { operationId, query, answer } of endpoints) {
		const { properties = {}, required = [] } = answer;
		for (const [parameter, position] of Object.entries(positions)) {
			expect([operationId, position in properties]).toEqual([operationId, parameter in query]);
			if (!(parameter in query)) continue;
			expect([operationId, Object.keys(query)]).toEqual([
				operationId,
				expect.arrayContaining(['limit']),
			]);
			expect(Object.keys(properties).sort()).toEqual(
				['hasMore', 'items', position, 'totalCount'].sort(),
			);
			expect(typeOf(properties.items)).toBe('array');
			expect(properties.totalCount).toMatchObject(count);
			expect(required).toEqual(expect.arrayContaining(['hasMore', 'items', 'totalCount']));
			// The last page says so with null, or without the field.
			const isNullable = [properties[position].type].flat().includes('null');
			expect([operationId, required.includes(position)]).toEqual([operationId, isNullable]);
		}
	}
});

test('gives an ID the same pattern in every record', () => {
	const patterns = {
		accountId: '^account_[a-z0-9]{26}$',
		personId: '^prospect_[a-z0-9]{26}$',
		personLogId: '^accountlog_[a-z0-9]{26}$',
	};
	// The IDs of an activity refer to other records; no pattern is documented for them.
	const { AccountActivity: _, ...records } = schemas;
	for (const [name, pattern] of Object.entries(patterns)) {
		const found = Object.entries(records).filter(([, { properties }]) => properties?.[name]);
		expect(found.length).toBeGreaterThan(0);
		for (const [schema, { properties }] of found) {
			expect([schema, properties?.[name].pattern]).toEqual([schema, pattern]);
		}
	}
	// For other fields the published schema lists this pattern by mistake.
	const carriers = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
		Object.entries(properties).flatMap(([name, { pattern }]) =>
			pattern === patterns.personLogId ? `${schema}.${name}` : [],
		),
	);
	expect(carriers).toEqual(['PersonLog.personLogId']);
});

/** The names of all schemas that a schema refers to, directly or not. */
function reach(schema: Schema | undefined, found = new Set<string>()): Set<string> {
	for (const [, { $ref }] of walk(schema)) {
		if (typeof $ref !== 'string' || found.has(lastPart($ref))) continue;
		found.add(lastPart($ref));
		reach(schemas[lastPart($ref)], found);
	}
	return found;
}

test('keeps the schemas of requests and responses apart', () => {
	const collect = (part: (described: Endpoint['described']) => object | undefined) =>
		new Set(endpoints.flatMap(({ described }) => [...reach(part(described))]));
	const sent = collect(({ requestBody }) => requestBody);
	const received = collect(({ responses: { default: _, ...successes } }) => successes);
	expect([...sent].filter((name) => received.has(name)).sort()).toEqual(['EventKind', 'PageType']);
	const inputs = Object.keys(schemas).filter((name) => name.endsWith('Input'));
	expect(inputs.length).toBeGreaterThan(0);
	for (const name of inputs) {
		expect([name, sent.has(name), received.has(name)]).toEqual([name, true, false]);
	}
});

test('lists the event kinds that the nodes and the sandbox know', () => {
	expect(sandboxKinds).toEqual(schemas.EventKind.enum);
	expect(eventKinds.map(({ value }) => value).sort()).toEqual(schemas.EventKind.enum?.toSorted());
});

test('loads as a new object each time, from a file without tabs and carriage returns', () => {
	expect(loadDocument()).not.toBe(loadDocument());
	expect(readFileSync(documentPath, 'utf8')).not.toMatch(/\t|\r/);
});
