import { isAbsent } from '../runtime/absent';
import { absent, lostLetter, type Reader, tooLong, unreadable } from './reading';
import { hasLostLetter, tidy } from './tidy';

/** The API takes so many, with Options > Send As Is, too. */
export const longestName = 255;

/** The name of a person or company, tidied and never cut. Services tidy the blanks in it, so they tell no two apart. */
export const readName: Reader = (cell) => {
	const name = tidy(cell);
	if (name === '') return undefined;
	if (isAbsent(name, 'name')) return absent(cell);
	if (hasLostLetter(name)) return lostLetter;
	if (/^[[{]\s*["{[]/.test(name)) return unreadable('a name', name);
	const count = [...name].length;
	if (count > longestName) return tooLong(count, longestName);
	return { value: name, identity: name };
};
