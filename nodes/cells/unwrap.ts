import { Parser } from 'htmlparser2';
import { normalize } from '../runtime/normalize';
import { decode } from '../runtime/url';
import { parseJson } from '../runtime/unknown';
import { hasLostLetter, readBack, readControls } from './misread';
import { tags } from './words';

/** A cell without what was put around its text. */
interface Unwrapped {
	text: string;
	/** Where the links of the cell lead, e.g. `tel:+49301234567`. */
	links: string[];
	/** What cannot be put right. Follows the label. */
	problem?: string;
}

/** What programs put around each other's texts. */
const mostLayers = 7;

/** Most cells: letters, digits and signs that nothing can be hidden in. */
export const isPlain = (text: string): boolean =>
	/^[\w@.+:/()-]+(?: [\w@.+:/()-]+)*$/.test(text) && !/_x00|undefined/i.test(text);

/** Letters of any script and digits. Misread ones have at least two beside each other, which begin with a Latin one. */
const isClean = (text: string): boolean =>
	/^(?! )(?:[A-Za-z\d. -]|[Ä-ɏ](?![^\0-\x7f])|(?![\0-\u03ff])\p{L})+(?<! )$/u.test(text);

/**
 * The text that a person has put into a cell, without what programs have made of it: markup, escapes, quotes, characters
 * that nobody sees, and letters of another encoding.
 */
export function unwrap(cell: string): Unwrapped {
	if (isPlain(cell) || isClean(cell)) return { text: cell, links: [] };
	const links: string[] = [];
	// What was misread twice begins with the other encoding.
	const steps = [readBack, readBack, tidy, unquote, readJson, readEscapes, readLinks, readMarkup];
	let text = cell;
	for (let layer = 0; layer < mostLayers; layer++) {
		const before = text;
		for (const step of steps) text = step(text, links);
		if (text === before) break;
	}
	const problem = hasLostLetter(text)
		? 'has lost a letter on its way. Export it again as UTF-8'
		: undefined;
	const visible = tidy(readControls(text)).replace(/[\p{Cc}\p{Z}]+/gu, (blanks) =>
		/[\n\r\p{Zl}\p{Zp}]/u.test(blanks) ? '\n' : ' ',
	);
	return { text: unquote(visible), links, problem };
}

/** Without what nobody sees. The controls above 0x80 may be a part of misread letters. */
const tidy = (text: string): string =>
	text
		.replace(/[\u200b\u2060\ufeff]|\p{VS}/gu, '')
		.replace(/(?![\t\n\r\u0080-\u009f])\p{Cc}/gu, ' ')
		.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '');

/** Pairs of quotes around all of a text. */
const quotes = new Set(
	`"" '' “” „“ „” ”” «» »« ‘’ ‚‘ ‚’ ’’ ‹› ›‹ 「」 『』 \`\` \`' ´´ ″″`.split(' '),
);

