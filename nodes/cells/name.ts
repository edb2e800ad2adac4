import { quote } from '../parameters/checks';
import { normalize, tidyName } from '../runtime/normalize';
import { isNothing, isTemplate, listWords } from './nothing';
import { placeholder, type Reader } from './reading';
import { unwrap } from './unwrap';
import { labels } from './words';

const longestName = 255;

/** What programs add to the name of a page, a profile or a mailbox. */
const links =
	/[([]?https?:\/\/[^\s)\]]+[)\]]?|(?<![^\s([<])[([<]?[^\s@()[\]<>]{1,64}@[^\s@()[\]<>]{3,255}[)\]>]?/gi;

/** Words that stand for no value elsewhere. */
const alsoNames =
	/^(?:na|ka|nan|nil|blank|empty|hidden|private|no|nada|sin|sem|pas|ask|leer|laden|nd|sd|nc|nie ma)$/i;

/** The same, where they are written as names: programs write `null`, and people who have none `kein`. */
const alsoNamesInCapitals = /^(?:Null|Kein|Same|Brak|Yok|Pending)$/;

/** The name of a person or company. Services tidy the blanks in it, so they tell no two apart. */
export const readName: Reader = (cell) => {
	const { text, problem } = unwrap(cell);
	// A form that was sent by its URL has a plus for each blank.
	const blanks = /%[\dA-F]{2}/i.test(cell) ? text.replace(/(?<=\p{L})\+(?=\p{L})/gu, ' ') : text;
	// The apostrophe keeps a spreadsheet from running what it takes for a formula.
	const plain = bare(blanks).replace(/^'(?=[+@-])/, '');
	const value = normalize(plain.replace(/[\s\p{Z}]+/gu, ' '), 'NFC');
	if (value === '') return tidyName(cell) === '' ? undefined : placeholder(cell);
	// `M?ller`: an encoding without the letter.
	if (problem !== undefined || /\p{L}\?\p{L}/u.test(value))
		return { problem: problem ?? 'has lost a letter on its way. Export it again as UTF-8' };
	const count = [...value].length;
	if (count > longestName)
		return { problem: `must have 1 to ${longestName} characters, but has ${count}` };
	// Programs for statistics write NA.
	const isName = (alsoNames.test(value) && value !== 'NA') || alsoNamesInCapitals.test(value);
	if (isTemplate(value) || (isNothing(value) && !isName)) return placeholder(cell);
	if (/^[^\p{L}\p{N}]*[[{]\s*\\?["{[]/u.test(value))
		return { problem: `must be a name, but is ${quote(value)}` };
	return { value, identity: value };
};

/** Without a label in front, links, and what is left of a list. */
function bare(text: string): string {
	const value = text.replace(/^([\p{L} -]{1,30}): ?/u, (all, label: string) =>
		listWords(label).every((word) => labels.has(word)) ? '' : all,
	);
	const withoutLinks = tidyName(value.replace(links, ' '));
	return (withoutLinks || tidyName(value)).replace(/(?<![\s,;|])[\s,;|]+$/, '');
}
