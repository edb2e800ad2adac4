import { listMistakes, liveName, liveText, liveUrl } from '../../../nodes/cells/livePage.ts';
import { InvalidValueError } from '../../../nodes/parameters/checks.ts';
import { listValues, readBy } from './readers.mts';

// What goes out as it is, is in test/truth: urls.txt, paths.txt and texts.txt.

const missing = listValues(`
	{{ $json.title }} ¦ {{name}} {{last}} ¦ \${title} ¦ [object Object] ¦ undefined ¦ null ¦ NULL ¦ NaN ¦ #N/A ¦ #REF! ¦ #WERT!
	¦ #NAME? ¦ undefined undefined ¦ null null ¦ "null" ¦ (null) ¦ *|FNAME|* ¦ %%name%% ¦ <%= name %> ¦ {!Contact.Name} ¦ @{body}
	¦ Invalid DateTime ¦ Loading...
`);

test.each(missing)('%j as a whole is not shown to visitors', (text) => {
	for (const check of [liveText, liveName, liveUrl])
		expect(readBy(check, ` ${text}\n`)).toEqual({ sent: 'absent' });
});

test.each(listValues('n/a ¦ N/A ¦ None ¦ - ¦ {slug} ¦ %LINK_URL% ¦ <<url>>'))(
	'%j is a text of a page, and no URL',
	(text) => {
		expect(liveText(text)).toBe(text);
		expect(readBy(liveUrl, text)).toEqual({ sent: 'absent' });
	},
);

const scripts = listValues(`
	javascript:alert(1) ¦ JavaScript:alert(1) ¦ java⏎script:alert(1) ¦ java\tscript:alert(1) ¦ javascript://x.example/%0aalert(1)
	¦ \u0001javascript:alert(1) ¦ java\u200bscript:alert(1) ¦ data:text/html,<b>x</b> ¦ vbscript:msgbox ¦ file:///etc/hosts
	¦ blob:https://x.example/1
`);

test.each(scripts)('%j never goes out, not even as it is', (url) => {
	expect(readBy(liveUrl, url)).toEqual({ sent: 'script' });
	expect(() => liveUrl.asIs?.(` ${url}`)).toThrow('must not begin with');
});

test.each([
	['www.acme.com', 'https://www.acme.com'],
	['acme.com/offer?x=1', 'https://acme.com/offer?x=1'],
	['acme.com:8080/a', 'https://acme.com:8080/a'],
	['Acme.co.uk', 'https://Acme.co.uk'],
	['bücher.de#top', 'https://bücher.de#top'],
	['ada@acme.com', 'mailto:ada@acme.com'],
])('%j opens nothing without its scheme, which is named', (url, complete) => {
	expect(readBy(liveUrl, url)).toEqual({ sent: 'noScheme' });
	const message = `is "${url}", which has no scheme and opens nothing. Write "${complete}"`;
	expect(() => liveUrl(url)).toThrow(new InvalidValueError(message));
	expect(liveUrl.asIs?.(url)).toBe(url);
});

test('a blank in a URL is %20, but for that of a field', () => {
	expect(liveUrl(' https://acme.com/?q=a\u00a0b c&n={{ name }} ')).toBe(
		'https://acme.com/?q=a%20b%20c&n={{ name }}',
	);
	expect(['', ' \u200b\n'].map((blank) => liveUrl(blank))).toEqual(['', '']);
});

test('a mistake within a text is found, but not in the code of a script', () => {
	expect(
		listMistakes({
			name: 'Hi {{first_name}}, {{ first_name }}',
			actions: [{ url: '/offer?id=[object Object]' }, { buttonTitle: 'Hi undefined!' }],
			scripts: [{ content: 'x = undefined; `${a}`' }],
			metadata: { title: '*|COMPANY|* and you', keywords: ['undefined-behaviour', '{a}'] },
		}),
	).toEqual(['{{first_name}}', '{{ first_name }}', '[object Object]', 'undefined', '*|COMPANY|*']);
});
