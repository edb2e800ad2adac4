import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import * as convert from '../../../nodes/parameters/convert.ts';
import { attempt, refuse, told } from './refused.mts';

test.each<[value: unknown, text: unknown]>([
	['a', 'a'],
	[' a ', ' a '],
	[0, '0'],
	[2 ** 53 - 1, '9007199254740991'],
	[2 ** 53, told('must be text, but is a number too large to be exact: 9007199254740992')],
	[NaN, told('must be text, but is NaN: a value in its calculation is missing')],
	[Symbol('a'), told('must be text, but is "Symbol(a)"')],
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
	...refuse(-1e21, { toString: 7 }, -Infinity, ['a'], () => 'a'),
])('%p as text', (value, text) => {
	expect(attempt(() => convert.toText(value))).toEqual(text);
});

test.each<[value: unknown, number: unknown]>([
	[' 7 ', 7],
	['1.5', 1.5],
	['+5', 5],
	['5e0', 5],
	['  ', undefined],
	[null, undefined],
	['few', told('must be a number, but is "few"')],
	[new Date(0), told('must be a number, but is an object')],
	[[7], told('must be a number, but is an array')],
	...refuse('7 items', '1,000', '1e400', Infinity, true),
])('%p as a number', (value, number) => {
	const unbounded = { displayName: 'N', name: 'n', type: 'number', default: 0 } as const;
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
	...refuse(2, [true]),
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
	...refuse('[1e400]', '[23851234567890123]', {}, ['a', {}]),
])('%j as several texts', (value, texts) => {
	const inBrackets = () => convert.toTexts(value).map((each) => `<${each}>`);
	expect(attempt(() => inBrackets().join(''))).toEqual(texts);
});

describe('a choice', () => {
	const options = ['a', 'b', 1].map((value) => ({ name: String(value), value }));
	const property: INodeProperties = {
		...{ displayName: 'Kind', name: 'kind', default: 'a' },
		...{ type: 'options', options },
	};

	test.each<[value: unknown, choice: unknown]>([
		['a', 'a'],
		[' b ', 'b'],
		['', undefined],
		[null, undefined],
		['c', told('must be one of a, b, 1, but is "c"')],
		[1, '1'],
		...refuse('A', '__proto__', ['a'], { value: 'a' }),
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
