import { readFileSync } from 'node:fs';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import { documentPath, eventKinds, handlers, loadDocument } from '../../../sandbox/index.mts';
import {
	document,
	nameOf,
	operations,
	schemas,
	shapeNames,
	type DocumentedOperation,
	type Schema,
} from './documentFields.mts';

/** Every object in a tree, with the way to it. */
function walk(node: unknown, way = '#'): [way: string, node: Record<string, unknown>][] {
	if (typeof node !== 'object' || node === null) return [];
	const members = Object.entries(node);
	const below = members.flatMap(([name, member]) => walk(member, `${way}/${name}`));
	return Array.isArray(node) ? below : [[way, Object.fromEntries(members)], ...below];
}

const nodes = walk(document);
const references = nodes.flatMap(([way, { $ref }]) =>
	typeof $ref === 'string' ? { way, target: $ref } : [],
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

test('it is OpenAPI 3.1', () => {
	expect(document.openapi).toBe('3.1.0');
	expect(document.info).toMatchObject({ title: expect.any(String), version: 'v0' });
});

test('it is a valid one', () => {
	const validator = new OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: true });
	expect(validator.validate(loadDocument()).errors).toEqual([]);
	const broken = { ...loadDocument(), info: undefined };
	expect(validator.validate(broken as never).errors).not.toEqual([]);
});

test('there are 23 operations, each with its own operationId, tag, summary and handler', () => {
	const ids = operations.map(({ id }) => id);
	expect(ids).toHaveLength(23);
	expect(new Set(ids).size).toBe(23);
	expect([...ids].sort()).toEqual(Object.keys(handlers).sort());
	for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
	const tags = document.tags?.map(({ name }) => name) ?? [];
	expect(tags).toHaveLength(8);
	const items = Object.values(document.paths ?? {}).flatMap(
		({ get, post, patch, delete: remove }) =>
			[get, post, patch, remove].flatMap((operation) => operation ?? []),
	);
	for (const { tags: own = [], summary } of items) {
		expect([own.length, tags.includes(own[0]), typeof summary]).toEqual([1, true, 'string']);
	}
	expect([...new Set(items.flatMap(({ tags: own = [] }) => own))].sort()).toEqual([...tags].sort());
});

test('every reference leads somewhere', () => {
	expect(references.length).toBeGreaterThan(100);
	for (const { way, target } of references) {
		expect([way, typeof find(target)]).toEqual([way, 'object']);
	}
});

test('every schema, parameter and answer is used', () => {
	const used = new Set(references.map(({ target }) => target));
	const { parameters = {}, responses = {} } = document.components;
	const all = [
		...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
		...Object.keys(parameters).map((name) => `#/components/parameters/${name}`),
		...Object.keys(responses).map((name) => `#/components/responses/${name}`),
	];
	expect(all.filter((pointer) => !used.has(pointer))).toEqual([]);
});

test('each path parameter is declared, and required', () => {
	for (const { path, pathParameters } of operations) {
		const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		expect([path, ...pathParameters]).toEqual([path, ...named]);
	}
	for (const [, node] of nodes.filter(([, { in: place }]) => place === 'path')) {
		expect(node).toMatchObject({ required: true, schema: { type: 'string' } });
	}
});

test('each operation has one success and leaves the errors open', () => {
	for (const { id, method, statuses, body, answer } of operations) {
		expect([id, statuses.length, typeof answer]).toEqual([id, 1, 'object']);
		expect([id, body !== undefined]).toEqual([id, method === 'POST' || method === 'PATCH']);
	}
	expect(Object.keys(document.components.responses ?? {})).toEqual(['Error']);
});

test('every object is closed but the free-form payload', () => {
	const open = nodes.flatMap(([way, { type, additionalProperties }]) =>
		[type].flat().includes('object') && additionalProperties !== false ? way : [],
	);
	expect(open).toEqual([
		'#/components/schemas/PersonLogCreate/properties/payload',
		'#/components/schemas/AccountActivity/properties/payload',
	]);
});

test('what is required is also described', () => {
	for (const [way, { required, properties }] of nodes) {
		if (!Array.isArray(required)) continue;
		const names = Object.keys(properties ?? {});
		expect([way, required.filter((name) => !names.includes(name))]).toEqual([way, []]);
	}
});

/** All schemas that a schema leads to. */
function reach(schema: Schema | undefined, found = new Set<string>()): Set<string> {
	for (const [, { $ref }] of walk(schema)) {
		if (typeof $ref !== 'string' || found.has(nameOf($ref))) continue;
		found.add(nameOf($ref));
		reach(schemas[nameOf($ref)], found);
	}
	return found;
}

test('requests and answers have schemas of their own', () => {
	const collect = (part: (operation: DocumentedOperation) => Schema | undefined) =>
		new Set(operations.flatMap((operation) => [...reach(part(operation))]));
	const sent = collect(({ body }) => body);
	const answered = collect(({ answer }) => answer);
	expect([...sent].filter((name) => answered.has(name)).sort()).toEqual(['EventKind', 'PageType']);
	for (const name of Object.keys(shapeNames)) {
		const isSent = name.endsWith('Input') || name === 'EventKind';
		expect([name, sent.has(name), answered.has(name)]).toEqual([
			name,
			isSent,
			!name.endsWith('Input'),
		]);
	}
});

test('the kinds of events are those of the code', () => {
	expect(schemas.EventKind.enum).toEqual(eventKinds);
});

test('each load gives a document of its own, and the file is plain', () => {
	expect(loadDocument()).not.toBe(loadDocument());
	expect(readFileSync(documentPath, 'utf8')).not.toMatch(/\t|\r/);
});
