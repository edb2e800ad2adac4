import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { InvalidValueError } from '../../../nodes/parameters/checks.ts';
import * as convert from '../../../nodes/parameters/convert.ts';

const refused = Symbol('refused');

/** The result of a conversion, or `refused` for an invalid value. */
function attempt(run: () => unknown): unknown {
	try {
		return run();
	} catch (error) {
		if (error instanceof InvalidValueError) return refused;
		throw error;
	}
}

const huge = 'x'.repeat(100_000);

test.each<[value: unknown, text: unknown]>([
	['a', 'a'],
	['', ''],
	[' a ', ' a '],
	[0, '0'],
	[4.5, '4.5'],
	[2 ** 53 - 1, '9007199254740991'],
	[2 ** 53, refused],
	[-1e21, refused],
	[2n ** 64n, '18446744073709551616'],
	[false, 'false'],
	[true, 'true'],
	[undefined, undefined],
	[null, undefined],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	[
		DateTime.fromISO('2026-01-31T09:30', { zone: 'Europe/Berlin' }),
		'2026-01-31T09:30:00.000+01:00',
	],
	[new Date(NaN), refused],
	// As n8n yields a date of the input item: without its methods.
	[{ ...DateTime.fromMillis(1_000) }, '1970-01-01T00:00:01.000Z'],
	[{ ...DateTime.invalid('no date') }, refused],
	[DateTime.invalid('no date'), refused],
	[{}, refused],
	[{ toString: 7 }, refused],
	[NaN, refused],
	[-Infinity, refused],
	[[], refused],
	[['a'], refused],
	[() => 'a', refused],
	[Symbol('a'), refused],
])('%p as text', (value, text) => {
	expect(attempt(() => convert.toText(value))).toBe(text);
});

test.each<[value: unknown, number: unknown]>([
	[0, 0],
	['7', 7],
	[' 7 ', 7],
	['1.5', 1.5],
	['-3', -3],
	['', undefined],
	['  ', undefined],
	[null, undefined],
	[undefined, undefined],
	['seven', refused],
	['7 items', refused],
	['1,000', refused],
	[NaN, refused],
	[Infinity, refused],
	['Infinity', refused],
	[true, refused],
	[[7], refused],
	[{}, refused],
	[huge, refused],
])('%p as a number', (value, number) => {
	expect(attempt(() => convert.toNumber(value))).toBe(number);
});

test.each<[value: unknown, boolean: unknown]>([
	[true, true],
	[false, false],
	['true', true],
	[' False ', false],
	[1, true],
	[0, false],
	['1', true],
	['0', false],
	['', undefined],
	[null, undefined],
	['yes', refused],
	[2, refused],
	[{}, refused],
	[[], refused],
	[[true], refused],
])('%p as true or false', (value, boolean) => {
	expect(attempt(() => convert.toBoolean(value))).toBe(boolean);
});

test.each<[value: unknown, texts: unknown]>([
	['a', ['a']],
	['a, b ,,c', ['a', 'b', 'c']],
	[
		['a', ['b', ['c']]],
		['a', 'b', 'c'],
	],
	['["a","b"]', ['a', 'b']],
	[[' a ', ''], ['a']],
	// A row is typed; a comma in an entry of a list that an expression in it yields is part of the entry.
	[
		['a, b', 'c'],
		['a', 'b', 'c'],
	],
	[
		[['a, b'], 'c'],
		['a, b', 'c'],
	],
	['["a, b"]', ['a, b']],
	[['["a, b"]'], ['a, b']],
	['', []],
	[null, []],
	[undefined, []],
	[[null, undefined], []],
	[
		[1, true],
		['1', 'true'],
	],
	[7, ['7']],
	['[broken', ['[broken']],
	['[order 23851234567890123]', ['[order 23851234567890123]']],
	[{}, refused],
	[['a', {}], refused],
])('%j as several texts', (value, texts) => {
	expect(attempt(() => convert.toTexts(value))).toEqual(texts);
});

const letter = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	default: 'a',
	options: [
		{ name: 'A', value: 'a' },
		{ name: 'B', value: 'b' },
	],
} satisfies INodeProperties;

