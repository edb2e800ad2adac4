import fc from 'fast-check';
import { escapeFormula, escapeFormulaInJson } from '../../../nodes/files/formula.ts';
import { generated } from '../../generated.mts';

test.each([
	'=1+1',
	'=HYPERLINK("https://example.com","Invoice")',
	"=cmd|'/C calc'!A0",
	'+SUM(A1:A9)',
	"+cmd|'/C calc'!A0",
	'-2+3',
	'-A1',
	'@SUM(1,2)',
	' =1+1',
	'\u200b=1+1',
	'\ufeff@SUM(1)',
	'＝1+1',
	'＋1+A1',
	'－A1',
	'＠SUM(1)',
	'+49*A1',
	'+12345&A1',
	'+12345-',
	'+12345/',
	'+12345-x7',
	// 21 digits.
	'+12345 67890 12345-678901',
	'+12-34',
	'+1',
	'@support',
	'- call back on Monday',
])('puts a quote before %j', (text) => {
	// A plain number is the one that looks like a formula and is none.
	expect(escapeFormula(text)).toBe(text === '+1' ? text : `'${text}`);
});

test.each([
	'',
	'-5',
	'+5',
	'-0.25',
	'-,5',
	'-1,234.50',
	'-1.234,50',
	"-1'000",
	'+1e21',
	'-1E-7',
	'-3 %',
	'+4930123456',
	'+49 30 123456',
	'+49 (0)30/1234-56',
	// 20 digits.
	'+12345 67890 12345-67890',
	'-5%  ',
	'+1 555 0100 x12 ',
	'+1.555.010.0199',
	'+1 555 0100 x12',
	'+1 555 0100 ext. 12',
	'+1-555-0100;ext=12',
	'+12-345',
	' +49 30 123456 ',
	'-',
	'--',
	'–',
	'@',
	'=',
	"'=1+1",
	'a=1',
	'1+1',
	'5-3',
	'{"a":"=1"}',
	'["=1"]',
	'name@example.com',
	'Zoë',
])('leaves %j unchanged', (text) => {
	expect(escapeFormula(text)).toBe(text);
});

const digits = (least: number, most: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });

test('leaves every number that JSON can hold unchanged', () => {
	fc.assert(
		fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
			expect(escapeFormula(String(number))).toBe(String(number));
		}),
		generated(100),
	);
});

test('leaves international phone numbers unchanged', () => {
	const separator = fc.constantFrom('', ' ', '-', '.', '/', '\u00a0', ' (', ') ');
	const groups = fc.array(fc.tuple(separator, digits(1, 4)), { minLength: 3, maxLength: 4 });
	const extension = fc.constantFrom('', ' x7', ' ext. 123', '#9');
	fc.assert(
		fc.property(digits(2, 3), groups, extension, (country, rest, more) => {
			const phone = `+${country}${rest.flat().join('')}${more}`;
			expect(escapeFormula(phone)).toBe(phone);
		}),
		generated(100),
	);
});

test.each([
	['Ann;=1+1;x', "Ann;'=1+1;x"],
	['Ann\t=1+1', "Ann\t'=1+1"],
	['Ann| @SUM(1)', "Ann|' @SUM(1)"],
	['Ann\n-2+A1', "Ann\n'-2+A1"],
	['Ann;"=1+1"', `Ann;'"=1+1"`],
	['=1;=2', "'=1;'=2"],
	['\t=1+1', "\t'=1+1"],
	['\r\n=1+1', "\r\n'=1+1"],
	// The next cell would go on with it.
	['Ann;-', "Ann;'-"],
	['Ann; - ;x', 'Ann; - ;x'],
	['Ann;+12345-', "Ann;'+12345-"],
	['a; +49 30 123457;ext. 12', 'a; +49 30 123457;ext. 12'],
	['5;-5|-1,5', '5;-5|-1,5'],
	['5;-5\t+A1', "5;'-5\t'+A1"],
	['a, =1', 'a, =1'],
])('writes %j as %j', (text, escaped) => {
	expect(escapeFormula(text)).toBe(escaped);
});

test('lets nothing begin like a formula that has more than numbers and separators', () => {
	const start = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠');
	const before = fc.constantFrom('', ' ', '\t', '\r', '\n', '\u00a0', '\u200b', '\0', 'a;', 'a|"');
	fc.assert(
		fc.property(before, start, fc.string({ unit: 'binary' }), (beginning, sign, rest) => {
			const text = beginning + sign + rest;
			const escaped = escapeFormula(text);
			if (escaped !== text)
				return expect(escaped.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
			// Behind a separator, another one ends the cell. Signs alone compute nothing.
			const [end = ''] = beginning.trim() === '' ? [rest] : rest.split(/[;|\r\n]/);
			if (!/[\p{L}\p{N}]/u.test(end)) return;
			// What is left as it is names no function, cell or program, and joins and compares nothing.
			expect(end.replace(/(x|ext\.?|ext=|e[+-]?)(?=\s?\d{1,7}\s*%?\s*$)/i, '')).not.toMatch(
				/[\p{L}&|!<>*^"$:]/u,
			);
		}),
		generated(2_000),
	);
});

test.each([
	['["a;=1","b| @SUM(1)"]', '["a\\u003b=1","b\\u007c @SUM(1)"]'],
	['[";\u200b=1"]', '["\\u003b\u200b=1"]'],
	['["a;b=1","a|b-1"]', '["a;b=1","a|b-1"]'],
	['["=1"]', '["=1"]'],
])('writes the JSON %s as %s, which means the same', (json, escaped) => {
	expect(escapeFormulaInJson(json)).toBe(escaped);
	expect(JSON.parse(escaped)).toEqual(JSON.parse(json));
});
