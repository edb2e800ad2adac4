/*
 * What programs and people put around a value, each sort from public reports on forms, CRMs, spreadsheets and mail programs.
 * None of it belongs to the value.
 */

import { others } from '../../../nodes/cells/encodings.ts';

export type Kind = 'email' | 'phone' | 'national' | 'profile' | 'domain' | 'name';

type Form = (value: string) => string;

export interface Noise {
	sort: string;
	/** The kind of source whose users have reported it. */
	report: string;
	/** Of which kinds it is noise. A name may have brackets, remarks and punctuation of its own. */
	kinds: Kind[];
	forms: Form[];
	/** People type it, before a program adds anything. */
	isTyped?: true;
}

const all: Kind[] = ['email', 'phone', 'national', 'profile', 'domain', 'name'];
const addresses: Kind[] = ['email', 'phone', 'national', 'profile', 'domain'];
const phones: Kind[] = ['phone', 'national'];
const urls: Kind[] = ['profile', 'domain'];

const around = (...templates: string[]): Form[] =>
	templates.map((template) => (value) => template.replaceAll('…', () => value));

const withScheme =
	(scheme: string): Form =>
	(value) =>
		scheme + value.replace(/^https?:\/+/i, '');

const eachNonAscii =
	(write: (letter: string) => string): Form =>
	(value) =>
		value.replace(/[^\0-\x7f]/gu, write);

const bytes = (letter: string, sign: string): string =>
	[...Buffer.from(letter)]
		.map((byte) => sign + byte.toString(16).toUpperCase().padStart(2, '0'))
		.join('');

