import { DateTime } from 'luxon';
import { toAssignedFields, toJsonObject } from '../../../nodes/parameters/json.ts';
import { attempt, refuse, refused, told } from './refused.mts';

const invalidDate = (name: string) =>
	told(`contains an invalid date in "${name}": correct it in the source, or leave it out`);

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
	[7, told('must be a JSON object, but is "7"')],
	['"{\\"a\\":1}"', told('must be a JSON object, but is text: "{"a":1}"')],
	['\ufeff{"a":1}\r\n', { a: 1 }],
	[
		'{"a":23851234567890123}',
		told(
			`contains a number whose value would change when sent (23851234567890124): write it as text, in quotes`,
		),
	],
	['{"a":0.12345678901234567890}', { a: 0.12345678901234568 }],
	[
		'{"a":[1.50,-0,1E2,0e999,"1e400","\\\\",9007199254740991]}',
		{ a: [1.5, -0, 100, 0, '1e400', '\\', 2 ** 53 - 1] },
	],
	[{ a: [{ b: String(DateTime.invalid('none')) }] }, invalidDate('b')],
	...refuse([], '{"a":', '{"a":1e400}', DateTime.utc(), new Date(0)),
	...refuse({ a: [{ b: 2 ** 53 }] }, { a: [NaN] }),
])('%j as a JSON object', (value, object) => {
	expect(attempt(() => toJsonObject(value))).toEqual(object);
});

test('keeps a member named __proto__', () => {
	const object = toJsonObject('{"__proto__":{"a":1},"constructor":2}');
	expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1},"constructor":2}');
});

describe('assigned fields', () => {
	const assign = (...assignments: unknown[]) =>
		attempt(() => JSON.stringify(toAssignedFields({ assignments })));
	const row = (value: unknown, type: string, name = 'f') => ({ id: '1', name, value, type });

	const isNo = (type: string, what: string) =>
		told(`contains a field "f" that must be of type ${type}, but is ${what}`);

	test.each<[value: unknown, type: string, sent: unknown]>([
		['4', 'number', '{"f":4}'],
		['+4.50 ', 'number', '{"f":4.5}'],
		['0x10', 'number', '{"f":16}'],
		[0, 'number', '{"f":0}'],
		['', 'number', '{"f":null}'],
		['23851234567890123', 'string', '{"f":"23851234567890123"}'],
		[false, 'boolean', '{"f":false}'],
		[' a ', 'string', '{"f":" a "}'],
		[7, 'string', '{"f":"7"}'],
		['[1,2]', 'array', '{"f":[1,2]}'],
		['{"a":1}', 'object', '{"f":{"a":1}}'],
		[null, 'string', '{"f":null}'],
		[undefined, 'number', '{"f":null}'],
		[new Date(0), 'string', '{"f":"1970-01-01T00:00:00.000Z"}'],
		[new Date(0), 'object', '{"f":"1970-01-01T00:00:00.000Z"}'],
		[new Date(7), 'number', '{"f":7}'],
		[{ ...DateTime.fromMillis(1_000) }, 'string', '{"f":"1970-01-01T00:00:01.000Z"}'],
		['Invalid DateTime', 'string', invalidDate('f')],
		['Invalid Date', 'string', invalidDate('f')],
		['Invalid date', 'string', invalidDate('f')],
		['1', 'array', isNo('array', '"1"')],
		[DateTime.invalid('none'), 'string', isNo('string', 'an invalid date')],
		[new Date('none'), 'object', isNo('object', 'an invalid date')],
		['1-2', 'number', refused],
		['23851234567890123', 'number', refused],
		['1e400', 'number', refused],
		[2 ** 53, 'string', refused],
		[[2 ** 53], 'string', refused],
		['{a: 23851234567890123}', 'object', refused],
		['{', 'object', refused],
		['maybe', 'boolean', refused],
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

	test.each<[value: unknown, fields: unknown]>([
		...[undefined, null, {}, '', { assignments: [] }].map((none): [unknown, object] => [none, {}]),
		['a', told('must contain named fields, but is "a"')],
		...refuse({ a: 1 }, 7, [{ a: 1 }], { assignments: 'a' }, { assignments: [7] }),
	])('%j has the fields %j', (value, fields) => {
		expect(attempt(() => toAssignedFields(value))).toEqual(fields);
	});
});

test.each<[text: string, around: string]>([
	['{ "note": "He said "hi" to us" }', ', near "{ "note": "He said "hi" to us" }"'],
	['{\n"note": "two\nlines" }', ', near "{⏎"note": "two⏎lines" }"'],
	[`{ "path": "C:\\temp", ${' '.repeat(50)}"user": "C:\\us" }`, '"user": "C:\\us" }"'],
	['{ "a": 1, "amount": , "b": 2 }', '"amount": , "b"'],
	['{ "a": [object Object] }', '{ "a": [object Obj'],
	['{ "a": 1', ', near "{ "a": 1"'],
	['Here it is:\n```json\n{ "a": 1 }\n```', '"Here it is'],
	['{{ { note: $json.note } }}', '. If it is an expression, switch the field to Expression'],
])('JSON with a mistake is told with the text around it, and what to do: %j', (text, around) => {
	const remedy = text.startsWith('{{')
		? ''
		: '. In a template, write {{ JSON.stringify($json.message) }}';
	for (const part of ['must be valid JSON, but is not: ', around, remedy])
		expect(() => toJsonObject(text)).toThrow(part);
});
