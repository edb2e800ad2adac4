import * as checks from '../../../nodes/parameters/checks.ts';
import { attempt, refused, told } from './refused.mts';

const check = {
	'a text': checks.length(1, 255),
	'an account ID': checks.accountIdFormat,
	'a person ID': checks.personIdFormat,
	'a URL': checks.subscriptionUrl('Copy it.'),
	'a key': checks.trimmedText,
	'kebab case': checks.kebabCase,
};
type Row = [kind: keyof typeof check, value: string, outcome: unknown];

/** Rows of values with one outcome, or each of which goes out as it is. */
const rows = (kind: Row[0], values: string[], outcome?: unknown) =>
	values.map((value): Row => [kind, value, outcome ?? value]);

const id = 'account_0123456789abcdefghijklmnop';
const [one, other] = ['a', 'b'].map((letter) => letter.repeat(26));
const two = `prospect_${one},prospect_${other}`;

/** What an ID is, and where to find it. */
const noId = (prefix: string, resource: string, what: string) =>
	told(
		`must be "${prefix}" followed by 26 lowercase letters and digits (find it with ${resource} > Search), but ${what}`,
	);
const noUrl = (value: string) =>
	told(`must be a full URL such as "https://example.com/hook", but is "${value}"`);
const noKey = (what: string) => told(expect.stringContaining(what) as string);
const noKebab = (instead: string, value: string) =>
	told(
		`is invalid: use lowercase letters, digits and single hyphens, up to 100 characters, ${instead} ${checks.quote(value)}`,
	);

test.each<Row>([
	// An emoji counts as one character.
	...rows('a text', [' ', '😀'.repeat(255)]),
	...rows('a text', ['', '😀'.repeat(256)], refused),
	...rows('an account ID', [id, ` ${id}\n`, `https://app.example/${id}?tab=1`, `"${id}"`], id),
	...rows('an account ID', [`Account ${id}, and ${id} again`, `${id}/activity`], id),
	...rows('an account ID', [id.slice(0, -1), `${id}q`, `x${id}`, id.toUpperCase()], refused),
	...rows('an account ID', [`prospect_${one}`, `${id} account_${other}`], refused),
	...rows('a person ID', ['', '  '], ''),
	['an account ID', ' 42 ', noId('account_', 'Account', 'is "42"')],
	['a person ID', ' 42 ', noId('prospect_', 'Person', 'is "42"')],
	['a person ID', two, noId('prospect_', 'Person', `contains 2 of them: ${checks.quote(two)}`)],
	...rows('a URL', ['https://example.com/hook', 'http://127.0.0.1:1/x?y=1#z']),
	['a URL', ' https://example.com/hook ', 'https://example.com/hook'],
	['a URL', ' ', ''],
	...['example.com', '/hook', 'https://', 'http://a b', 'https//a.example'].map(
		(value): Row => ['a URL', value, noUrl(value)],
	),
	// Several records would share these.
	...['4.93012E+11', '4e+5', '2,38513e+16'].map((value): Row => {
		return ['a key', value, noKey(`is "${value}", a number that a spreadsheet has rounded`)];
	}),
	['a key', 'form-[object Object]', noKey('contains [object Object], which n8n writes for every')],
	...rows('a key', ['891e3', '12E4', '4711', 'a.1E+2', 'object']),
	...rows('kebab case', ['a', 'crm-2-b', '0', 'x'.repeat(100)]),
	['kebab case', ' crm-2-b\n', 'crm-2-b'],
	['kebab case', '😀', noKebab('not', '😀')],
	...[
		['hubSpot', 'hub-spot'],
		['Contact Updated', 'contact-updated'],
		['a--b', 'a-b'],
		['a_b', 'a-b'],
		['Café', 'cafe'],
		['x'.repeat(101), 'x'.repeat(100)],
		[`${'x'.repeat(99)} y`, 'x'.repeat(99)],
		['a\nb', 'a-b'],
	].flatMap(([value, suggestion]): Row[] => [
		['kebab case', value, noKebab(`for example "${suggestion}" instead of`, value)],
		['kebab case', suggestion, suggestion],
	]),
])('%s: %j', (kind, value, outcome) => {
	expect(attempt(() => check[kind](value))).toEqual(outcome);
});

test('a quoted value is short and never cut inside a character', () => {
	const quoted = checks.quote('😀'.repeat(1_000_000));
	expect([...quoted].length).toBeLessThan(70);
	expect(quoted.isWellFormed()).toBe(true);
});

test.each([
	['a', 'a'],
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
