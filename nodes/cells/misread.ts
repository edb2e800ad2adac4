import { normalize } from '../runtime/normalize';
import { latin, others, windows } from './encodings';

/** Bytes of UTF-8: the first says how many follow. */
const sequences =
	/(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+/g;

/** Those of Latin letters and quotes. In other encodings, only they are told for certain: they begin with lines and signs. */
const latinSequences = /(?:[\xc2-\xc5][\x80-\xbf]|\xe2\x80[\x80-\xbf])+/g;

/** `AndrÃ©` is `André`: UTF-8 that was read in another encoding. */
export function readBack(given: string): string {
	if (!/[^\0-\x7f]{2}|Â/.test(given)) return given;
	const text = normalize(given, 'NFC');
	const back = [latin, windows, ...others]
		.reduce(readBackFrom, text)
		// A blank that does not break has two bytes, of which the second was trimmed.
		.replace(/Â(?=\s|$)/g, '');
	return back === text ? given : back;
}

function readBackFrom(text: string, table: string): string {
	const isOther = others.includes(table);
	// A sign that the table does not have is no byte.
	const bytes = text.replace(/[^\0-\x7f]/g, (sign) => {
		const at = table.indexOf(sign);
		return at < 0 ? '\u0100' : String.fromCharCode(0x80 + at);
	});
	let back = '';
	let end = 0;
	for (const { 0: found, index } of bytes.matchAll(isOther ? latinSequences : sequences)) {
		const letters = text.slice(index, index + found.length);
		const decoded = Buffer.from(found, 'latin1').toString('utf8');
		const around = [text.slice(Math.max(0, index - 1), index), text[index + found.length] ?? ''];
		const isRead = !decoded.includes('\ufffd') && (isOther || isCertain(letters, around));
		back += text.slice(end, index) + (isRead ? decoded : letters);
		end = index + found.length;
	}
	return back + text.slice(end);
}

/** A letter in capitals, or with an accent, before what closes a sentence: `BLÅ”` may be the end of a name in quotes. */
const closed = /^[Â-ß][\xa0…’“”–—›»]$|^[à-ï][\xa0…’”–—›«»]{2}$/;

/** Whether a few letters can only be misread ones: several, inside a word, or such as no language has in a row. */
function isCertain(letters: string, [before = '', after = '']: string[]): boolean {
	// Two encodings, of which the other comes first.
	if (/[├┬─┼√≈]/.test(before)) return false;
	if (letters.length > 3 || /\p{Ll}/u.test(before + after)) return true;
	if (/^Â/.test(letters) || (/^Ã/.test(letters) && !/\p{Lu}/u.test(before))) return true;
	const mayClose = closed.test(letters) && !/\p{L}/u.test(after);
	return !/^[Æ-ËÍ-ß]/.test(letters) && !mayClose;
}

/** Letters of which a byte is gone, so that no program can give them back. */
export function hasLostLetter(text: string): boolean {
	// Half of an emoji, where a program has cut a text.
	if (!text.isWellFormed()) return true;
	return /\ufffd|â[€\x80]|(?<=\p{Ll})Ã(?=\s|$)|[ÂÃ][\x80-\x9f]|[├┬─┼√≈¬][^\0-\x7f]/u.test(
		normalize(text, 'NFC'),
	);
}

/** The signs of Windows where a program has kept their codes, such as 0x92 for an apostrophe. */
export const readControls = (text: string): string =>
	text.replace(/[\x80-\x9f]/g, (code) => windows[code.charCodeAt(0) - 0x80] ?? code);
