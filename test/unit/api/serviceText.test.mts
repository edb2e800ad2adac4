import { readServiceText } from '../../../nodes/api/serviceText.ts';

test.each<[what: string, body: unknown, text: string | undefined]>([
	['message', { message: 'No such page' }, 'No such page'],
	['a code and a message', { error: 'not_found', message: 'No page' }, 'No page'],
	['error as an object', { error: { code: 1, message: 'Too long' } }, 'Too long'],
	['a detail', { detail: 'No such page' }, 'No such page'],
	['a list', { errors: [{ message: 'a' }, 'b', { detail: 'c' }] }, 'a; b; c'],
	['the same twice', { message: 'no', errors: ['no', 'why'] }, 'no; why'],
	['plain text', 'Service Unavailable', 'Service Unavailable'],
	['JSON as text', '{"message":"inner"}', 'inner'],
	['broken JSON', '{"message":', '{"message":'],
	['a text that JSON would read as a number', '502', '502'],
	['HTML', '<html><body><h1>502</h1> Bad Gateway</body></html>', '502 Bad Gateway'],
	[
		'a login page',
		'<!doctype html><head><style>body{color:red}</style><title>\n Sign in &middot; Acme\n</title><script>if(a<b)go()</script>',
		'Sign in &middot; Acme',
	],
	[
		'a page without a title',
		'<title></title><STYLE>a>b{}</STYLE ><!-- <b> --><script src="a">if(a<b)go()</script>Sign in',
		'Sign in',
	],
	['control characters', 'a\u0000b\u001b[31mc\r\nd\te', 'a b [31mc d e'],
	['keys that are fields', { email: ['is taken'] }, '{"email":["is taken"]}'],
	[
		'a text further inside',
		{ error: { error: { message: 'no' } } },
		'{"error":{"error":{"message":"no"}}}',
	],
	['empty members', { message: '', errors: [] }, '{"message":"","errors":[]}'],
	['an empty object', {}, undefined],
	['null', null, undefined],
	['an empty text', '', undefined],
])('%s', (_, body, text) => {
	expect(readServiceText(body, '')).toBe(text);
});

test('shows no record', () => {
	expect(readServiceText({ email: 'ada@example.com' }, '', true)).toBeUndefined();
	expect(readServiceText({ message: 'Maintenance' }, '', true)).toBe('Maintenance');
});

describe('a body of any size', () => {
	test('is cut to 500 characters, and never inside an emoji', () => {
		expect(readServiceText('x'.repeat(2 ** 20), '')).toBe(`${'x'.repeat(500)}…`);
		expect(readServiceText('😀'.repeat(2 ** 18), '')?.isWellFormed()).toBe(true);
	});

	test('is read up to a depth', () => {
		let body: unknown = 'deep';
		for (let i = 0; i < 500; i++) body = { error: body };
		expect(readServiceText(body, '')).toHaveLength(501);
	});
});
