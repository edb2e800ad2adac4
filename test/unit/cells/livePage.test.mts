import fc from 'fast-check';
import { livePath, liveScript, liveText, liveUrl } from '../../../nodes/cells/livePage.ts';
import { type Check, InvalidValueError } from '../../../nodes/parameters/checks.ts';
import { generated } from '../../generated.mts';
import { attempt, refused } from '../parameters/refused.mts';
import { listValues } from './table.mts';

const tell = (check: Check, value: string): string => {
	try {
		return `sent: ${check(value)}`;
	} catch (error) {
		if (error instanceof InvalidValueError) return error.message;
		throw error;
	}
};

const goodUrls = listValues(`
	https://x.example ¦ http://x.example/offer ¦ HTTPS://X.example/Offer?a=1&b=2#top
	¦ https://bücher.example/über-uns ¦ https://x.example/B%C3%BCro%20x ¦ https://1.2.3.4:8080/a
	¦ https://x.example/a/(b) ¦ https://x.example/o'brien ¦ https://x.example/@ada ¦ https://[2001:db8::1]/
	¦ https://web.example/save/https://y.example/ ¦ https://x.example/?to=https://y.example
	¦ https://x.example/?f=%7B%22a%22%3A1%7D ¦ https://x.example/?filter[name]=a&filter[]=b
	¦ https://x.example/null-island ¦ https://none.example/n/a ¦ https://x.example/test?email=a@b.example
	¦ https://x.example/?q=50%25%20off ¦ https://x.example/a,b;c ¦ https://x.example/#/a/b! ¦ //cdn.example/logo.png
	¦ / ¦ /offer ¦ /test ¦ /email?phone=1 ¦ ?tab=2 ¦ #contact ¦ # ¦ mailto:ada@x.example
	¦ mailto:a@x.example,b@y.example?subject=Hello%20you ¦ mailto:?body=x ¦ tel:+49-30-1234567 ¦ tel:112
	¦ tel:1-800-FLOWERS ¦ tel:+1(650)2000000;ext=7
`);

const badUrls = listValues(`
	javascript:alert(1) ¦ JavaScript:alert(1) ¦ java⏎script:alert(1) ¦ javascript://x.example/%0aalert(1)
	¦ data:text/html,<b>x</b> ¦ vbscript:msgbox ¦ file:///etc/hosts ¦ ftp://x.example/a ¦ blob:https://x.example/1
	¦ www.example.com ¦ x.example/offer ¦ see email ¦ TBD ¦ n/a ¦ N/A ¦ - ¦ asdf ¦ null ¦ None ¦ 7 ¦ true
	¦ =HYPERLINK("https://x.example") ¦ [Offer](https://x.example) ¦ <a href="https://x.example">x</a>
	¦ <https://x.example> ¦ https://a.example, https://b.example ¦ https://a.example⏎https://b.example
	¦ https://a.example;https://b.example ¦ https://a.example|https://b.example ¦ https://a.examplehttps://b.example
	¦ https://https://a.example ¦ https://a.example,b.example ¦ https://undefined/offer ¦ https://null
	¦ https://undefined.example.com/ ¦ https://x.example/undefined ¦ https://x.example/null/a
	¦ https://x.example/offer-undefined ¦ https://x.example?id=null ¦ https://x.example/NaN
	¦ https://x.example/[object Object] ¦ https://x.example/%5Bobject%20Object%5D ¦ [object Object] ¦ /undefined
	¦ /null ¦ ?id=undefined ¦ #undefined ¦ /N/A ¦ /tbd ¦ https://x.example/{{ $json.slug }}
	¦ https://x.example/\${slug} ¦ https://x.example/%7B%7Bslug%7D%7D ¦ https://x.example/*|SLUG|*
	¦ https://x.example/%NAME% ¦ https://x.example/%CAMPAIGN%/a ¦ https://x.example/{slug}
	¦ https://x.example/[slug] ¦ /<slug> ¦ /%s ¦ #REF! ¦ #N/A ¦ #WERT! ¦ #ERROR! ¦ #NAME? ¦ Loading...
	¦ https://x.example/#REF! ¦ /#N/A ¦ https://x.example/N/A ¦ https:// ¦ https:/x.example ¦ https:x.example
	¦ http//x.example ¦ https://offer ¦ https://.x.example ¦ https://x..example ¦ https://x.example/a b
	¦ https://x.example/?q=a\tb ¦ https://x.example/a\tb ¦ https://x.example/?q=1 https://y.example ¦ https://x .example ¦ https://x.example/a\u0000b ¦ https://x.example\\a
	¦ https://x.example/" ¦ https://x.example/?a=1&amp;b=2 ¦ https://x.example/m\ufffdller
	¦ https://x.example/of\u00adfer ¦ https://ada:secret@x.example ¦ https://ada@x.example ¦ ada@x.example
	¦ +49 30 1234567 ¦ ///x.example ¦ //undefined/a ¦ mailto: ¦ mailto:undefined ¦ mailto:ada ¦ mailto:ada@x
	¦ mailto:{{email}}@x.example ¦ mailto:null@x.example ¦ tel: ¦ tel:call me ¦ tel:undefined ¦ tel:ask
	¦ tel:+49 30 1234567
`);

