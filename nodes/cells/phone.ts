import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { quote } from '../parameters/checks';
import { normalize } from '../runtime/normalize';
import { type Found, placeholder, reader } from './reading';
import { extensionWords, otherNumbers } from './words';

/** `;ext=7`, ` #7`, `ext. no 7` */
const extension =
	/(?:;ext=|(?<=[\d)] ?)#|(?<!\p{L})(\p{L}{1,20})(?: ?n[or]\b)?)[.:\s#-]{0,5}\(?(\d{1,7})(?!\d)\)?/giu;

/** What a telephone dials after a pause, with or without a # at the end. */
const afterPause =
	/(?<=\d) ?(?:[,;]{2,5}|[pw]|,(?= ?\d{1,7} ?#|\d{3,7}$))() ?(\d{1,7}) ?#?(?=\D{0,40}$)/gi;

/** The word before a number, such as `VAT` in `VAT no. 1234567`. */
const wordBefore = /(?<!\p{L})(\p{L}{1,20})(?: (?:id|no|nr|code|number))?[.:# ]{0,5}$/iu;

/** `1) 030 1234567`, `2. +49 …`, `#1 +49 …` */
const listNumber = /^[^\w+(\n]{0,9}(?:[1-9]\d?[:)]|\d\. |[1-9]\d?\.?(?= ?\+)|(?<=#)\d{1,2} )/m;

/** `(2nd floor)` */
const bracketed = /\((?=[^()]*\p{L})(?:[^()\d]*\d){0,4}[^()\d]*\)/gu;

/** `12.05.2026`, `2026-05-12`, `14:30` */
const dates =
	/(?<!\d)(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}[:h]\d\d)(?!\d)/g;

/** Digits with what people put between them, and the brackets around a part of them. */
const runs = /\+?(?:\(\+?\d[\d -]{0,6}\)|\d)(?:[ ./-]*(?:\(\d[\d -]{0,6}\)|\d))*/g;

/** Longer than every number with its remarks. */
const longest = 200;

/** A shorter number identifies no one. */
const fewestDigits = 5;

/** Beside other words, a shorter one may be a postal code. */
const fewestBesideWords = 6;

/** No number on earth has more: they would be two. */
const mostDigits = 15;

export const readPhone = reader({
	name: 'phone number',
	find: (given) => {
		if (given.length > longest) return [];
		const text = toDigits(given);
		if (/^\+?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text))
			return [
				{
					problem: `is ${quote(given)}, which a spreadsheet has rounded`,
					remedy: '. Format its column as text, and export it again',
				},
			];
		// Digits of an address or of another page are not a number.
		return /@|:\/\/|www\./i.test(text) ? [] : readRuns(text, given);
	},
	explain: (text) =>
		countDigits(text) < fewestDigits
			? refuse(`must have at least ${fewestDigits} digits`, text).problem
			: refuse('must be a phone number without other text', text).problem,
});

const countDigits = (text: string): number => (text.match(/\d/g) ?? []).length;

function refuse(problem: string, text: string): { problem: string } {
	return { problem: `${problem}, but is ${quote(text)}` };
}

/** With Western digits and without accents, links and what programs write in place of a sign. */
function toDigits(given: string): string {
	const [, inChat] = /(?:wa\.me\/|[?&]phone=)\+?(\d{7,15})/i.exec(given) ?? [];
	if (inChat) return `+${inChat}`;
	return (
		normalize(given, 'NFKD')
			.replace(/\p{M}/gu, '')
			.replace(/(?!\d)\p{Nd}/gu, toDigit)
			.replace(/^(?!http)[a-z]{2,9}:\/*(?=[+(\d])/i, '')
			// In Brazil, `(0xx11)` leaves open by which carrier to dial.
			.replace(/\(?0 ?xx ?(\d\d)\)?/gi, '$1')
			.replace(/\+\s+(?=[\d(])/g, '+')
			.replace(/\[/g, '(')
			.replace(/\]/g, ')')
			// A program that reads columns of numbers adds it.
			.replace(/^(\+?\d{5,})[.,]0$/, '$1')
			// WhatsApp's own form of an address.
			.replace(/^(\d{7,})@(?:c\.us|s\.whatsapp\.net)$/, '+$1')
	);
}

/** Each script has its ten digits in a row. */
function toDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let zero = code;
	while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
	return String(code - zero);
}

function readRuns(text: string, cell: string): Found[] {
	const extensions = new Set<string>();
	const takeOut = (all: string, word = '', digits: string, at: number, whole: string) => {
		const isWord = word === '' || extensionWords.has(word.toLowerCase());
		if (!isWord || countDigits(whole.slice(0, at)) < fewestDigits) return all;
		extensions.add(digits);
		return '\n';
	};
	const plain = text
		.replace(listNumber, '')
		.replace(dates, '\n')
		.replace(afterPause, takeOut)
		.replace(extension, takeOut)
		.replace(bracketed, '\n')
		.replace(runs, splitNumbers)
		.trim();
	const found = [...plain.matchAll(runs)].flatMap(({ 0: run, index }) => {
		const around = { before: plain.slice(0, index), after: plain.slice(index + run.length) };
		return readRun(run.replace(/^\(([^()]*)\)$/, '$1'), around, cell) ?? [];
	});
	if (extensions.size > 1)
		return [refuse('must be one phone number, but has several extensions', cell)];
	const [ext] = extensions;
	if (ext === undefined) return found;
	return found.map((each) =>
		'identity' in each
			? { value: `${each.value};ext=${ext}`, identity: `${each.identity};ext=${ext}` }
			: each,
	);
}

/** Puts a line between two numbers. 030/1234567 and 06221 / 123456 are one number each: an area code is short. */
function splitNumbers(run: string): string {
	const [, once] = /^(.{5,30}?)(?: ?[/-] ?\1)+$/.exec(run) ?? [];
	const parts = (once ?? run).split(/ ?\/ ?| - (?=(?:\D{0,3}\d){5})/);
	const longestArea = /^\(?(?:\+|00)/.test(run) ? 8 : 6;
	return countDigits(parts[0] ?? '') > longestArea ? parts.join('\n') : (once ?? run);
}

/** What stands beside a number. */
interface Around {
	before: string;
	after: string;
}

/** @returns undefined for digits of a remark */
function readRun(number: string, { before, after }: Around, cell: string): Found | undefined {
	const isAlone = !/[\p{L}\d]/u.test(before + after);
	const digits = number.replace(/\D/g, '');
	// Forms leave the country code alone where nobody entered a number.
	const isCountryCode = number.startsWith('+') && digits.length < 4;
	if (isCountryCode ? isAlone : isMadeUp(digits)) return placeholder(cell);
	if (isPartOfWord(number, digits, before, after))
		return refuse('must be a phone number without other text', cell);
	if (digits.length < (isAlone ? fewestDigits : fewestBesideWords)) {
		// `ab 18 Uhr`. Other digits may be an extension.
		if (/^ +\p{L}/u.test(after) && !number.includes('+')) return undefined;
		return refuse(
			countDigits(cell) > digits.length
				? 'must be one phone number, but has several numbers'
				: `must have at least ${fewestDigits} digits`,
			cell,
		);
	}
	const dialed = dial(number, digits);
	if (!dialed) return refuse('must have as many digits as a phone number of its country', cell);
	if (/^(?:(\d)\1*|1234567890)$/.test(dialed.national)) return placeholder(cell);
	return {
		value: dialed.number.startsWith('+') ? dialed.number : number.trim().replace(/\s+/g, ' '),
		identity: dialed.number,
	};
}

/** `1-800-FLOWERS` and `1 800 555 HOME` are dialed with the letters, and `abc12345` is no number. */
function isPartOfWord(run: string, digits: string, before: string, after: string): boolean {
	// Other scripts have no blanks between words.
	const isCode = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_]-?\(?$/u.test(before);
	const [, label = ''] = wordBefore.exec(before) ?? [];
	if ((isCode && !/^\(?\+/.test(run)) || otherNumbers.has(label.toLowerCase())) return true;
	// The plus of a number that was written from right to left.
	if (/^-\p{L}|^\+(?!\d)/u.test(after) || /\(\d{1,4}\)$/.test(run)) return true;
	const [, word = ''] = /^ ?([A-Z]{3,8})(?!\p{L})/u.exec(after) ?? [];
	return word !== '' && digits.length < 9 && digits.length + word.length > 9;
}

/** What people enter because a form requires a number: 0000000000, 123456789, 987654321, 121212121212. */
const isMadeUp = (digits: string): boolean =>
	/^0?123456(?:7(?:8(?:90?)?)?)?$|^9876543(?:2(?:10?)?)?$|^(\d)\1*$|^1(\d)\2{9}$|^\d0{7,}$|^(\d{2,3})\3{3,}$/.test(
		digits,
	);

/**
 * The number as it is dialed from everywhere. Without a country code, it is not completed: a guess could make two people
 * one.
 */
function dial(text: string, digits: string): { number: string; national: string } | undefined {
	// Most countries dial 00 before a country code.
	const [start = '', prefix] = /^\(?(\+|00(?=\s*[1-9]))/.exec(text) ?? [];
	// WhatsApp still has the 1 that Mexico's mobile numbers had until 2019.
	const rest = text.slice(start.length).replace(/^\s*52\s*1(?=(?:\D*\d){10}\D*$)/, '52');
	// The zero in +49 (0)30 is only dialed within a country, except in Italy.
	for (const each of prefix ? [rest, rest.replace(/\(\s*0\s*\)/, '')] : []) {
		const parsed = parsePhoneNumberFromString(`+${each.replace(/\D/g, '')}`);
		// 004-92-58-76-11 has a zero too many, and is not from Germany: a country code stands in one piece.
		const isInOnePiece = each.replace(/^\D+/, '').startsWith(parsed?.countryCallingCode ?? '');
		if (parsed?.isPossible() && (prefix === '+' || isInOnePiece))
			return { number: parsed.number, national: parsed.nationalNumber };
	}
	if (prefix === '+' || digits.length > mostDigits) return undefined;
	return { number: digits, national: digits };
}
