import { quote } from '../parameters/checks';
import { isAbsent } from '../runtime/absent';
import { absent, lostLetter, type Reader } from './reading';
import { hasLostLetter, tidy } from './tidy';

const longest = 255;

/** The name of a person or company, tidied and never cut. Services tidy the blanks in it, so they tell no two apart. */
export const readName: Reader = (cell) => {
	const name = tidy(cell);
	if (name === '') return undefined;
	if (isAbsent(name, 'name')) return absent(cell);
	if (hasLostLetter(name)) return lostLetter;
	if (/^[[{]\s*["{[]/.test(name)) return { problem: `must be a name, but is JSON: ${quote(name)}` };
	const count = [...name].length;
	if (count > longest) return { problem: `must have 1 to ${longest} characters, but has ${count}` };
	return { value: name, identity: name };
};