describe('a choice', () => {
	const property = { ...letter, options: [...letter.options, { name: 'One', value: 1 }] };

	test.each<[value: unknown, choice: unknown]>([
		['a', 'a'],
		[' b ', 'b'],
		['A', refused],
		['', undefined],
		[null, undefined],
		['c', refused],
		['__proto__', refused],
		['constructor', refused],
		['toString', refused],
		[['a'], refused],
		[{ value: 'a' }, refused],
		[1, '1'],
	])('%p', (value, choice) => {
		expect(attempt(() => convert.toChoice(value, property))).toBe(choice);
	});

	test.each<[value: unknown, choices: unknown]>([
		[
			['a', 'b'],
			['a', 'b'],
		],
		['a, b', ['a', 'b']],
		[['a, b'], ['a', 'b']],
		[['a', 'a'], ['a']],
		[
			[['a'], ['b']],
			['a', 'b'],
		],
		['["a"]', ['a']],
		['', []],
		[null, []],
		['a,c', refused],
		[['__proto__'], refused],
		[{ a: true }, refused],
		[huge, refused],
	])('several: %j', (value, choices) => {
		expect(attempt(() => convert.toChoices(value, property))).toEqual(choices);
	});
});

test.each<[value: unknown, object: unknown]>([
	['{"a":1}', { a: 1 }],
	[{ a: 1 }, { a: 1 }],
	['{}', {}],
	['', undefined],
	[' ', undefined],
	[null, undefined],
	['null', refused],
	['[]', refused],
	[[], refused],
	['"a"', refused],
	['7', refused],
	[7, refused],
	[true, refused],
	['{"a":', refused],
	['{"a":23851234567890123}', refused],
	['{"a":1e400}', refused],
	['{"a":1e-400}', refused],
	['{"a":0.12345678901234567890}', refused],
	[
		'{"a":[1.50,-0,1E2,0e999,"1e400","\\\\",9007199254740991]}',
		{ a: [1.5, -0, 100, 0, '1e400', '\\', 2 ** 53 - 1] },
	],
	[{ a: [{ b: 2 ** 53 }] }, refused],
	[{ a: NaN }, refused],
	[huge, refused],
	[DateTime.utc(), refused],
	[new Date(0), refused],
])('%j as a JSON object', (value, object) => {
	expect(attempt(() => convert.toJsonObject(value))).toEqual(object);
});

test('keeps a member named __proto__', () => {
	const object = convert.toJsonObject('{"__proto__":{"a":1},"constructor":2}');
	expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1},"constructor":2}');
});

describe('assigned fields', () => {
	const assign = (...assignments: unknown[]) =>
		attempt(() => JSON.stringify(convert.toAssignedFields({ assignments })));
	const row = (value: unknown, type: string, name = 'f') => ({ id: '1', name, value, type });

	test.each<[value: unknown, type: string, sent: unknown]>([
		['4', 'number', '{"f":4}'],
		['+4.50 ', 'number', '{"f":4.5}'],
		['0x10', 'number', '{"f":16}'],
		['+0.12345678901234567890', 'number', refused],
		['.1234567890123456789', 'number', refused],
		['1-2', 'number', refused],
		[4, 'number', '{"f":4}'],
		[0, 'number', '{"f":0}'],
		['', 'number', '{"f":null}'],
		['four', 'number', refused],
		['23851234567890123', 'number', refused],
		['1e400', 'number', refused],
		[2 ** 53, 'string', refused],
		[[2 ** 53], 'string', refused],
		['23851234567890123', 'string', '{"f":"23851234567890123"}'],
		['[23851234567890123]', 'array', refused],
		['{a: 23851234567890123}', 'object', refused],
		['true', 'boolean', '{"f":true}'],
		[false, 'boolean', '{"f":false}'],
		['maybe', 'boolean', refused],
		['', 'string', '{"f":""}'],
		[' a ', 'string', '{"f":" a "}'],
		[7, 'string', '{"f":"7"}'],
		['[1,2]', 'array', '{"f":[1,2]}'],
		['1', 'array', refused],
		['{"a":1}', 'object', '{"f":{"a":1}}'],
		['{', 'object', refused],
		[null, 'string', '{"f":null}'],
		[undefined, 'number', '{"f":null}'],
		[new Date(0), 'string', '{"f":"1970-01-01T00:00:00.000Z"}'],
		[new Date(0), 'object', '{"f":"1970-01-01T00:00:00.000Z"}'],
		[new Date(7), 'number', '{"f":7}'],
		[
			DateTime.fromISO('2026-01-31T09:30', { zone: 'Europe/Berlin' }),
			'string',
			'{"f":"2026-01-31T09:30:00.000+01:00"}',
		],
		[{ ...DateTime.fromMillis(1_000) }, 'string', '{"f":"1970-01-01T00:00:01.000Z"}'],
	])('%j as %s', (value, type, sent) => {
		expect(assign(row(value, type))).toBe(sent);
	});

	test('accepts any field name', () => {
		const names = ['__proto__', 'constructor', 'toString', 'a.b', 'a[0]', ' '];
		expect(assign(...names.map((name) => row('x', 'string', name)))).toBe(
			JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x']))),
		);
	});

	test('rejects a value without a name, and ignores an empty row', () => {
		expect(assign(row('x', 'string', ''))).toBe(refused);
		expect(assign(row('', 'string', ''))).toBe('{}');
	});

	test('returns nothing without fields', () => {
		for (const value of [undefined, null, {}, '', { assignments: [] }]) {
			expect(convert.toAssignedFields(value)).toEqual({});
		}
	});

	test.each([[{ a: 1 }], ['a'], [7], [[{ a: 1 }]], [{ assignments: 'a' }], [{ assignments: [7] }]])(
		'rejects %j',
		(value) => {
			expect(attempt(() => convert.toAssignedFields(value))).toBe(refused);
		},
	);
});

