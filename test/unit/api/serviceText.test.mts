import { readServiceText } from '../../../nodes/api/serviceText.ts';
import { expectLinear } from '../growth.mts';

test.each<[what: string, body: unknown, text: string | undefined]>([
	['message', { message: 'No such page' }, 'No such page'],
	['a code and a message', { error: 'not_found', message: 'No page' }, 'No page'],
	['a code alone', { error: 'not_found' }, 'not_found'],
	['error as an object', { error: { code: 1, message: 'Too long' } }, 'Too long'],
	['a nested list', { errors: [{ field: 'email', message: 'is wrong' }] }, 'email: is wrong'],
	[
		'JSON pointers',
		{ details: [{ path: 'body/name', message: 'too long' }] },
		'body/name: too long',
	],
	[
		'places as lists',
		{ detail: [{ loc: ['body', 'name'], msg: 1, message: 'no' }] },
		'body.name: no',
	],
	['keys that are fields', { email: ['is taken', 'is odd'] }, 'email: is taken; email: is odd'],
	['a list of texts', ['first', 'second'], 'first; second'],
	['a list of objects', [{ message: 'a' }, { message: 'b' }], 'a; b'],
	['the same twice', { message: 'no', error: 'no' }, 'no'],
	['plain text', 'Service Unavailable', 'Service Unavailable'],
	['JSON as text', '{"message":"inner"}', 'inner'],
	['broken JSON', '{"message":', '{"message":'],
	['a text that JSON would read as a number', '502', '502'],
	['a text in quotes', '"gone [x]"', '"gone [x]"'],
	['HTML', '<html><body><h1>502</h1> Bad Gateway</body></html>', '502 Bad Gateway'],
	['text around tags', 'Hi<br>there', 'Hi there'],
	['control characters', 'a\u0000b\u001b[31mc\r\nd\te', 'a b [31mc d e'],
	['no text', { code: 7, ok: false }, undefined],
	['null', null, undefined],
	['nothing', undefined, undefined],
	['an empty text', '', undefined],
	['a number', 7, undefined],
	['an empty object', {}, undefined],
	['empty members', { message: '', errors: [] }, undefined],
	['a place of an odd type', { errors: [{ field: 7, message: 'm' }] }, 'm'],
])('%s', (_, body, text) => {
	expect(readServiceText(body)).toBe(text);
});

test.each([
	'message',
	'detail',
	'details',
	'error_description',
	'error',
	'errors',
	'title',
	'reason',
	'description',
])('%s holds a text, wherever it stands', (key) => {
	expect(readServiceText({ [key]: 'No such page', code: 'x' })).toBe('No such page');
	expect(readServiceText({ [key]: [{ [key]: 'No' }, 'Other'] })).toBe('No; Other');
});

test.each(['path', 'field', 'instancePath', 'param', 'loc'])('%s names the place', (key) => {
	expect(readServiceText([{ [key]: 'email', message: 'is odd' }])).toBe('email: is odd');
	expect(readServiceText([{ [key]: ['a', 0], message: 'is odd' }])).toBe('a.0: is odd');
	expect(readServiceText([{ [key]: {}, message: 'is odd' }])).toBe('is odd');
});

describe('a body of any size', () => {
	test('is cut to 500 characters', () => {
		expect(readServiceText('x'.repeat(2 ** 20))).toBe(`${'x'.repeat(500)}…`);
	});

	test('is never cut inside an emoji', () => {
		expect(readServiceText('😀'.repeat(2 ** 18))?.isWellFormed()).toBe(true);
	});

	test.each<[what: string, make: (length: number) => unknown]>([
		['tags that are never closed', (length) => '<script '.repeat(length / 8)],
		['angle brackets', (length) => '<'.repeat(length)],
		['a long list', (length) => ({ errors: Array.from({ length }, (_, i) => `message ${i}`) })],
		[
			'many members',
			(length) => Object.fromEntries(Array.from({ length }, (_, i) => [`f${i}`, 'bad'])),
		],
		['long place names', (length) => ({ errors: [{ field: 'f'.repeat(length), message: 'no' }] })],
	])('is read in linear time: %s', (_, make) => {
		const read = (length: number) => {
			const body = make(length);
			return () => readServiceText(body);
		};
		expect([...(readServiceText(make(2 ** 17)) ?? '')].length).toBeLessThanOrEqual(501);
		expectLinear(read, 2 ** 14);
	});

	test('is read up to a depth of lists', () => {
		const nest = (depth: number) => {
			let body: unknown = 'deep';
			for (let i = 0; i < depth; i++) body = [body];
			return readServiceText(body);
		};
		expect(nest(6)).toBe('deep');
		expect(nest(8)).toBeUndefined();
	});

	test('is read for twenty entries of a list or an object', () => {
		const texts = Array.from({ length: 30 }, (_, i) => `m${i}`);
		expect(readServiceText(texts)?.split('; ')).toEqual(texts.slice(0, 20));
		const fields = Object.fromEntries(texts.map((text) => [text, 'odd']));
		expect(readServiceText(fields)?.split('; ')).toHaveLength(20);
	});

	test('is read up to a depth', () => {
		let body: unknown = 'deep';
		for (let i = 0; i < 5000; i++) body = { error: body };
		expect(readServiceText(body)).toBeUndefined();
	});
});

test.each(['__proto__', 'constructor', 'toString'])('%s is an ordinary key', (key) => {
	expect(readServiceText(JSON.parse(`{"${key}":"odd"}`))).toBe(`${key}: odd`);
});
