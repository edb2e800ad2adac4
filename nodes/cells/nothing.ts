import { normalize } from '../runtime/normalize';
import { fieldWords, noWords, phrases, stateWords, testWords } from './words';

/*
 * Whether a text says that there is no value. A list of such texts is never complete, so most are known by their form:
 * `kein Telefon`, `email not provided` and `noemail` say no of a field, `{{name}}` names one, `#WERT!` is an error.
 */

/** Longer than every text that says so. */
const longest = 80;

/** Whether a text stands for nobody's value: it says that there is no value, or is what people enter to try a form. */
export function isNothing(text: string): boolean {
	return saysNothing(text) || (text.length <= longest && isTestLead(listWords(text)));
}

/** Whether a text says that there is no value. A text without letters, digits and emoji, such as `-`, does. */
export function saysNothing(text: string): boolean {
	if (isTemplate(text) || isSpreadsheetError(text.trim())) return true;
	const words = listWords(text.slice(0, longest));
	if (words.length === 0 || text.length > longest) return words.length === 0;
	const half = words.slice(words.length / 2).join(' ');
	const isTwice = words.slice(0, words.length / 2).join(' ') === half;
	const isPhrase = phrases.has(words.join(' ')) || (isTwice && phrases.has(half));
	return isPhrase || deniesField(words);
}

/** A field of a template that was not filled, in the styles of programs for forms, mails and automation. */
export function isTemplate(text: string): boolean {
	return (
		/\{\{|\}\}|\$\{|@\{|#\{|\{[!%]|<%|%>|\*\|[^*|]+\|\*|%%|##\p{L}|<<|>>|\{(?!\s*\\?")[^{}]*\}|%[a-z]{3,}(?:[_-][a-z]+)*%/iu.test(
			text,
		) ||
		/\[object Object\]|(?<![\p{L}\p{N}])undefined(?![\p{L}\p{N}])/iu.test(text) ||
		/^(?:\$\w+|__\w+__|\\N)$/.test(text) ||
		(/^\[+[^[\]@/.]+\]+$/.test(text) &&
			text.replace(/\D/g, '').length < 5 &&
			listWords(text).some((word) => fieldWords.has(word)))
	);
}

/** What Excel, Sheets, Numbers and LibreOffice write in place of a value, in all of their languages. */
export function isSpreadsheetError(text: string): boolean {
	return (
		/^#(?:[¡¿]?[\p{Lu}\p{M}\d_./ ]{1,20}[!?]|\p{Lu}{1,6}[/.]\p{Lu}{1,6}[!.]?|N[AV]|GETTING_DATA|YOK|HIÁNYZIK)$/u.test(
			text,
		) || /^(?:Err|Error|Fehler|Erreur|Errore|Ошибка):\d{3}$/.test(text)
	);
}

/** A word that says no, with words for what there is not: `no email`, `keine Angabe`, `telefone não informado`. */
function deniesField(words: string[]): boolean {
	const denies = words.some((word) => noWords.has(word));
	const isKnown = (word: string) =>
		noWords.has(word) || fieldWords.has(word) || stateWords.has(word);
	return denies && words.length > 1 && words.every(isKnown);
}

/** The same without blanks, as in the local part of an address: `noemail`, `sinemail`, `notprovided`. */
export function deniesFieldRunTogether(word: string): boolean {
	const letters = listWords(word.replace(/\d/g, '')).join('');
	for (let at = 2; at < letters.length - 1; at++) {
		const [first, rest] = [
			letters.slice(0, at),
			letters.slice(at).replace(/^de(?=mail|email)/, ''),
		];
		const isField = rest.length > 3 && (fieldWords.has(rest) || stateWords.has(rest));
		if (noWords.has(first) && (isField || deniesFieldRunTogether(rest))) return true;
		if (phrases.has(`${first} ${rest}`)) return true;
	}
	return false;
}

/** What people enter who try a form, or its own labels: `Test Lead`, `asdf`, `First Name Last Name`. */
function isTestLead(words: string[]): boolean {
	const isTest = (word: string) => testWords.has(word) || isTyped(word);
	if (words.every(isTest)) return words.some((word) => word !== 'lead' && word !== 'user');
	const isLabel = words.some((word) => label.test(word)) && words.length < 5;
	return isLabel && words.every((word) => fieldWords.has(word) || word === 'your');
}

/** Words of which one alone can only be the label of a field. */
const label =
	/^(?:(?:first|last|full|sur|user|vor|nach)?name|e?mails?|(?:tele)?phones?|telefon|telefono|nombre|apellidos?|prenom|cognome|sobrenome|imie|nazwisko|voornaam|achternaam|fornamn|efternamn|jmeno|prijmeni|имя|фамилия)$/;

/** Keys that lie side by side, or the same one: `asdf`, `qwertz`, `xxx`. */
export function isTyped(word: string): boolean {
	if (/^(.)\1{2,}$/u.test(word)) return true;
	return word.length > 3 && rows.some((row) => row.includes(word));
}

/** Of American, German and French keyboards, in both directions. */
const rows = [
	'qwertyuiop',
	'qwertzuiop',
	'azertyuiop',
	'asdfghjkl',
	'qsdfghjklm',
	'zxcvbnm',
	'yxcvbnm',
].flatMap((row) => [row.repeat(2), [...row.repeat(2)].reverse().join('')]);

/** In lower case, without accents and punctuation. */
export function listWords(text: string): string[] {
	const plain = normalize(text, 'NFKD').toLowerCase().replace(/\p{M}/gu, '');
	return plain.match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? [];
}
