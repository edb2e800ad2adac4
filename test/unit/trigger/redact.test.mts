import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { redact } from '../../../nodes/PageAudienceTrigger/delivery/redact.ts';
import { allUrlParameters } from '../../../nodes/PageAudienceTrigger/subscription/registeredUrl.ts';
import { redactText } from '../../../nodes/PageAudienceTrigger/delivery/redaction.ts';
import { generated } from '../../generated.mts';
import { expectLinear } from '../growth.mts';

/*
 * What must hold: wherever a delivery repeats a secret, at whatever place of a text and in whatever
 * spelling of each letter, nothing has more than a few letters of it in a row.
 */

const mostLetters = 6;

const hex = (letter: string, digits = 2) => letter.charCodeAt(0).toString(16).padStart(digits, '0');

/** How programs write a letter. */
const spellings: Record<string, (letter: string) => string> = {
	plain: (letter) => letter,
	'other case': (letter) =>
		letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
	json: (letter) => `\\u${hex(letter, 4)}`,
	'json in json': (letter) => `\\\\u${hex(letter, 4)}`,
	'a script': (letter) => `\\x${hex(letter).toUpperCase()}`,
	'a protected letter': (letter) => (/[a-z\d]/i.test(letter) ? letter : `\\${letter}`),
	url: (letter) => `%${hex(letter)}`,
	'url in url': (letter) => `%25${hex(letter).toUpperCase()}`,
	decimal: (letter) => `&#${letter.charCodeAt(0)};`,
	hexadecimal: (letter) => `&#x${hex(letter).toUpperCase()};`,
	zeros: (letter) => `&#x000${hex(letter)};`,
	'html in html': (letter) => `&amp;#${letter.charCodeAt(0)};`,
	'html in json': (letter) => `\\u0026#x${hex(letter)};`,
	'json in url': (letter) => `%5Cu${hex(letter, 4)}`,
	'html in url': (letter) => `%26%23${letter.charCodeAt(0)}%3B`,
	named: (letter) =>
		({ '/': '&sol;', '+': '&plus;', '=': '&equals;', _: '&lowbar;' })[letter] ?? letter,
};

const keyLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./+=:~!%&';
const keys = fc.string({ unit: fc.constantFrom(...keyLetters), minLength: 16, maxLength: 80 });

interface Scene {
	key: string;
	spelled: string;
	text: string;
}

/** Pieces of the key's spelling, and of the key, that are longer than allowed. */
function findRemains(shown: string, { key, spelled }: Scene): string | undefined {
	const lower = shown.toLowerCase();
	for (const text of [key, spelled, JSON.stringify(spelled).slice(1, -1)]) {
		const length = text === key ? mostLetters + 1 : 4 * mostLetters;
		for (let at = 0; at + length <= text.length; at++) {
			const run = text.slice(at, at + length).toLowerCase();
			if (lower.includes(run)) return run;
		}
	}
	return undefined;
}

describe('a secret is hidden', () => {
	test.each(Object.keys(spellings))('at any place, all of it as %s', (how) => {
		fc.assert(
			fc.property(keys, fc.string({ maxLength: 40 }), fc.string(), (key, before, after) => {
				const spelled = [...key].map(spellings[how]).join('');
				const text = `${before} ${spelled} ${after}`;
				const clean = redact(text, [key]);
				expect(clean).toContain('***');
				expect(findRemains(clean, { key, spelled, text })).toBeUndefined();
			}),
			generated(200),
		);
	});
});

test.each([
	['a', 'a', '***'],
	['banana', 'banan anana', 'banan anana'],
	['abab', 'xABABAB!', 'x***!'],
	['k%2Fy', 'k%2Fy k/y k%252Fy', '*** *** ***'],
	['k/y', '{"a":"k\\/y\\n"}', '{"a":"***\\n"}'],
	['k/y', '"the \\"k/y\\""', '"the \\"***\\""'],
	['key', '\u0130key\u0130', '\u0130***\u0130'],
	[
		`!"#$%&'()*+,./:;<=>?@[\\]^_\`{|}`,
		'&excl;&quot;&num;&dollar;&percnt;&amp;&apos;&lpar;&rpar;&ast;&plus;&comma;&period;&sol;&colon;&semi;&lt;&equals;&gt;&quest;&commat;&lsqb;&bsol;&rsqb;&hat;&lowbar;&grave;&lcub;&vert;&rcub;',
		'***',
	],
	['[{|}]', '&lbrack;&lbrace;&verbar;&rbrace;&rbrack;', '***'],
	['', 'a\\u0061', 'a\\u0061'],
	['\\', 'a', 'a'],
])('of the secret %j, the text %j keeps %j', (secret, text, kept) => {
	expect(redact(text, [secret])).toBe(kept);
});

test('what stands beside a secret stays as it is', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
			const [secret, text] = ['s-3cret', `${before} s-3cret ${after}`];
			fc.pre(!/s-3cret/i.test(before + after));
			expect(redact(text, [secret])).toBe(`${before} *** ${after}`);
		}),
		generated(500),
	);
});

describe('a long secret', () => {
	const secret = createHash('shake256', { outputLength: 200 }).update('secret').digest('hex');

	test.each([
		['all of it', secret, '***'],
		['in other letters', secret.toUpperCase(), '***'],
		['twice', secret + secret, '******'],
		['cut', secret.slice(0, 200), '***'],
		[
			'with another end',
			`${secret.slice(0, 200)}! ${secret.slice(200)}`,
			`***! ${secret.slice(200)}`,
		],
		['but for its beginning', secret.slice(1), secret.slice(1)],
	])('is hidden as far as a text repeats it: %s', (_, text, kept) => {
		expect(redact(`"${text}"`, [secret])).toBe(`"${kept}"`);
	});

	test('takes linear time, whatever it repeats', () => {
		for (const [one, many] of [
			['a'.repeat(8_000), 'a'],
			[`b${'a'.repeat(8_000)}`, 'a'],
			['ab'.repeat(4_000), 'ab'],
		])
			expectLinear((length) => {
				const text = many.repeat(length / many.length);
				return () => redact(text, [one]);
			}, 200_000);
	});
});

test.each(allUrlParameters)('the value of %s in a URL is a secret', (name) => {
	expect(redactText(`https://x.example/?a=1&${name}=abc&b=2`)).toBe(
		`https://x.example/?a=1&${name}=***&b=2`,
	);
});