const escapeMarkup: Form = (value) =>
	value
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;')
		.replace(/'/g, '&#039;')
		.replace(/ /g, '&nbsp;')
		.replace(/[^\0-\x7f]/gu, (letter) => `&#x${(letter.codePointAt(0) ?? 0).toString(16)};`);

const digitsFrom =
	(zero: number): Form =>
	(value) =>
		value.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const hyphensAs =
	(dash: string): Form =>
	(value) =>
		value.replace(/-/g, dash);

const blanksAs =
	(blank: string): Form =>
	(value) =>
		blank + value.replace(/ /g, blank) + blank;

/** In the middle, where nobody sees it. */
const inside =
	(sign: string): Form =>
	(value) => {
		const letters = [...value];
		const middle = Math.floor(letters.length / 2);
		return [...letters.slice(0, middle), sign, ...letters.slice(middle)].join('');
	};

const inJson =
	(wrap: (value: string) => unknown): Form =>
	(value) =>
		JSON.stringify(wrap(value));

const misread =
	(encoding: string): Form =>
	(value) =>
		new TextDecoder(encoding).decode(new TextEncoder().encode(value));

/** UTF-8 of Latin letters and quotes that was read in another encoding. */
const inTable = (value: string, table: string): string =>
	value.replace(/[\x80-\u017f’]/g, (letter) =>
		Array.from(Buffer.from(letter), (byte) => table[byte - 0x80]).join(''),
	);

const toFullWidth: Form = (value) =>
	value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

export const noises: Noise[] = [
	{
		sort: 'markup',
		report: 'descriptions that a web shop exports',
		kinds: all,
		forms: around(
			...[
				'<b>…</b>',
				'<p>…</p>',
				'…<br>',
				'<div class="x"><span>…</span></div>',
				'<font color=red>…',
			],
			'<!-- x -->…<img src="#">',
		),
	},
	{ sort: 'entities', report: 'forms of WordPress', kinds: all, forms: [escapeMarkup] },
	{
		sort: 'entities of entities',
		report: 'a form behind a CRM',
		kinds: all,
		forms: [(value) => escapeMarkup(escapeMarkup(value))],
	},
	{
		sort: 'quotes of all languages',
		report: 'Word and Pages',
		kinds: all,
		forms: around(
			'"…"',
			'“…”',
			'„…“',
			'«…»',
			'« … »',
			'‘…’',
			'‹…›',
			'”…”',
			'»…«',
			'「…」',
			'『…』',
		),
	},
	{
		sort: 'quotes of programs',
		report: 'Python and MySQL',
		kinds: addresses,
		forms: around("'…'", '`…`', '``…``', '´…´', '″…″'),
	},
	{
		sort: 'a label of a mail address',
		report: 'signatures in mails',
		kinds: ['email'],
		forms: around('Email: …', 'E-Mail-Adresse: …', 'correo …', 'e-mail = …', 'メール：…'),
	},
	{
		sort: 'a label of a phone',
		report: "Facebook's lead ads",
		kinds: phones,
		forms: around(
			'Tel.: …',
			'Telefon – …',
			'móvil …',
			'Mob. …',
			'p:…',
			'携帯：…',
			'Portable : …',
			'Handynummer …',
			'T …',
		),
	},
	{
		sort: 'a label of a page',
		report: 'signatures in mails',
		isTyped: true,
		kinds: urls,
		forms: ['Website: https://', 'LinkedIn: https://', 'Profil – https://'].map(withScheme),
	},
	{
		sort: 'a remark behind',
		report: 'phone books of Outlook',
		kinds: ['email', ...phones],
		forms: around(
			'… (work)',
			'… - privat',
			'… (nur abends)',
			'… [maison]',
			'… ask for Jo',
			'… – please do not call',
		),
	},
	{
		sort: 'a remark in front',
		report: 'phone books of Outlook',
		kinds: ['email', ...phones],
		forms: around('(work) …', 'privat: …', 'please use …', 'neu – …'),
	},
	{
		sort: 'a name beside',
		report: 'senders in Gmail',
		kinds: ['email', ...phones],
		forms: around('Ada Berg <…>', '"Berg, Ada" <…>', 'Ada Berg (…)', '… (Ada Berg)', "'Ada' …"),
	},
	{
		sort: 'brackets',
		report: 'scraped web sites',
		kinds: addresses,
		forms: around('(…)', '[…]', '<…>', '（…）', '【…】'),
	},
	{
		sort: 'an Asian keyboard',
		report: 'Japanese forms',
		isTyped: true,
		kinds: addresses,
		forms: [toFullWidth, (value) => value.replace(/\./g, '。')],
	},
	{
		sort: 'digits of other scripts',
		report: 'Arabic and Hindi keyboards',
		isTyped: true,
		kinds: phones,
		forms: [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10].map(digitsFrom),
	},
	{
		sort: 'dashes',
		report: 'Word and macOS',
		isTyped: true,
		kinds: [...phones, 'profile'],
		forms: ['‐', '‑', '‒', '–', '—', '−', '－', '﹣'].map(hyphensAs),
	},
	{
		sort: 'a Japanese vowel as a dash',
		report: 'Japanese forms',
		isTyped: true,
		kinds: phones,
		forms: [(value) => value.replace(/(?<=\d)-(?=\d)/g, 'ー')],
	},
	{
		sort: 'signs that nobody sees',
		report: 'texts from Teams and web pages',
		isTyped: true,
		kinds: all,
		forms: ['\u200b', '\ufeff', '\u2060'].flatMap((sign) => [
			inside(sign),
			(value: string) => sign + value + sign,
		]),
	},
	{
		sort: 'marks of direction',
		report: 'contacts of Windows and WhatsApp',
		kinds: all,
		forms: around('\u202a…\u202c', '\u200e…', '\u200f…\u200f', '\u2068…\u2069', '\u202d…\u202c'),
	},
	{
		sort: 'soft hyphens',
		report: 'scraped web sites',
		isTyped: true,
		kinds: addresses,
		forms: [inside('\u00ad')],
	},
	{
		sort: 'the scheme of a link',
		report: 'links of web sites',
		kinds: ['email'],
		forms: around(
			'mailto:…',
			'MAILTO:…',
			'mailto: …',
			'mailto:…?subject=Hello%20you&body=x',
			'SMTP:…',
		),
	},
	{
		sort: 'the scheme of a call',
		report: 'links of web sites',
		kinds: ['phone'],
		forms: around('tel:…', 'tel://…', 'callto:…', 'sms:…', 'whatsapp:…', 'sip:…'),
	},
	{
		sort: 'the scheme of a page',
		report: 'people who type a URL',
		isTyped: true,
		kinds: urls,
		forms: ['https://', 'http://', 'HTTPS://', '//', 'https:/'].map(withScheme),
	},
	{
		sort: 'a link to a chat',
		report: 'profiles of WhatsApp',
		isTyped: true,
		kinds: ['phone'],
		forms: [
			(value) => `https://wa.me/${value.replace(/\D/g, '')}`,
			(value) => `https://api.whatsapp.com/send?phone=${value.replace(/\D/g, '')}&text=Hi`,
		],
	},
	{
		sort: 'a link in markup',
		report: 'scraped web sites',
		kinds: ['email', 'phone'],
		forms: [
			(value) => `<a href="mailto:${escapeMarkup(value)}">${value}</a>`,
			(value) => `<a class='x' href="tel:${escapeMarkup(value)}">${value}</a>`,
		],
	},
	{
		sort: 'a link in Markdown',
		report: 'Notion and Airtable',
		kinds: ['email', 'phone', ...urls],
		forms: [
			(value) => `[${value}](mailto:${value.replace(/\s/g, '')})`,
			(value) => `[${value}](${value.replace(/\s/g, '')})`,
		],
	},
	{
		sort: 'a link of a chat program',
		report: 'Slack',
		kinds: ['email', 'phone'],
		forms: ['mailto:', 'tel:'].map(
			(scheme) => (value) => `<${scheme}${value.replace(/\s/g, '')}|${value}>`,
		),
	},
	{
		sort: 'emphasis in Markdown',
		report: 'answers of language models',
		kinds: addresses,
		forms: around('**…**', '*…*', '~~…~~', '> …'),
	},
	{
		sort: 'tracking',
		report: 'URLs that people share',
		kinds: urls,
		forms: around(
			'…?utm_source=newsletter&utm_medium=email',
			'…?trk=public_profile',
			'…/?lipi=urn%3Ali%3Apage',
			'…#about',
			'…&trk=x',
			'…?originalSubdomain=de',
		),
	},
	{
		sort: 'a part of the page',
		report: 'URLs from the browser',
		kinds: urls,
		forms: around('…/', '…//', '…/de', '…/details/experience/', '…/?'),
	},
	{
		sort: 'punctuation behind',
		report: 'sentences of visitors',
		kinds: addresses,
		forms: around('….', '…,', '…;', '…!', '…...', '…)', '…|', '…:', '…>', '…*', '…?'),
	},
	{
		sort: 'what is left of a CSV file',
		report: 'CSV files for Excel',
		kinds: addresses,
		forms: around('"…', '…"', "'…", '="…"', '…;;;', '""…""', '"…",', '…,,,,;', '\\"…\\"'),
	},
	{
		sort: 'the same twice',
		report: 'merged contacts of HubSpot',
		kinds: addresses,
		forms: around('…; …', '…, …', '… / …', '…\n…', '… | …', '… ::: …'),
	},
	{
		sort: 'a list in JSON',
		report: 'n8n and Pipedrive',
		kinds: all,
		forms: [
			inJson((value) => [value]),
			inJson((value) => [{ label: 'work', value, primary: true }]),
			inJson((value) => ({ type: 'home', value })),
		],
	},
	{
		sort: 'bytes of mails',
		report: 'vCards of Outlook',
		kinds: ['email', 'name', 'domain'],
		forms: [eachNonAscii((letter) => bytes(letter, '='))],
	},
	{
		sort: 'bytes of URLs',
		report: 'parameters of forms',
		kinds: ['email', 'name', ...urls],
		forms: [eachNonAscii((letter) => bytes(letter, '%'))],
	},
	{
		sort: "JSON's escapes",
		report: 'logs and webhooks',
		kinds: all,
		forms: [
			(value) =>
				value.replace(
					/[^\0-\x7f]/g,
					(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
				),
		],
	},
	{
		sort: 'another encoding',
		report: 'CSV files in Excel',
		kinds: ['email', 'name', ...urls],
		forms: [misread('windows-1252'), (value) => Buffer.from(value).toString('latin1')],
	},
	{
		sort: 'letters in parts',
		report: 'files of macOS',
		isTyped: true,
		kinds: all,
		forms: [(value) => value.normalize('NFD')],
	},
	{
		sort: 'blanks of many kinds',
		report: 'web pages and Word',
		kinds: all,
		forms: [' ', '\u00a0', '\u2003', '\u2009', '\u202f', '\u3000', '\t'].map(blanksAs),
	},
	{
		sort: 'line breaks around',
		report: 'cells of Excel',
		kinds: all,
		forms: around('\n…', '…\r\n', '…\u2028', '\r\n\r\n…\n'),
	},
	{
		sort: 'control characters',
		report: 'exports of old databases',
		kinds: all,
		forms: around('…\u0000', '\u0001…', '…\u001f\u007f'),
	},
	{
		sort: "a spreadsheet's own escapes",
		report: 'Excel files read by scripts',
		kinds: all,
		forms: around('…_x000D_', '…_x000D_\n', '…_x000a_'),
	},
	{
		sort: 'a separator with nothing behind',
		report: 'Google Contacts',
		kinds: addresses,
		forms: around('… ; ', '… / -', '…, ,', '…|', '; …', ' | …', '… ::: '),
	},
	{
		sort: 'a placeholder beside',
		report: 'forms with several fields in one',
		kinds: ['email', 'phone'],
		forms: around('… / n/a', '…; -', 'n/a; …', '… | none'),
	},
	{
		sort: 'emoji',
		report: 'profiles of Instagram',
		kinds: addresses,
		forms: around('📞 …', '✉️ …', '… 🙂', '👉…'),
	},
	{
		sort: 'capitals',
		report: 'old databases',
		isTyped: true,
		kinds: ['email', ...urls],
		forms: [(value) => value.toUpperCase()],
	},
	{
		sort: 'bullets',
		report: 'lists in Notion',
		kinds: addresses,
		forms: around('• …', '- …', '* …', '· …', '→ …', '– …'),
	},
	{
		sort: 'a number of a list',
		report: 'lists in mails',
		kinds: ['email', 'phone'],
		forms: around('1) …', '2. …', '#1 …'),
	},
	{
		sort: 'the encoding of a console',
		report: 'scripts of Windows and macOS',
		kinds: ['email', 'name', ...urls],
		forms: others.map((table) => (value) => inTable(value, table)),
	},
	{
		sort: 'signs as bytes of URLs',
		report: 'links to a form with its values',
		kinds: ['email', ...phones, ...urls],
		forms: [encodeURIComponent, (value) => encodeURIComponent(encodeURIComponent(value))],
	},
	{
		sort: 'a header of a mail',
		report: 'contacts that are read from mails',
		kinds: ['name'],
		forms: [
			(value) => `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`,
			(value) => `=?utf-8?q?${[...value].map((letter) => bytes(letter, '=')).join('')}?=`,
		],
	},
	{
		sort: 'a formula',
		report: 'Google Sheets',
		kinds: ['email', 'phone', ...urls],
		forms: [
			(value) => `=HYPERLINK("mailto:${value.replace(/\s/g, '')}","${value}")`,
			(value) => `=LIEN.HYPERTEXTE("#A1";"${value}")`,
		],
	},
	{
		sort: 'a property of a vCard',
		report: 'phone books of iPhones',
		kinds: ['email', ...phones, 'name'],
		forms: around('item1.X;TYPE=WORK,VOICE:…', 'FN;CHARSET=UTF-8:…'),
	},
	{
		sort: 'a list in Python',
		report: 'scripts that scrape profiles',
		kinds: ['email', 'phone', ...urls],
		forms: around("['…']", "{'value': '…', 'type': 'work'}"),
	},
	{
		sort: 'escaped slashes',
		report: 'JSON of PHP, and vCards',
		kinds: [...phones, ...urls],
		forms: [(value) => value.replace(/\//g, '\\/'), (value) => value.replace(/:/g, '\\:')],
	},
	{
		sort: 'a spelled @',
		report: 'imprints of web sites',
		kinds: ['email'],
		forms: ['(at)', ' [at] ', '(AT)'].map((at) => (value) => value.replace('@', at)),
	},
];
