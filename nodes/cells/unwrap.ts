import { Parser } from 'htmlparser2';
import { normalize } from '../runtime/normalize';
import { parseJson } from '../runtime/unknown';

/** A cell without what was put around its text. */
export interface Unwrapped {
	text: string;
	/** Where the links of the cell lead, e.g. `tel:+49301234567`. */
	links: string[];
	/** What cannot be put right. Follows the label. */
	problem?: string;
}

/**
 * The text that somebody has put into a cell, without what programs have made of it: markup, escapes, quotes, characters
 * that nobody sees, and letters of another encoding.
 */
export function unwrap(cell: string): Unwrapped {
	const { text, links } = readMarkup(decodeEscapes(readBack(readJson(cell))));
	const visible = text
		.replace(/[\p{Cc}\p{Zs}]+/gu, (blanks) => (/[\n\r]/.test(blanks) ? '\n' : ' '))
		.replace(/[\u200b\u2060\ufeff]|\p{VS}/gu, '')
		.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '');
	return { text: unquote(visible), links, problem: findLoss(visible) };
}

/** The texts of JSON, as CRMs export a list of values: `[{"label":"work","value":"ada@a.example"}]`. */
function readJson(cell: string): string {
	const content = /^\s*[[{]/.test(cell) ? parseJson(cell) : undefined;
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
	return text.replace(/<([^\s<>]+)>/g, (all, inside: string) =>
		/@|\.\p{L}|%3a|:\/|:\+?\d/iu.test(inside) ? ` ${inside} ` : all,
	);
}

/** `[Ada](https://…)` */
const markdownLink = /\[([^[\]]*)\]\(([^()[\]\s]+)\)/g;

function readMarkup(source: string): { text: string; links: string[] } {
	const links: string[] = [];
	let text = source.replace(markdownLink, (_, label: string, link: string) => {
		links.push(link);
		return label;
	});
	// What a program has escaped may have been escaped before.
	for (let rounds = 0; rounds < 3 && /[<&]/.test(text); rounds++) {
		const before = text;
		text = '';
		const parser = new Parser({
			ontext: (part) => (text += part),
			onopentag: (_, { href }) => {
				text += ' ';
				if (href) links.push(href);
			},
		});
		parser.end(freeLinks(before));
		if (text === before) break;
	}
	return { text, links };
}

/** Bytes of UTF-8 in mails and forms (`=C3=BC`, `%C3%BC`), and JSON's escapes. */
function decodeEscapes(text: string): string {
	return text
		.replace(/=\?utf-8\?q\?([^?\s]*)\?=/gi, (_, word: string) => word.replace(/_/g, ' '))
		.replace(/(?:[=%][89a-f][\da-f])+/gi, (bytes) => {
			const decoded = Buffer.from(bytes.replace(/[=%]/g, ''), 'hex').toString('utf8');
			return decoded.includes('\ufffd') ? bytes : decoded;
		})
		.replace(/\\(['"\\])/g, '$1')
		.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** What Windows-1252 has at 0x80 to 0x9f, where Latin-1 has control characters. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Two letters in place of one: UTF-8 that was read as Windows-1252 or Latin-1. */
const misread = /[ÂÃ][\u0080-\u00bf€‚-†‡ˆ‰Š‹Œ‘-”•–—˜™š›œžŸŽ]|â€|(?<=\p{Ll})Ã\s/u;

/** `AndrÃ©` is `André`, if all of the text can be read back. */
function readBack(text: string): string {
	if (!misread.test(text)) return text;
	const codes = Array.from(text, (letter) => {
		const at = windows.indexOf(letter);
		return at < 0 ? (letter.codePointAt(0) ?? 0) : 0x80 + at;
	});
	if (codes.some((code) => code > 0xff)) return text;
	const decoded = Buffer.from(codes).toString('utf8');
	return decoded.includes('\ufffd') ? text : decoded;
}

/** A letter that no program can give back. */
function findLoss(text: string): string | undefined {
	if (text.includes('\ufffd') || misread.test(text))
		return 'has lost a letter on its way. Export it again as UTF-8';
	return undefined;
}

/** Pairs of quotes around all of a text, and the brackets of mail programs. */
const enclosed =
	/^=?(?:"([^"]*)"|'([^']*)'|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|‘([^’]*)’|<([^<>]*)>)$/s;

function unquote(text: string): string {
	const inside = enclosed
		.exec(text)
		?.slice(1)
		.find((part) => part !== undefined);
	return inside === undefined ? text : unquote(inside.trim());
}

/** Signs that stand for a hyphen: dashes, the minus sign, and the long vowel of a Japanese keyboard between digits. */
const hyphens = /[\p{Pd}\u2212\u2043\u02d7]|(?<=\d)[\u30fc\uff70](?=\d)/gu;

/** What is left of quotes and lists at the ends of a text. A spreadsheet puts an apostrophe before a number. */
const edges = /^[\s,;|'"]+|(?<![\s,;|'"])[\s,;|'"]+$/g;

/** A text as it would be typed on a Western keyboard, for values that have no letters of their own. */
export function fold(text: string): string {
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