describe('what is told of a value', () => {
	const toFields = (row: object) =>
		convert.toAssignedFields({ assignments: [{ name: 'f', ...row }] });

	test.each<[told: string, run: () => unknown]>([
		['must be text, but is NaN', () => convert.toText(NaN)],
		[
			'must be text, but is a number too large to be exact: 9007199254740992',
			() => convert.toText(2 ** 53),
		],
		['must be text, but is an object', () => convert.toText({})],
		['must be text, but is an array', () => convert.toText([])],
		['must be text, but is "Symbol(a)"', () => convert.toText(Symbol('a'))],
		['must be a number, but is "few"', () => convert.toNumber('few')],
		['must be a number, but is an array', () => convert.toNumber([7])],
		['must be true or false, but is "yes"', () => convert.toBoolean('yes')],
		['must be true or false, but is an object', () => convert.toBoolean({})],
		['must be one of a, b, but is "c"', () => convert.toChoice('c', letter)],
		['accepts only a, b, but contains "c, d"', () => convert.toChoices('a,c,d', letter)],
		['must be valid JSON, but is "{"a":"', () => convert.toJsonObject('{"a":')],
		['must be a JSON object, but is null', () => convert.toJsonObject('null')],
		['must be a JSON object, but is an array', () => convert.toJsonObject('[]')],
		['must be a JSON object, but is "7"', () => convert.toJsonObject(7)],
		[
			'must be a JSON object, but is "1970-01-01T00:00:00.000Z"',
			() => convert.toJsonObject(new Date(0)),
		],
		[
			`contains a number whose value would change when sent (1${'0'.repeat(59)}…): write it as text, in quotes`,
			() => convert.toJsonObject(`{"a":1${'0'.repeat(99)}}`),
		],
		[
			'contains a number whose value would change when sent (Infinity): write it as text, in quotes',
			() => convert.toJsonObject({ a: [Infinity, NaN] }),
		],
		['must contain named fields, but is "a"', () => convert.toAssignedFields('a')],
		['must contain named fields, but is an array', () => convert.toAssignedFields([7])],
		['contains a value without a name: "x"', () => toFields({ name: '', value: 'x' })],
		[
			'contains a field "f" that must be of type array, but is "1"',
			() => toFields({ value: '1', type: 'array' }),
		],
		[
			'contains a number whose value would change when sent (1e400): write it as text, in quotes',
			() => toFields({ value: ' 1e400 ', type: 'number' }),
		],
	])('%s', (told, run) => {
		expect(run).toThrow(new InvalidValueError(told));
	});
});