describe('a URL of a live page', () => {
	test.each(goodUrls)('%j goes out, trimmed', (url) => {
		expect(tell(liveUrl, url)).toBe(`sent: ${url}`);
		expect(liveUrl(`\ufeff ${url}\u00a0\r\n`)).toBe(url);
	});

	test.each([
		[
			'https://x.example/?utm_campaign=Spring sale#a b',
			'https://x.example/?utm_campaign=Spring%20sale#a%20b',
		],
		['mailto:?subject=Hello\u00a0 you', 'mailto:?subject=Hello%20%20you'],
	])('%j goes out as %j', (url, sent) => {
		expect(liveUrl(url)).toBe(sent);
	});

	test.each(badUrls)('%j is refused', (url) => {
		expect(attempt(() => liveUrl(url))).toBe(refused);
		expect(attempt(() => liveUrl(` ${url}\n`))).toBe(refused);
	});

	test.each([
		['www.example.com/a', 'has no scheme: "www.example.com/a". Write "https://www.example.com/a"'],
		['ada@x.example', 'has no scheme: "ada@x.example". Write "mailto:ada@x.example"'],
		[
			'javascript:alert(1)',
			'must begin with https://, http://, mailto:, tel:, "/", "?" or "#", but is "javascript:alert(1)", and javascript: is none of these',
		],
		[
			'see email',
			'must begin with https://, http://, mailto:, tel:, "/", "?" or "#", but is "see email"',
		],
		[
			'https://a.example, https://b.example',
			'has blanks within: "https://a.example, https://b.example". Enter one URL, with %20 for a blank that belongs to it',
		],
		[
			'https://a.example;https://b.example',
			'has several URLs: "https://a.example;https://b.example". Enter one',
		],
		...['https://offer', 'https://', 'http:///a.example', 'https:/a.example'].map((url) => [
			url,
			`has no domain that visitors can open: "${url}"`,
		]),
		[
			'https://undefined/offer',
			'is "https://undefined/offer", which has "undefined" in place of a value that is missing: see where the value comes from',
		],
		[
			'null',
			'is "null", which has a placeholder in place of a value that is missing: see where the value comes from',
		],
		[
			'https://x.example/?q=null&ref=a',
			'is "https://x.example/?q=null&ref=a", which has "null" in place of a value that is missing: see where the value comes from',
		],
		[
			'java\tscript:alert(1)',
			'must begin with https://, http://, mailto:, tel:, "/", "?" or "#", but is "java[U+0009]script:alert(1)"',
		],
		[
			'https://x.example/"',
			'has a character that no URL has: " in "https://x.example/"". Remove it, or write %22',
		],
		[
			'https://x.example/m\ufffdller',
			'has a character that no URL has: U+FFFD in "https://x.example/m\ufffdller". Type it again',
		],
	])('%j is told what to do', (url, told) => {
		expect(tell(liveUrl, url)).toBe(told);
	});

	test('may be blank', () => {
		expect(liveUrl('')).toBe('');
		expect(liveUrl(' \u200b\n')).toBe('');
	});

	const noise: Array<(url: string) => string> = [
		...['{{ $json.a }}', '${a}', '%NAME%', '<b>', '"', '\nx', '[object Object]'].map(
			(text) => (url: string) => url + text,
		),
		...['javascript:', 'data:', 'see ', '=', '[Offer](', '<', '"', 'www.'].map(
			(text) => (url: string) => text + url,
		),
		(url) => `${url}, https://y.example`,
		(url) => `${url};https://y.example`,
		(url) => url.replace(/[^/?#:]+$/, 'undefined'),
	];
	const blanks = fc.constantFrom('', ' ', '\n', '\ufeff', '\u00a0\t');

	test('is read in any mix: good ones stay, and bad ones are never sent', () => {
		const make = fc.tuple(
			fc.constantFrom(...goodUrls.filter((url) => /\w/.test(url))),
			blanks,
			blanks,
		);
		fc.assert(
			fc.property(make, fc.option(fc.constantFrom(...noise)), ([url, before, after], spoil) => {
				const spoiled = spoil?.(url) ?? url;
				const sent = attempt(() => liveUrl(before + spoiled + after));
				expect(sent).toBe(spoiled === url ? url : refused);
			}),
			generated(5_000),
		);
	});
});

test.each<[path: string, sent: string | symbol]>([
	['/spring', '/spring'],
	[' /offer\n', '/offer'],
	['/', '/'],
	['/spring sale', '/spring sale'],
	['/test', '/test'],
	['', ''],
	['/über-uns/a', '/über-uns/a'],
	...listValues(`
		https://x.example/offer ¦ offer ¦ //x.example ¦ N/A ¦ /N/A ¦ #REF! ¦ /#REF! ¦ {{path}} ¦ /{{path}}
		¦ /undefined ¦ /null ¦ /a⏎b ¦ /<b> ¦ javascript:alert(1) ¦ /[object Object] ¦ ?a ¦ \\a ¦ /a\\b
	`).map((path): [string, symbol] => [path, refused]),
])('the path %j of a page link', (path, sent) => {
	expect(attempt(() => livePath(path))).toBe(sent);
});

const goodTexts = [
	...listValues(`
	No ¦ Test ¦ Contact ¦ Call me ¦ Ask me ¦ None of these? ¦ Nothing ¦ - ¦ → ¦ 🙂 ¦ Nan ¦ na ¦ Name ¦ Email
	¦ Book now >> ¦ << Back ¦ 50 % off ¦ 100% ¦ {limited}ly yours ¦ What undefined means ¦ #1 in Berlin ¦ $5 ¦ 5 > 3
	¦ C# ¦ A null hypothesis ¦ Null Island ¦ https://x.example ¦ Loading docks ¦ N/A in a sentence
`),
	' a ',
	'',
];
const badTexts = [
	...listValues(`
	{{ $json.title }} ¦ Hi {{name}}! ¦ \${title} ¦ For \${company} ¦ [object Object] ¦ A [object Object] b
	¦ undefined ¦ null ¦ NULL ¦ NaN ¦ nan ¦ n/a ¦ N/A ¦ #N/A ¦ #REF! ¦ #WERT! ¦ #NAME? ¦ undefined undefined
	¦ null null ¦ "null" ¦ (null) ¦ *|FNAME|* ¦ %%name%% ¦ <<name>> ¦ <%= name %> ¦ {!Contact.Name} ¦ @{body}
	¦ {name} ¦ %FIRSTNAME%
`),
	' undefined\n',
];

describe('a text of a live page', () => {
	test.each(goodTexts)('%j stays as it is', (text) => {
		expect(liveText(text)).toBe(text);
	});
	test.each(badTexts)('%j is refused', (text) => {
		expect(attempt(() => liveText(text))).toBe(refused);
	});
});

test('code of a script may have templates, but is more than a word for nothing', () => {
	for (const code of [
		'`${a}`',
		"s === '[object Object]'",
		'let a = {{}}',
		'x = undefined',
		'<b>{{ a }}</b>',
	])
		expect(liveScript(code)).toBe(code);
	for (const code of ['undefined', 'null', '#REF!', '[object Object]'])
		expect(attempt(() => liveScript(code))).toBe(refused);
});
