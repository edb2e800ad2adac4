import * as checks from '../../../nodes/parameters/checks.ts';

const outcome = (check: checks.Check, value: string): string | Error => {
	try {
		return check(value);
	} catch (error) {
		if (error instanceof checks.InvalidValueError) return error;
		throw error;
	}
};
const accepts = (check: checks.Check, value: string, sent = value) =>
	expect(outcome(check, value)).toBe(sent);
const refuses = (check: checks.Check, value: string) =>
	expect(outcome(check, value)).toBeInstanceOf(checks.InvalidValueError);

const id = 'account_0123456789abcdefghijklmnop';
const isAccount = checks.accountIdFormat;
const isUrl = checks.subscriptionUrl('Copy it.');
/** An emoji counts as one character. */
const isLength = checks.length(1, 255);

test.each<[check: checks.Check, sent: string, values: string[]]>([
	[isLength, ' ', [' ']],
	[isLength, '😀'.repeat(255), ['😀'.repeat(255)]],
	[isAccount, id, [id, ` ${id}\n`, `https://app.example/accounts/${id}?tab=1`, `"${id}"`]],
	[isAccount, id, [`Account ${id}, and ${id} again`, `${id}/activity`]],
	[checks.personIdFormat, '', ['', '  ']],
	[isUrl, 'https://example.com/hook', ['https://example.com/hook', ' https://example.com/hook ']],
	[isUrl, 'http://127.0.0.1:1/x?y=1#z', ['http://127.0.0.1:1/x?y=1#z']],
	[isUrl, '', [' ']],
])('%p sends %s for %j', (check, sent, values) => {
	for (const value of values) accepts(check, value, sent);
});

test.each<[check: checks.Check, values: string[]]>([
	[isLength, ['', '😀'.repeat(256)]],
	[isAccount, ['account_0123456789abcdefghijklmno', `${id}q`, `x${id}`, id.toUpperCase()]],
	[isAccount, ['prospect_0123456789abcdefghijklmnop', `${id} account_${'z'.repeat(26)}`]],
])('%p refuses %j', (check, values) => {
	for (const value of values) refuses(check, value);
});

test.each(['example.com', '/hook', 'https://', 'http://a b', 'https//a.example'])(
	'%j is told as no URL',
	(value) => {
		const told = `must be a full URL such as "https://example.com/hook", but is "${value}"`;
		expect(outcome(isUrl, value)).toEqual(new checks.InvalidValueError(told));
	},
);

test.each([
	[isAccount, 'account_', 'Account > Search'],
	[checks.personIdFormat, 'prospect_', 'Person > Search'],
])('%p says what an ID is, and where to find it', (check, prefix, origin) => {
	const told = `must be "${prefix}" followed by 26 lowercase letters and digits (find it with ${origin}), but`;
	const two = ['a', 'b'].map((letter) => prefix + letter.repeat(26)).join();
	const refused = (what: string) => new checks.InvalidValueError(`${told} ${what}`);
	expect(outcome(check, ' 42 ')).toEqual(refused('is "42"'));
	expect(outcome(check, two)).toEqual(refused(`contains 2 of them: ${checks.quote(two)}`));
});

describe('kebab case', () => {
	test.each(['a', 'crm-2-b', '0', 'x'.repeat(100)])('%s', (value) => {
		accepts(checks.kebabCase, value);
		accepts(checks.kebabCase, ` ${value}\n`, value);
	});
	test.each([
		['hubSpot', 'hub-spot'],
		['Contact Updated', 'contact-updated'],
		['a--b', 'a-b'],
		['a_b', 'a-b'],
		['Café', 'cafe'],
		['x'.repeat(101), 'x'.repeat(100)],
		['a\nb', 'a-b'],
		['😀', undefined],
	])('%j suggests %j', (value, suggestion) => {
		const instead = suggestion ? `for example "${suggestion}" instead of` : 'not';
		const told = `is invalid: use lowercase letters, digits and single hyphens, up to 100 characters, ${instead} ${checks.quote(value)}`;
		expect(outcome(checks.kebabCase, value)).toEqual(new checks.InvalidValueError(told));
		if (suggestion) accepts(checks.kebabCase, suggestion);
	});
	test('cuts a suggestion to a valid one', () => {
		const told = outcome(checks.kebabCase, `${'x'.repeat(99)} y`);
		accepts(checks.kebabCase, /for example "([^"]+)"/.exec(String(told))?.[1] ?? 'A');
	});
});

test.each([
	['4.93012E+11', 'is "4.93012E+11", a number that a spreadsheet has rounded'],
	['4e+5', 'is "4e+5", a number that a spreadsheet has rounded'],
	['2,38513e+16', 'is "2,38513e+16", a number that a spreadsheet has rounded'],
	['form-[object Object]', 'contains [object Object], which n8n writes for every object'],
])('no key is %j, which several records would share', (value, told) => {
	expect(outcome(checks.trimmedText, value)).toMatchObject({
		message: expect.stringContaining(told) as string,
	});
	for (const each of ['891e3', '12E4', '4711', 'a.1E+2', 'object'])
		accepts(checks.trimmedText, each);
});

test('a quoted value is short and never cut inside a character', () => {
	expect(checks.quote('a')).toBe('"a"');
	const quoted = checks.quote('😀'.repeat(1_000_000));
	expect([...quoted].length).toBeLessThan(70);
	expect(quoted.isWellFormed()).toBe(true);
});

test.each([
	['java\tscript:', 'java[U+0009]script:'],
	['a\r\nb\nc\u2028d', 'a⏎b⏎c⏎d'],
	['\u0001a\u200b\u202e\ufeff', '[U+0001]a[U+200B][U+202E][U+FEFF]'],
	[
		'Ärzte 👩‍💻 \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
		'Ärzte 👩‍💻 \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
	],
])('a quoted value shows what is not seen: %j', (value, shown) => {
	expect(checks.quote(value)).toBe(`"${shown}"`);
});
