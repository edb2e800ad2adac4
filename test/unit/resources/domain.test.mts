import {
	domainText,
	exactDomain,
	toSentDomain,
} from '../../../nodes/PageAudience/resources/domain.ts';

test.each([
	['https://www.Bücher.de/', 'xn--bcher-kva.de'],
	['xn--bcher-kva.de', 'xn--bcher-kva.de'],
	['bu\u0308cher.de', 'xn--bcher-kva.de'],
	['info@例え.テスト', 'xn--r8jz45g.xn--zckzah'],
	['☃.net', 'xn--n3h.net'],
	['\u200bhttps://alpha.example', 'alpha.example'],
	['\u200bwww.a\u00ad1.example\u200f', 'a1.example'],
	['ｗｗｗ.a1.example', 'a1.example'],
	['www。a1。example。', 'a1.example'],
	['https:/a.example', 'a.example'],
	['<https://www.a.example./>', 'a.example'],
	['//a.example:8080?x', 'a.example'],
	[' WWW.a.example... ', 'a.example'],
	['a.example//x:/y', 'a.example'],
	['mailto:a.example', 'a.example'],
	['a.mailto:8080', 'a.mailto'],
	['a.www.b.example', 'a.www.b.example'],
])('%s is sent as %s', (given, sent) => {
	expect(toSentDomain(given)).toBe(sent);
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