function unquote(given: string): string {
	const text = given.replace(/^=(?=")/, '');
	const [first = '', last = ''] = [text[0], text.at(-1)];
	if (text.length < 2 || !quotes.has(first + last)) return given;
	const inside = tidy(text.slice(1, -1));
	const pieces = inside
		.replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
		.replaceAll(last, first)
		.split(first);
	// `"Ada" and "Bob"` has them around each, and `""Al" Berg"` around all.
	const isAround =
		pieces.length === 1 || (pieces.length % 2 === 1 && /(?:^|[\s([])$/.test(pieces[0] ?? ''));
	const hasOthers = inside[0] !== first && quotes.has(`${inside[0]}${inside.at(-1)}`);
	return isAround || hasOthers ? inside : given;
}

/** The texts of JSON and Python, as CRMs export a list of values: `[{"label":"work","value":"ada@a.example"}]`. */
function readJson(cell: string): string {
	const [, json] = /^["'“„«‘‹]?([[{].*[\]}])["'”“»’›]?$/s.exec(cell) ?? [];
	const content = json && (parseJson(json) ?? parseJson(json.replace(/'/g, '"')));
	if (typeof content !== 'object' || content === null) return cell;
	const texts: string[] = [];
	JSON.stringify(content, (name, member: unknown) => {
		const isValue = typeof member === 'string' || typeof member === 'number';
		if (isValue && !/^(?:label|type|primary|id)$/.test(name)) texts.push(String(member));
		return member;
	});
	return texts.join('\n');
}

/** Escapes of mails, forms, JSON and spreadsheets. */
function readEscapes(text: string): string {
	return (
		text
			.replace(/(?<![\w.=%\\-])[a-z\d][\w.-]{0,40}(?:;[\w-]{1,40}=[^:;=]{0,80}){1,9}:/gi, '')
			.replace(/=\?([\w-]+)\?([bq])\?([^?\s]*)\?=/gi, readEncodedWord)
			.replace(
				/(?:[=%][89A-F][\dA-F])+|(?:=[\dA-F]{2}){3,}/gi,
				(bytes) => readBytes('utf-8', bytes) ?? bytes,
			)
			// Programs escape signs, but neither letters nor digits: `50%50` is none of it.
			.replace(/%(?:0[\dA-F]|1[A-F]|2[\dA-F]|3[A-F]|40|5[B-F]|60|7[B-F])/gi, decode)
			.replace(/(?<=["'])\\[nrt]|\\[nrt](?=["']|$)|\\r\\n/g, '\n')
			.replace(/\\u([\da-f]{4})|_x(00[01][\da-f])_/gi, (_, unit?: string, control?: string) =>
				String.fromCharCode(parseInt(unit ?? control ?? '', 16)),
			)
			.replace(/\\(['"\\/:;,])/g, '$1')
	);
}

/** @returns undefined for what is no text in this encoding */
function readBytes(encoding: string, escaped: string): string | undefined {
	try {
		const bytes = Buffer.from(escaped.replace(/[=%]/g, ''), 'hex');
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** A word of a mail's header, as RFC 2047 has it: `=?ISO-8859-1?Q?M=FCller?=`. */
function readEncodedWord(all: string, encoding: string, form: string, word: string): string {
	if (/b/i.test(form))
		return readBytes(encoding, Buffer.from(word, 'base64').toString('hex')) ?? all;
	return word
		.replace(/_/g, ' ')
		.replace(/(?:=[\da-f]{2})+/gi, (bytes) => readBytes(encoding, bytes) ?? bytes);
}

/** Links of Markdown, chats and spreadsheets: their text stays, and where they lead is kept. */
const linkForms = [
	/\[(?<label>[^[\]]*)\]\((?<link>[^()[\]\s]+)\)/g,
	/<(?<link>[a-z]+:[^<>|]+)\|(?<label>[^<>|]*)>/gi,
	/=[\p{Lu}\d._]{2,30}\( ?"(?<link>[^"]*)"(?: ?[,;] ?"(?<label>[^"]*)")? ?\)/gu,
];

function readLinks(source: string, links: string[]): string {
	const keep = (...match: unknown[]): string => {
		const { link = '', label } = match.at(-1) as { link?: string; label?: string };
		links.push(link);
		return label ?? link;
	};
	const text = linkForms.reduce((rest, form) => rest.replace(form, keep), source);
	// What is left of a formula in which other programs have put their own quotes.
	return text.replace(/=[\p{Lu}\d._]{2,30}\((?= ?")/gu, ' ');
}

/** Escapes a `<` that opens no tag: mail programs put it around an address, and people around a nickname. */
const escapeOthers = (source: string): string =>
	source.replace(
		/<(?!!)\/?([a-z]\w{0,15}(?=[\s/>]))?([^<>]*)/gi,
		(all: string, tag = '', rest: string) =>
			tags.has(tag.toLowerCase()) || /^\s[^=]*=/.test(rest) ? all : `&lt;${all.slice(1)}`,
	);

function readMarkup(source: string, links: string[]): string {
	if (!/[<&]/.test(source)) return source;
	let text = '';
	const parser = new Parser({
		ontext: (part) => (text += part),
		onopentag: (_, { href }) => {
			text += ' ';
			if (href) links.push(href);
		},
	});
	parser.end(escapeOthers(source));
	return text;
}

/** Signs that stand for a hyphen: dashes, the minus sign, and the long vowel of a Japanese keyboard between digits. */
const hyphens = /[\p{Pd}\u2212\u2043\u02d7]|(?<=\p{Nd})[\u30fc\uff70](?=\p{Nd})/gu;

/** What is left of quotes and lists at the ends of a text. A spreadsheet puts an apostrophe before a number. */
const edges = /^[\s,;|'"]+|(?<![\s,;|'"])[\s,;|'"]+$/g;

/** A text as it would be typed on a Western keyboard, for values that have no letters of their own. */
export function fold(text: string): string {
	if (isPlain(text)) return text;
	return normalize(text, 'NFKC')
		.replace(/\p{Cf}/gu, '')
		.replace(hyphens, '-')
		.replace(/[。｡]/g, '.')
		.replace(edges, '');
}
