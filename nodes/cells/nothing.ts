import { normalize } from '../runtime/normalize';
import { hasTemplateField, isSpreadsheetError } from '../runtime/placeholder';
import { fieldWords, keyRows, labels, noWords, phrases, stateWords, testWords } from './words';

/*
 * Whether a text says that there is no value. A list of such texts is never complete, so most are known by their form:
 * `kein Telefon`, `email not provided` and `noemail` say no of a field, `{{name}}` names one, `#WERT!` is an error.
 */

/** Longer than every text that says so. */
const longest = 80;

/** Whether a text stands for nobody's value: it says that there is no value, or is what people enter to try a form. */
export const isNothing = (text: string): boolean =>
	judge(text, (words) => areNothing(words) || isTestLead(words));

/** Whether a text says that there is no value. A text without letters, digits and emoji, such as `-`, does. */
export const saysNothing = (text: string): boolean => judge(text, areNothing);

function judge(text: string, areNone: (words: string[]) => boolean): boolean {
	if (isTemplate(text) || isSpreadsheetError(text.trim())) return true;
	const words = listWords(text.slice(0, longest));
	return words.length === 0 || (text.length <= longest && areNone(words));
}

/** The moment that databases and spreadsheets store for no date, such as MySQL's `0000-00-00 00:00:00`. */
export const isNoDate = (text: string): boolean =>
	/^(?:0000-00-00|0001-01-01|1899-12-3[01]|1970-01-01)(?:[ T]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?$/.test(
		text,
	);

/** A phrase, once or several times, or a word that says no with words for what there is not: `telefone não informado`. */
function areNothing(words: string[]): boolean {
	const half = words.slice(words.length / 2).join(' ');
	const isTwice = words.slice(0, words.length / 2).join(' ') === half;
	return phrases.has(words.join(' ')) || (isTwice && phrases.has(half)) || denyField(words);
}

const isKnown = (word: string): boolean =>
	noWords.has(word) || fieldWords.has(word) || stateWords.has(word);

const denyField = (words: string[]): boolean =>
	words.length > 1 && words.some((word) => noWords.has(word)) && words.every(isKnown);

/** The same without blanks, as in the local part of an address: `noemail`, `sinemail`, `notprovided`. */
export function deniesFieldRunTogether(text: string): boolean {
	const letters = listWords(text.replace(/\d/g, '')).join('');
	// Shorter words are a part of names, such as `sinead` and `noel`.
	const parts = letters.length > longest ? undefined : splitWords(letters);
	if (parts === undefined || !denyField(parts)) return false;
	return parts.some((word) => word.length > 3) || phrases.has(parts.join(' '));
}

/** The known words that a text is put together of, from the longest. */
function splitWords(letters: string): string[] | undefined {
	if (letters === '') return [];
	for (let length = Math.min(letters.length, longestWord); length > 1; length--) {
		const word = letters.slice(0, length);
		const isWord = noWords.has(word) || (isKnown(word) && length > 2) || word === 'de';
		const rest = isWord ? splitWords(letters.slice(length)) : undefined;
		if (rest) return [word, ...rest];
	}
	return undefined;
}

const longestWord = 16;

/** A field of a template that was not filled, or its label in brackets. */
export function isTemplate(text: string): boolean {
	return (
		hasTemplateField(text) ||
		(/^(?:\[+[^[\]@/.]+\]+ ?|<[^<>@/.]+>)+$/.test(text) &&
			text.replace(/\D/g, '').length < 5 &&
			listWords(text).some((word) => fieldWords.has(word)))
	);
}

/** What people enter who try a form, or its own labels: `Test Lead`, `asdf`, `First Name Last Name`. */
function isTestLead(words: string[]): boolean {
	const isTest = (word: string) => testWords.has(word) || isTyped(word);
	if (words.every(isTest)) return words.some((word) => word !== 'lead' && word !== 'user');
	const isLabel = words.some((word) => labels.has(word)) && words.length < 5;
	return isLabel && words.every((word) => isKnown(word) || labels.has(word));
}

/** Keys that lie side by side, in both directions, or the same one: `asdf`, `qwertz`, `xxx`. */
export function isTyped(word: string): boolean {
	if (/^(.)\1{2,}$/u.test(word)) return true;
	return word.length > 3 && rows.some((row) => row.includes(word));
}

const rows = keyRows.flatMap((row) => [row.repeat(2), [...row.repeat(2)].reverse().join('')]);

/** In lower case, without accents and punctuation. */
export function listWords(text: string): string[] {
	const plain = normalize(text, 'NFKD').toLowerCase().replace(/\p{M}/gu, '');
	return plain.match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? [];
}
