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

describe('a length counts an emoji as one character', () => {
	const check = checks.length(1, 255);
	test.each(['a', '😀'.repeat(255), ' '])('accepted', (value) => {
		accepts(check, value);
	});
	test.each(['', '😀'.repeat(256)])('rejected', (value) => {
		refuses(check, value);
	});
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

describe('documented IDs', () => {
	const id = 'account_0123456789abcdefghijklmnop';
	test.each([
		id,
		` ${id}\n`,
		`https://app.example/accounts/${id}?tab=1`,
		`"${id}"`,
		`Account ${id}, and ${id} again`,
		`${id}/activity`,
	])('%j holds one', (value) => {
		accepts(checks.accountIdFormat, value, id);
	});
	test.each([
		'account_0123456789abcdefghijklmno',
		`${id}q`,
		`x${id}`,
		id.toUpperCase(),
		'prospect_0123456789abcdefghijklmnop',
		`${id} account_zzzzzzzzzzzzzzzzzzzzzzzzzz`,
	])('%j does not', (value) => {
		refuses(checks.accountIdFormat, value);
	});
	test.each([
		[checks.accountIdFormat, 'account_', 'Account > Search'],
		[checks.personIdFormat, 'prospect_', 'Person > Search'],
	])('%p says what one is, and where to find it', (check, prefix, origin) => {
		const told = `must be "${prefix}" followed by 26 lowercase letters and digits (find it with ${origin}), but`;
		const two = ['a', 'b'].map((letter) => prefix + letter.repeat(26)).join();
		const refused = (what: string) => new checks.InvalidValueError(`${told} ${what}`);
		expect(outcome(check, ' 42 ')).toEqual(refused('is "42"'));
		expect(outcome(check, two)).toEqual(refused(`contains 2 of them: ${checks.quote(two)}`));
	});
	test('leaves empty text alone', () => {
		accepts(checks.personIdFormat, '', '');
		accepts(checks.personIdFormat, '  ', '');
	});
});

describe('a URL', () => {
	const check = checks.subscriptionUrl('Copy it.');
	test.each(['https://example.com/hook', 'http://127.0.0.1:1/x?y=1#z', ' https://a.example '])(
		'%j',
		(value) => {
			accepts(check, value, value.trim());
		},
	);
	test.each(['example.com', '/hook', 'https://', 'http://a b', 'https//a.example'])(
		'not %j',
		(value) => {
			const told = `must be a full URL such as "https://example.com/hook", but is "${value}"`;
			expect(outcome(check, value)).toEqual(new checks.InvalidValueError(told));
		},
	);
	test('may be left out', () => {
		accepts(check, ' ', '');
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
