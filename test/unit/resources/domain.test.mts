import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import {
	domainText,
	exactDomain,
	listStoredForms,
	toSentDomain,
} from '../../../nodes/PageAudience/resources/account/domain.ts';
import { parseUrl } from '../../../nodes/api/parseUrl.ts';
import { generated } from '../../generated.mts';

test.each([
	['https://www.Bücher.de/', 'xn--bcher-kva.de', 'bücher.de'],
	['xn--bcher-kva.de', 'xn--bcher-kva.de', 'bücher.de'],
	['bu\u0308cher.de', 'xn--bcher-kva.de', 'bücher.de'],
	['info@例え.テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
	['☃.net', 'xn--n3h.net', '☃.net'],
	['\u200bhttps://alpha.example', 'alpha.example', 'alpha.example'],
	['\u200bwww.a\u00ad1.example\u200f', 'a1.example', 'a1.example'],
	['ｗｗｗ.a1.example', 'a1.example', 'a1.example'],
	['www。a1。example。', 'a1.example', 'a1.example'],
	['https:/a.example', 'a.example', 'a.example'],
	['<https://www.a.example./>', 'a.example', 'a.example'],
	['//a.example:8080?x', 'a.example', 'a.example'],
	[' WWW.a.example... ', 'a.example', 'a.example'],
	['a.example//x:/y', 'a.example', 'a.example'],
	['mailto:a.example', 'a.example', 'a.example'],
	['a.mailto:8080', 'a.mailto', 'a.mailto'],
	['a.www.b.example', 'a.www.b.example', 'a.www.b.example'],
])('%s is sent as %s, and looked up as %s too', (given, sent, letters) => {
	expect(toSentDomain(given)).toBe(sent);
	expect(listStoredForms(given)).toEqual([...new Set([sent, letters])]);
});

test.each([
	'example.com',
	'123',
	'müller & co',
	'xn--',
	'xn--a',
	'xn--99999999999',
	'xn--é',
	'a<b>c:d',
	'a\nb@c.example',
])('%s has one form, which is sent as it is', (given) => {
	expect(listStoredForms(given)).toEqual([given]);
});

test('a domain in its ASCII form is decoded as Node does it', () => {
	const label = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
			const host = parseUrl(`https://${labels.join('.')}`)?.hostname ?? 'xn--n3h.net';
			expect(listStoredForms(host).at(-1)).toBe(domainToUnicode(host));
		}),
		generated(2_000),
	);
});

test('any text is decoded to an end', () => {
	const unit = fc.constantFrom(...'xn--az09-.é');
	fc.assert(
		fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
			expect(listStoredForms(`xn--${text}`)).toBeDefined();
		}),
		generated(2_000),
	);
});

test.each([
	'localhost',
	'https:',
	'https://',
	'müller & co',
	'Acme Inc.',
	'a..example',
	'.example',
	'(https://a.example)',
	'a.example, b.example',
	`${'a'.repeat(64)}.example`,
	`${'é'.repeat(63)}.example`,
	`${'a.'.repeat(124)}example`,
	'[::1]',
])('%s is no domain', (given) => {
	expect(() => domainText(given)).toThrow('must be a domain');
	expect(() => exactDomain(given)).toThrow('must be a domain');
});

test.each(['Acme <info@a.example>', 'a b@a.example', `https://a.example/${'a'.repeat(240)}`])(
	'%s has a domain, and is none where it is sent unchanged',
	(given) => {
		expect(domainText(given)).toBe(given);
		expect(() => exactDomain(given)).toThrow('must be a domain');
	},
);

test.each([
	'a.example',
	'https://www.Bücher.de/',
	'info@a.example',
	'_x.a.example',
	'127.0.0.1',
	`${'a.'.repeat(123)}example`,
	'',
])('%s has a domain or is empty, and stays as it is', (given) => {
	expect(domainText(given)).toBe(given);
	expect(exactDomain(` ${given}\u200b`)).toBe(given);
});
