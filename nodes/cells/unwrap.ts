import { Parser } from 'htmlparser2';
import { normalize } from '../runtime/normalize';
import { parseJson } from '../runtime/unknown';

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
const plain = /^[\w@.+:/()-]+(?: [\w@.+:/()-]+)*$/;

const isPlain = (text: string): boolean => plain.test(text) && !/_x00/i.test(text);

/**
 * The text that a person has put into a cell, without what programs have made of it: markup, escapes, quotes, characters
 * that nobody sees, and letters of another encoding.
 */
export function unwrap(cell: string): Unwrapped {
	if (isPlain(cell)) return { text: cell, links: [] };
	const links: string[] = [];
	let text = cell;
	for (let layer = 0; layer < mostLayers; layer++) {
		const before = text;
		text = readMarkup(decodeEscapes(readJson(unquote(tidy(readBack(before))))), links);
		if (text === before) break;
	}
	const problem = findLoss(text);
	const visible = tidy(text).replace(/[\p{Cc}\p{Z}]+/gu, (blanks) =>
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

/** The texts of JSON, as CRMs export a list of values: `[{"label":"work","value":"ada@a.example"}]`. */
function readJson(cell: string): string {
	const [, json] = /^["'“„«‘‹]?([[{].*[\]}])["'”“»’›]?$/s.exec(cell) ?? [];
	const content = json === undefined ? undefined : parseJson(json);
	if (typeof content !== 'object' || content === null) return cell;
	const texts: string[] = [];
	JSON.stringify(content, (name, member: unknown) => {
		const isValue = typeof member === 'string' || typeof member === 'number';
		if (isValue && !/^(?:label|type|primary|id)$/.test(name)) texts.push(String(member));
		return member;
	});
	return texts.join('\n');
}

/** Takes links out of angle brackets, where mail programs put them and they are no markup. */
function freeLinks(text: string): string {
	return text.replace(/<([^\s<>]+|[^<>="!?/][^<>="]*)>/g, (all, inside: string) =>
		/@|[.。．]\p{L}|%3a|:\/|:\+?\d|\d{4}/iu.test(inside) ? ` ${inside} ` : all,
	);
}

/** `[Ada](https://…)` */
const markdownLink = /\[([^[\]]*)\]\(([^()[\]\s]+)\)/g;

/** `<tel:+49301234567|030 1234567>`, in chats. */
const chatLink = /<([a-z]+:[^<>|]+)\|([^<>|]*)>/gi;

function readMarkup(source: string, links: string[]): string {
	const unlinked = source
		.replace(markdownLink, (_, label: string, link: string) => {
			links.push(link);
			return label;
		})
		.replace(chatLink, (_, link: string, label: string) => {
			links.push(link);
			return label;
		});
	if (!/[<&]/.test(unlinked)) return unlinked;
	let text = '';
	const parser = new Parser({
		ontext: (part) => (text += part),
		onopentag: (_, { href }) => {
			text += ' ';
			if (href) links.push(href);
		},
	});
	parser.end(freeLinks(unlinked));
	return text;
}

/** Bytes of UTF-8 in mails and forms (`=C3=BC`, `%C3%BC`), JSON's escapes, and Excel's of control characters. */
function decodeEscapes(text: string): string {
	return text
		.replace(/=\?utf-8\?q\?([^?\s]*)\?=/gi, (_, word: string) => word.replace(/_/g, ' '))
		.replace(/(?:[=%][89a-f][\da-f])+/gi, (bytes) => {
			const decoded = Buffer.from(bytes.replace(/[=%]/g, ''), 'hex').toString('utf8');
			return decoded.includes('\ufffd') ? bytes : decoded;
		})
		.replace(/(?<=["'])\\[nrt]|\\[nrt](?=["']|$)|\\r\\n/g, '\n')
		.replace(/_x00([01][\da-f])_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/\\(['"\\])/g, '$1')
		.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** What Windows-1252 has at 0x80 to 0x9f, where Latin-1 has control characters. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Two letters in place of one: UTF-8 that was read as Windows-1252 or Latin-1. */
const misread =
	/[ÂÃ][\u0080-\u00bf€‚-†‡…ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽ]|â€|(?<=\p{Ll})Ã\s|[\u00c2-\u00f4][\u0080-\u009f]/u;

/**
 * The bytes of such letters: several in a row, one inside a word, or one with a sign that stands behind no letter. `BLÅ”` may
 * be the end of a name in quotes.
 */
const misreadLetters =
	/(?:[Â-ß][\x80-¿€‚-†‡…ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽƒ]){2,}|[à-ï](?:[\x80-ª¬-º¼-¿€‚ƒ†‡ˆ‰Š‹Œ˜™šœžŸŽ][\x80-¿€‚-†‡…ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽƒ]|[\x80-¿€‚-†‡…ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽƒ][\x80-ª¬-º¼-¿€‚ƒ†‡ˆ‰Š‹Œ˜™šœžŸŽ])|[ð-ô][\x80-¿€‚-†‡…ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽƒ]{3}|(?:[ÂÃ]|(?<=\p{Ll})[Ä-ß])[\x80-¿€‚-†‡…ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽƒ]|[Ä-ß](?:[\x80-\x9f¡-¨¬-¯±´¶-¸¼-¿‚„ƒ†‡ˆ‰‹]|[^\p{L}\s\p{ASCII}](?=\p{Ll}))/gu;

/** `AndrÃ©` is `André`. */
function readBack(given: string): string {
	const text = normalize(given, 'NFC');
	const back = text.replace(misreadLetters, (letters) => {
		const codes = Array.from(letters, (letter) => {
			const at = windows.indexOf(letter);
			return at < 0 ? letter.charCodeAt(0) : 0x80 + at;
		});
		const decoded = Buffer.from(codes).toString('utf8');
		return decoded.includes('\ufffd') ? letters : decoded;
	});
	// What was misread twice has more letters.
	return back.length < text.length ? readBack(back) : given;
}

/** A letter that no program can give back. */
function findLoss(text: string): string | undefined {
	if (text.includes('\ufffd') || misread.test(normalize(text, 'NFC')))
		return 'has lost a letter on its way. Export it again as UTF-8';
	return undefined;
}

/** Pairs of quotes around all of a text. */
const quotes = new Set(
	`"" '' “” „“ „” ”” «» »« ‘’ ‚‘ ‚’ ’’ ‹› ›‹ 「」 『』 \`\` \`' ´´ ″″`.split(' '),
);

function unquote(given: string, most = 3): string {
	const text = given.replace(/^=(?=")/, '');
	const [first = '', last = ''] = [text[0], text.at(-1)];
	if (most === 0 || text.length < 2 || !quotes.has(first + last)) return given;
	const inside = unquote(tidy(text.slice(1, -1)), most - 1);
	const signs = inside.replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
	const count = [...signs].filter((sign) => sign === first || sign === last).length;
	// `"Ada" and "Bob"` has them around each, and `""Al" Berg"` around all.
	const isNested = signs.startsWith(first) || signs.endsWith(last);
	return count === 0 || (isNested && count % 2 === 0) ? inside : given;
}

/** Signs that stand for a hyphen: dashes, the minus sign, and the long vowel of a Japanese keyboard between digits. */
const hyphens = /[\p{Pd}\u2212\u2043\u02d7]|(?<=\d)[\u30fc\uff70](?=\d)/gu;

/** What is left of quotes and lists at the ends of a text. A spreadsheet puts an apostrophe before a number. */
const edges = /^[\s,;|'"]+|(?<![\s,;|'"])[\s,;|'"]+$/g;

/** A text as it would be typed on a Western keyboard, for values that have no letters of their own. */
export function fold(text: string): string {
	if (isPlain(text)) return text;
	return (
		normalize(text, 'NFKC')
			// Its lower case has two characters.
			.replace(/İ/g, 'I')
			.replace(/\p{Cf}/gu, '')
			.replace(hyphens, '-')
			.replace(/[。｡]/g, '.')
			.replace(edges, '')
	);
}
