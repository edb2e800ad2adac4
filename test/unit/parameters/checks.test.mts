import * as checks from '../../../nodes/parameters/checks.ts';
import { expectLinear } from '../growth.mts';

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
	test.each(['a', 'x'.repeat(255), '😀'.repeat(255), 'é'.repeat(255), ' '])('accepted', (value) => {
		accepts(check, value);
	});
	test.each(['', 'x'.repeat(256), '😀'.repeat(256), 'x'.repeat(1_000_000)])('rejected', (value) => {
		refuses(check, value);
	});
	test('names both lengths in the message', () => {
		expect(outcome(check, 'x'.repeat(300))).toMatchObject({
			message: 'must have 1 to 255 characters, but has 300',
		});
	});
});

describe('kebab case', () => {
	test.each(['a', 'webhook', 'crm-2', '0', 'a-b-c', 'x'.repeat(100)])('%s', (value) => {
		accepts(checks.kebabCase, value);
		accepts(checks.kebabCase, ` ${value}\n`, value);
	});
	test.each([
		['A', 'a'],
		['hubSpot', 'hub-spot'],
		['Contact Updated', 'contact-updated'],
		['a--b', 'a-b'],
		['-a', 'a'],
		['a_b', 'a-b'],
		['Café', 'cafe'],
		['x'.repeat(101), 'x'.repeat(100)],
		['a\nb', 'a-b'],
		['😀', undefined],
		['日本', undefined],
	])('%j suggests %j', (value, suggestion) => {
		const told = outcome(checks.kebabCase, value);
		expect(told).toBeInstanceOf(checks.InvalidValueError);
		const message = told instanceof Error ? told.message : '';
		if (suggestion) expect(message).toContain(`for example "${suggestion}"`);
		else expect(message).not.toContain('for example');
		if (suggestion) accepts(checks.kebabCase, suggestion);
	});
	test('cuts a suggestion to a valid one', () => {
		const told = outcome(checks.kebabCase, `${'x'.repeat(99)} y`);
		accepts(checks.kebabCase, /for example "([^"]+)"/.exec(String(told))?.[1] ?? 'A');
	});
	test.each(['a-', 'A', '-'])('rejects megabytes of %j in linear time', (unit) => {
		const told = outcome(checks.kebabCase, unit.repeat(2 ** 20));
		expect(told).toBeInstanceOf(checks.InvalidValueError);
		expect(String(told).length).toBeLessThan(400);
		expectLinear((length) => {
			const value = unit.repeat(length);
			return () => outcome(checks.kebabCase, value);
		}, 2 ** 15);
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
		`(${id})`,
	])('%j holds one', (value) => {
		accepts(checks.accountIdFormat, value, id);
	});
	test.each([
		'account_0123456789abcdefghijklmno',
		`${id}q`,
		`x${id}`,
		`sub_${id}`,
		id.toUpperCase(),
		'prospect_0123456789abcdefghijklmnop',
		`${id} account_zzzzzzzzzzzzzzzzzzzzzzzzzz`,
		'..',
		'42',
	])('%j does not', (value) => {
		refuses(checks.accountIdFormat, value);
	});
	test('leaves empty text alone', () => {
		accepts(checks.personIdFormat, '', '');
		accepts(checks.personIdFormat, '  ', '');
	});
});

describe('a URL', () => {
	test.each(['https://example.com/hook', 'http://127.0.0.1:1/x?y=1#z', ' https://a.example '])(
		'%j',
		(value) => {
			accepts(checks.absoluteUrl, value, value.trim());
		},
	);
	test.each(['example.com', '/hook', 'https://', 'http://a b', 'https//a.example'])(
		'not %j',
		(value) => {
			refuses(checks.absoluteUrl, value);
		},
	);
});

test('a quoted value is short and never cut inside a character', () => {
	expect(checks.quote('a')).toBe('"a"');
	const quoted = checks.quote('😀'.repeat(1_000_000));
	expect([...quoted].length).toBeLessThan(70);
	expect(quoted.isWellFormed()).toBe(true);
});
