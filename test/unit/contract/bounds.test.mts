import { ItemRefusedError } from '../../../nodes/parameters/problem.ts';
import { endpoints, type Schema, typeOf } from '../../../tools/docs/document.mts';
import { makeParameters, makeRequest, operations } from '../../../tools/docs/parameters.mts';
import { isParameter, sentBody, tryRequest, withParameter } from './changed.mts';

/** Every text field of every body and query. */
const bounded = operations.flatMap(({ name: operationName, operation }) => {
	const parameters = makeParameters(operation);
	const { method, path } = makeRequest(operation, parameters);
	const form = (each: string) => each.replace(/[^/]*(sample|_0123456789)[^/]*|\{[^}]*\}/g, '*');
	const endpoint = endpoints.find(
		(each) => each.method === method && form(each.path) === form(path),
	);
	const fields = { ...endpoint?.query, ...endpoint?.body?.properties };
	return Object.entries(fields)
		.filter(([name]) => isParameter(parameters, name))
		.filter(([, schema]) => typeOf(schema) === 'string')
		.map(([name, schema]) => ({
			title: `${operationName} ${name}`,
			isRequired: endpoint?.body?.required?.includes(name) ?? false,
			schema,
			/** The value that is sent: undefined when it is left out, an ItemRefusedError when it is rejected. */
			send: (value: unknown): unknown => {
				const made = tryRequest(operation, withParameter(parameters, name, value));
				if (made instanceof ItemRefusedError) return made;
				return { ...sentBody(made), ...made.query }[name];
			},
		}));
});

const having = (has: (schema: Schema) => boolean) =>
	bounded.filter(({ schema }) => has(schema)).map((each) => [each.title, each] as const);

const emoji = '😀';

test('the document limits the fields known to have limits', () => {
	expect(having(({ maxLength }) => maxLength !== undefined).map(([title]) => title)).toEqual([
		'account.create name',
		'account.upsert name',
		'account.update name',
		'person.create name',
		'person.createOrGet name',
		'personLog.create source',
		'personLog.create type',
		'personLog.create idempotencyKey',
		'personLog.create name',
	]);
	expect(having(({ pattern }) => pattern !== undefined)).toHaveLength(3);
	expect(having(({ format }) => format === 'date-time')).toHaveLength(4);
});

describe.each(having(({ maxLength }) => maxLength !== undefined))('%s', (_, field) => {
	const { maxLength = 0, pattern } = field.schema;
	test('accepts its maximum length and rejects more', () => {
		for (const value of ['a', 'a'.repeat(maxLength)]) expect(field.send(value)).toBe(value);
		expect(field.send('a'.repeat(maxLength + 1))).toBeInstanceOf(ItemRefusedError);
		if (pattern) return;
		expect(field.send(emoji.repeat(maxLength))).toBe(emoji.repeat(maxLength));
		expect(field.send(emoji.repeat(maxLength + 1))).toBeInstanceOf(ItemRefusedError);
	});
});

test.each(having(({ minLength }) => minLength === 1))(
	'%s is never sent empty',
	(_, { send, isRequired, schema }) => {
		const outcome = send('');
		if (schema.default !== undefined) expect(outcome).toBe(schema.default);
		else if (isRequired || outcome !== undefined) expect(outcome).toBeInstanceOf(ItemRefusedError);
	},
);

describe.each(having(({ pattern }) => pattern?.includes('(-') ?? false))('%s', (_, { send }) => {
	test('accepts kebab case only', () => {
		expect(send(' a1-2b-c ')).toBe('a1-2b-c');
		expect(send('a_b')).toBeInstanceOf(ItemRefusedError);
	});
});

describe.each(having(({ pattern }) => pattern?.includes('{26}') ?? false))('%s', (_, field) => {
	const prefix = /\^([a-z]+_)/.exec(field.schema.pattern ?? '')?.[1] ?? '';
	test('accepts an ID and rejects a part of one', () => {
		const id = prefix + 'a1'.repeat(13);
		expect(field.send(id)).toBe(id);
		expect(field.send(id.slice(0, -1))).toBeInstanceOf(ItemRefusedError);
	});
});

describe.each(having((schema) => schema.enum !== undefined))('%s', (_, { send, schema }) => {
	test('accepts each of its values and no other', () => {
		for (const value of schema.enum ?? []) {
			expect(send(value)).toBe(value);
			expect(send(` ${value} `)).toBe(value);
		}
		for (const other of ['other', schema.enum?.[0].toUpperCase(), '__proto__']) {
			expect(send(other)).toBeInstanceOf(ItemRefusedError);
		}
	});
});

test.each(having(({ format }) => format === 'uri'))('%s accepts only a URL', (_, { send }) => {
	expect(send('https://example.com/a?b=c')).toBe('https://example.com/a?b=c');
	expect(send('example.com')).toBeInstanceOf(ItemRefusedError);
});

test.each(having(({ format }) => format === 'date-time'))('%s is a moment', (name, { send }) => {
	const time = name.endsWith('endDate') ? '23:59:59.999' : '00:00:00';
	expect(send('2026-01-31')).toBe(`2026-01-31T${time}Z`);
	expect(send('soon')).toBeInstanceOf(ItemRefusedError);
});

/** Nobody can correct what they create, so what identifies no one is refused. */
const strict = [
	/^account\.\w+ domain$/,
	/^person(Log)?\.\w+ (domain|email|linkedinProfileUrl|phoneNumber)$/,
];

test('fields without limits are sent unchanged', () => {
	const unbounded = bounded.filter(
		({ schema }) => !schema.maxLength && !schema.pattern && !schema.enum && !schema.format,
	);
	expect(unbounded.length).toBeGreaterThan(20);
	for (const { title, send } of unbounded) {
		if (strict.some((field) => field.test(title))) {
			expect(send('a')).toBeInstanceOf(ItemRefusedError);
			continue;
		}
		for (const value of ['a', 'x'.repeat(100_000), emoji.repeat(300), 'a"b\\c\n<d>']) {
			expect([title, send(value)]).toEqual([title, value]);
		}
	}
});
