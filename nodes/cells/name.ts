import { quote } from '../parameters/checks';
import { normalize, tidyName } from '../runtime/normalize';
import { isNothing, isTemplate } from './nothing';
import { placeholder, type Reader } from './reading';
import { unwrap } from './unwrap';

const longestName = 255;

/** What programs add to the name of a page or profile. */
const link = /[([]?https?:\/\/[^\s)\]]+[)\]]?/gi;

/** Words that stand for no value elsewhere. */
const alsoNames =
	/^(?:na|ka|nan|nil|blank|empty|hidden|private|no|nada|sin|sem|pas|ask|leer|laden|nd|sd|nc|nie ma)$/i;

/** The name of a person or company. Services tidy the blanks in it, so they tell no two apart. */
export const readName: Reader = (cell) => {
	const { text, problem } = unwrap(cell);
	const value = normalize(tidyName(text.replace(link, ' ')).replace(/[\s\p{Z}]+/gu, ' '), 'NFC');
	if (value === '') return tidyName(cell) === '' ? undefined : placeholder(cell);
	// `M?ller`: an encoding without the letter.
	if (problem !== undefined || /\p{L}\?\p{L}/u.test(value))
		return { problem: problem ?? 'has lost a letter on its way. Export it again as UTF-8' };
	const count = [...value].length;
	if (count > longestName)
		return { problem: `must have 1 to ${longestName} characters, but has ${count}` };
	if (isTemplate(value) || (isNothing(value) && !alsoNames.test(value))) return placeholder(cell);
	if (/^[^\p{L}\p{N}]*[[{]\s*\\?["{[]/u.test(value))
		return { problem: `must be a name, but is ${quote(value)}` };
	return { value, identity: value };
};
