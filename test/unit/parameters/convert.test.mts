import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { InvalidValueError } from '../../../nodes/parameters/checks.ts';
import * as convert from '../../../nodes/parameters/convert.ts';
import { attempt, refused } from './refused.mts';

const unbounded: INodeProperties = {
	displayName: 'Number',
	name: 'number',
	type: 'number',
	default: 0,
};

test.each<[value: unknown, text: unknown]>([
	['a', 'a'],
	[' a ', ' a '],
	[0, '0'],
	[2 ** 53 - 1, '9007199254740991'],
	[2 ** 53, refused],
	[-1e21, refused],
	[2n ** 64n, '18446744073709551616'],
	[false, 'false'],
	[undefined, undefined],
	[null, undefined],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	[DateTime.utc(2026, 1, 31, 9), '2026-01-31T09:00:00.000Z'],
	[DateTime.utc(2026, 1, 31, 9).setZone('Asia/Tokyo'), '2026-01-31T09:00:00.000Z'],
	[new Date(NaN), refused],
	// As n8n yields a date of the input item: without its methods.
	[{ ...DateTime.fromMillis(1_000) }, '1970-01-01T00:00:01.000Z'],
	[{ ...DateTime.invalid('no date') }, refused],
	[DateTime.invalid('no date'), refused],
	[{}, refused],
	[{ toString: 7 }, refused],
	[-Infinity, refused],
	[['a'], refused],
	[() => 'a', refused],
])('%p as text', (value, text) => {
	expect(attempt(() => convert.toText(value))).toBe(text);
});

test.each<[value: unknown, number: unknown]>([
	[' 7 ', 7],
	['1.5', 1.5],
	['+5', 5],
	['5e0', 5],
	['1e400', refused],
	['  ', undefined],
	[null, undefined],
	['7 items', refused],
	[Infinity, refused],
	['1,000', refused],
	[true, refused],
	[[7], refused],
])('%p as a number', (value, number) => {
	expect(attempt(() => convert.toBoundedNumber(value, unbounded))).toBe(number);
});

test.each<[value: unknown, boolean: unknown]>([
	[true, true],
	['true', true],
	[' False ', false],
	[1, true],
	['0', false],
	['', undefined],
	[null, undefined],
	['yes', refused],
	[2, refused],
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
	[[' a ', ''], ['a']],
	[
		['a, b', 'c'],
		['a', 'b', 'c'],
	],
	// A row is typed; a comma in an entry of a list that an expression in it yields is part of the entry.
	[
		[['a, b'], 'c'],
		['a, b', 'c'],
	],
	['["a, b"]', ['a, b']],
	[['["a, b"]'], ['a, b']],
	['[\n"a",\n"\\u00fc"\n]', ['a', 'ü']],
	['[1e400]', refused],
	['[23851234567890123]', refused],
	['', []],
	[null, []],
	[[null, undefined], []],
	[
		[1, true],
		['1', 'true'],
	],
	...['a; b', ' a\nb\r\n', 'a\tb', 'a,;b'].map((list): [string, string[]] => [list, ['a', 'b']]),
	// Whoever writes quotes or bars means them.
	['a|b', ['a|b']],
	['"a", "b"', ['"a"', '"b"']],
	[
		['a; b', ['c; d']],
		['a', 'b', 'c; d'],
	],
	['a;', ['a']],
	['max-image-preview:large', ['max-image-preview:large']],
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
		[['a'], refused],
		[{ value: 'a' }, refused],
		[1, '1'],
	])('%p', (value, choice) => {
		expect(attempt(() => convert.toChoice(value, property))).toBe(choice);
	});

	test.each<[value: unknown, choices: unknown]>([
		['a, b', ['a', 'b']],
		[['a', 'a'], ['a']],
		[null, []],
		['a,c', refused],
	])('several: %j', (value, choices) => {
		expect(attempt(() => convert.toChoices(value, property))).toEqual(choices);
	});
});

describe('what is told of a value', () => {
	test.each<[told: string, run: () => unknown]>([
		['must be text, but is NaN: a value in its calculation is missing', () => convert.toText(NaN)],
		[
			'must be text, but is a number too large to be exact: 9007199254740992',
			() => convert.toText(2 ** 53),
		],
		['must be text, but is an object', () => convert.toText({})],
		['must be text, but is an invalid date', () => convert.toText(new Date(NaN))],
		['must be text, but is an invalid date', () => convert.toText(DateTime.invalid('no date'))],
		['must be text, but is an invalid date', () => convert.toText({ ...DateTime.invalid('x') })],
		['must be a number, but is an object', () => convert.toBoundedNumber(new Date(0), unbounded)],
		['must be text, but is "Symbol(a)"', () => convert.toText(Symbol('a'))],
		['must be a number, but is "few"', () => convert.toBoundedNumber('few', unbounded)],
		['must be a number, but is an array', () => convert.toBoundedNumber([7], unbounded)],
		['must be true or false, but is "yes"', () => convert.toBoolean('yes')],
		['must be one of a, b, but is "c"', () => convert.toChoice('c', letter)],
		['accepts only a, b, but contains "c, d"', () => convert.toChoices('a,c,d', letter)],
	])('%s', (told, run) => {
		expect(run).toThrow(new InvalidValueError(told));
	});
});
