import { DateTime } from 'luxon';
import { toAssignedFields, toJsonObject } from '../../../nodes/parameters/json.ts';
import { attempt, refused, told } from './refused.mts';

const correct = 'correct it in the source, or leave it out';

test.each<[value: unknown, object: unknown]>([
	['{"a":1}', { a: 1 }],
	[{ a: 1 }, { a: 1 }],
	['```json\n{ "a": "```" }\n```\n', { a: '```' }],
	['```\n{"a":1}```', { a: 1 }],
	['', undefined],
	[' ', undefined],
	[null, undefined],
	['null', told('must be a JSON object, but is null')],
	['[]', told('must be a JSON object, but is an array')],
	[[], refused],
	[7, told('must be a JSON object, but is "7"')],
	['"{\\"a\\":1}"', told('must be a JSON object, but is text: "{"a":1}"')],
	['\ufeff{"a":1}\r\n', { a: 1 }],
	['{"a":', refused],
	[
		'{"a":23851234567890123}',
		told(
			`contains a number whose value would change when sent (23851234567890124): write it as text, in quotes`,
		),
	],
	['{"a":1e400}', refused],
	['{"a":0.12345678901234567890}', { a: 0.12345678901234568 }],
	[
		'{"a":[1.50,-0,1E2,0e999,"1e400","\\\\",9007199254740991]}',
		{ a: [1.5, -0, 100, 0, '1e400', '\\', 2 ** 53 - 1] },
	],
	[{ a: [{ b: 2 ** 53 }] }, refused],
	[{ a: [NaN] }, refused],
	[
		{ a: [{ b: String(DateTime.invalid('none')) }] },
		told(`contains an invalid date in "b": ${correct}`),
	],
	[DateTime.utc(), refused],
	[new Date(0), refused],
])('%j as a JSON object', (value, object) => {
	expect(attempt(() => toJsonObject(value))).toEqual(object);
});

test.each([
	['{ "note": plain }', 'In a template, write {{ JSON.stringify('],
	['{{ { note: $json.note } }}', 'switch the field to Expression'],
])('for %s, says what to do', (text, remedy) => {
	expect(() => toJsonObject(text)).toThrow(remedy);
});

test('keeps a member named __proto__', () => {
	const object = toJsonObject('{"__proto__":{"a":1},"constructor":2}');
	expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1},"constructor":2}');
});

describe('assigned fields', () => {
	const assign = (...assignments: unknown[]) =>
		attempt(() => JSON.stringify(toAssignedFields({ assignments })));
	const row = (value: unknown, type: string, name = 'f') => ({ id: '1', name, value, type });

	test.each<[value: unknown, type: string, sent: unknown]>([
		['4', 'number', '{"f":4}'],
		['+4.50 ', 'number', '{"f":4.5}'],
		['0x10', 'number', '{"f":16}'],
		['1-2', 'number', refused],
		[0, 'number', '{"f":0}'],
		['', 'number', '{"f":null}'],
		['23851234567890123', 'number', refused],
		['1e400', 'number', refused],
		[2 ** 53, 'string', refused],
		[[2 ** 53], 'string', refused],
		['23851234567890123', 'string', '{"f":"23851234567890123"}'],
		['{a: 23851234567890123}', 'object', refused],
		[false, 'boolean', '{"f":false}'],
		['maybe', 'boolean', refused],
		[' a ', 'string', '{"f":" a "}'],
		[7, 'string', '{"f":"7"}'],
		['[1,2]', 'array', '{"f":[1,2]}'],
		['1', 'array', told('contains a field "f" that must be of type array, but is "1"')],
		['{"a":1}', 'object', '{"f":{"a":1}}'],
		['{', 'object', refused],
		[null, 'string', '{"f":null}'],
		[undefined, 'number', '{"f":null}'],
		[new Date(0), 'string', '{"f":"1970-01-01T00:00:00.000Z"}'],
		[new Date(0), 'object', '{"f":"1970-01-01T00:00:00.000Z"}'],
		[new Date(7), 'number', '{"f":7}'],
		...['Invalid DateTime', 'Invalid Date', 'Invalid date'].map(
			(value): [string, string, object] => [
				value,
				'string',
				told(`contains an invalid date in "f": ${correct}`),
			],
		),
		[
			DateTime.invalid('none'),
			'string',
			told('contains a field "f" that must be of type string, but is an invalid date'),
		],
		[
			new Date('none'),
			'object',
			told('contains a field "f" that must be of type object, but is an invalid date'),
		],
		[{ ...DateTime.fromMillis(1_000) }, 'string', '{"f":"1970-01-01T00:00:01.000Z"}'],
	])('%j as %s', (value, type, sent) => {
		expect(assign(row(value, type))).toEqual(sent);
	});

	test('accepts any field name', () => {
		const names = ['__proto__', 'constructor', 'toString', 'a.b', 'a[0]', ' '];
		expect(assign(...names.map((name) => row('x', 'string', name)))).toBe(
			JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x']))),
		);
	});

	test('rejects a value without a name, and ignores an empty row', () => {
		expect(assign(row('x', 'string', ''))).toEqual(told('contains a value without a name: "x"'));
		expect(assign(row('', 'string', ''))).toBe('{}');
	});

	test('tells a text', () => {
		expect(attempt(() => toAssignedFields('a'))).toEqual(
			told('must contain named fields, but is "a"'),
		);
	});

	test('returns nothing without fields', () => {
		for (const value of [undefined, null, {}, '', { assignments: [] }]) {
			expect(toAssignedFields(value)).toEqual({});
		}
	});

	test.each([[{ a: 1 }], [7], [[{ a: 1 }]], [{ assignments: 'a' }], [{ assignments: [7] }]])(
		'rejects %j',
		(value) => {
			expect(attempt(() => toAssignedFields(value))).toEqual(refused);
		},
	);
});

test.each<[text: string, around: string]>([
	['{ "note": "He said "hi" to us" }', ', near "{ "note": "He said "hi" to us" }"'],
	['{\n"note": "two\nlines" }', ', near "{⏎"note": "two⏎lines" }"'],
	[`{ "path": "C:\\temp", ${' '.repeat(50)}"user": "C:\\us" }`, '"user": "C:\\us" }"'],
	['{ "a": 1, "amount": , "b": 2 }', '"amount": , "b"'],
	['{ "a": [object Object] }', '{ "a": [object Obj'],
	['{ "a": 1', ', near "{ "a": 1"'],
	['Here it is:\n```json\n{ "a": 1 }\n```', '"Here it is'],
])('JSON with a mistake is told with the text around it: %j', (text, around) => {
	for (const part of [
		'must be valid JSON, but is not: ',
		around,
		'write {{ JSON.stringify($json.message) }}',
	])
		expect(() => toJsonObject(text)).toThrow(part);
});
