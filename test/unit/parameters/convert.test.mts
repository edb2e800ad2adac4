import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import * as convert from '../../../nodes/parameters/convert.ts';
import { attempt, refused, told } from './refused.mts';

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
	[2 ** 53, told('must be text, but is a number too large to be exact: 9007199254740992')],
	[NaN, told('must be text, but is NaN: a value in its calculation is missing')],
	[Symbol('a'), told('must be text, but is "Symbol(a)"')],
	[-1e21, refused],
	[2n ** 64n, '18446744073709551616'],
	[false, 'false'],
	[undefined, undefined],
	[null, undefined],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	[DateTime.utc(2026, 1, 31, 9), '2026-01-31T09:00:00.000Z'],
	[DateTime.utc(2026, 1, 31, 9).setZone('Asia/Tokyo'), '2026-01-31T09:00:00.000Z'],
	[new Date(NaN), told('must be text, but is an invalid date')],
	// As n8n yields a date of the input item: without its methods.
	[{ ...DateTime.fromMillis(1_000) }, '1970-01-01T00:00:01.000Z'],
	[{ ...DateTime.invalid('no date') }, told('must be text, but is an invalid date')],
	[DateTime.invalid('no date'), told('must be text, but is an invalid date')],
	[{}, told('must be text, but is an object')],
	[{ toString: 7 }, refused],
	[-Infinity, refused],
	[['a'], refused],
	[() => 'a', refused],
])('%p as text', (value, text) => {
	expect(attempt(() => convert.toText(value))).toEqual(text);
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
	['few', told('must be a number, but is "few"')],
	[new Date(0), told('must be a number, but is an object')],
	[Infinity, refused],
	['1,000', refused],
	[true, refused],
	[[7], told('must be a number, but is an array')],
])('%p as a number', (value, number) => {
	expect(attempt(() => convert.toBoundedNumber(value, unbounded))).toEqual(number);
});

test.each<[value: unknown, boolean: unknown]>([
	[true, true],
	['true', true],
	[' False ', false],
	[1, true],
	['0', false],
	['', undefined],
	[null, undefined],
	['yes', told('must be true or false, but is "yes"')],
	[2, refused],
	[[true], refused],
])('%p as true or false', (value, boolean) => {
	expect(attempt(() => convert.toBoolean(value))).toEqual(boolean);
});

/** Each text stands between angle brackets. */
test.each<[value: unknown, texts: unknown]>([
	['a', '<a>'],
	['a, b ,,c', '<a><b><c>'],
	[['a', ['b', ['c']]], '<a><b><c>'],
	[[' a ', ''], '<a>'],
	[['a, b', 'c'], '<a><b><c>'],
	// A row is typed; a comma in an entry of a list that an expression in it yields is part of the entry.
	[[['a, b'], 'c'], '<a, b><c>'],
	['["a, b"]', '<a, b>'],
	[['["a, b"]'], '<a, b>'],
	['[\n"a",\n"\\u00fc"\n]', '<a><ü>'],
	['[1e400]', refused],
	['[23851234567890123]', refused],
	['', ''],
	[null, ''],
	[[null, undefined], ''],
	[[1, true], '<1><true>'],
	...['a; b', ' a\nb\r\n', 'a\tb', 'a,;b'].map((list): [string, string] => [list, '<a><b>']),
	// Whoever writes quotes or bars means them.
	['a|b', '<a|b>'],
	['"a", "b"', '<"a"><"b">'],
	[['a; b', ['c; d']], '<a><b><c; d>'],
	['a;', '<a>'],
	['max-image-preview:large', '<max-image-preview:large>'],
	['[broken', '<[broken>'],
	['[order 23851234567890123]', '<[order 23851234567890123]>'],
	[{}, refused],
	[['a', {}], refused],
])('%j as several texts', (value, texts) => {
	expect(
		attempt(() =>
			convert
				.toTexts(value)
				.map((each) => `<${each}>`)
				.join(''),
		),
	).toEqual(texts);
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
		['c', told('must be one of a, b, 1, but is "c"')],
		['__proto__', refused],
		[['a'], refused],
		[{ value: 'a' }, refused],
		[1, '1'],
	])('%p', (value, choice) => {
		expect(attempt(() => convert.toChoice(value, property))).toEqual(choice);
	});

	test.each<[value: unknown, choices: unknown]>([
		['a, b', ['a', 'b']],
		[['a', 'a'], ['a']],
		[null, []],
		['a,c,d', told('accepts only a, b, 1, but contains "c, d"')],
	])('several: %j', (value, choices) => {
		expect(attempt(() => convert.toChoices(value, property))).toEqual(choices);
	});
});
