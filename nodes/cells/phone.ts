import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { quote } from '../parameters/checks';
import { normalize } from '../runtime/normalize';
import { placeholder, reader, type Reading } from './reading';

type Found = Exclude<Reading, undefined>;

/** The words of an extension, without accents. Any other text before or after a number belongs to nobody. */
const extension =
	/(?:;ext=|#|(?<!\p{L})(?:extension|extn|ext|x|durchwahl|dw|nebenstelle|nst|apparat|app|interno|int|poste|ramal|anexo|доб|добавочный|внутр|wew|wewn|wewnetrzny|linka|klapka|toestel|tst|anknytning|ankn|lokal|local|loc|mellek|dahili|内線|内线|分机|분기|내선))[.:\s]*\(?(\d{1,7})(?!\d)\)?/giu;

/** What a telephone dials after a pause, with or without a # at the end. */
const afterPause =
	/(?<=\d) ?(?:[,;]{2,5}|[pw]|,(?= ?\d{1,7} ?#|\d{3,7}$)) ?(\d{1,7}) ?#?(?=\D{0,40}$)/i;

/** Before digits that are no phone number: of tax offices, registers, banks and letters. */
const otherNumber =
	/(?<!\p{L})(?:nif|nie|cif|dni|nip|regon|pesel|krs|vat|tax|ust|ustid|ustidnr|steuernummer|siret|siren|tva|iva|btw|kvk|bsn|iban|bic|cnpj|cpf|rfc|curp|cuit|rut|gst|gstin|pan|aadhaar|ssn|ein|tckn|vkn|inn|инн|zip|plz|cap|cep|postcode|postal|postleitzahl|po box|postfach|id|no id|ref|order|invoice|customer)(?: ?(?:id|no|nr|code|number))?[.:# ]*$/iu;

/** `1) 030 1234567`, `2. +49 …` */
const listNumber = /(?<![\p{L}\d(+.#:-] ?)#?(?:[1-9]\d?\)|[1-9]\d?\.?(?= ?\+)|\d\.(?= 0)) ?/gu;

/** Digits with what people put between them. */
const runs = /[([]?\+?[([]?\d[\d ().[\]/-]*/g;

const datesAndTimes =
	/(?<!\d)(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}:\d\d)(?!\d)/g;

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
		if (/@|:\/\/|www\./i.test(text)) return [];
		return readRuns(text, given);
	},
	explain: (text) =>
		(text.match(/\d/g) ?? []).length < fewestDigits
			? refuse(`must have at least ${fewestDigits} digits`, text).problem
			: refuse('must be a phone number without other text', text).problem,
});

/** With Western digits and without accents. */
function toDigits(given: string): string {
	const [, inChat] = /(?:wa\.me\/|whatsapp\.com\/send\/?\?phone=)\+?(\d{7,15})/i.exec(given) ?? [];
	if (inChat) return `+${inChat}`;
	return (
		normalize(given, 'NFKD')
			.replace(/\p{M}/gu, '')
			.replace(/(?!\d)\p{Nd}/gu, toDigit)
			.replace(/^tel:\/*/i, '')
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

function refuse(problem: string, text: string): { problem: string } {
	return { problem: `${problem}, but is ${quote(text)}` };
}

function readRuns(text: string, cell: string): Found[] {
	const extensions: string[] = [];
	const takeOut = (all: string, digits: string, at: number) => {
		const isBehind = (text.slice(0, at).match(/\d/g) ?? []).length >= fewestDigits;
		// `#1 +49 …` is the first of a list.
		if (isBehind || !all.startsWith('#')) extensions.push(digits);
		return ' ';
	};
	const plain = text
		.replace(listNumber, '')
		.replace(datesAndTimes, ' ')
		.replace(afterPause, takeOut)
		.replace(extension, takeOut)
		.trim();
	const found = [...plain.matchAll(runs)].flatMap(({ 0: run, index }) => {
		const before = plain.slice(0, index);
		const after = plain.slice(index + run.length);
		return splitAtSlash(run).flatMap((part, n, parts) => {
			const earlier = before + parts.slice(0, n).join('/');
			const later = parts.slice(n + 1).join('/') + after;
			return readRun({ run: part, before: earlier, after: later, cell }) ?? [];
		});
	});
	if (extensions.length > 1)
		return [refuse('must be one phone number, but has several extensions', cell)];
	const [ext] = extensions;
	if (ext === undefined) return found;
	return found.map((each) =>
		'identity' in each
			? { value: `${each.value};ext=${ext}`, identity: `${each.identity};ext=${ext}` }
			: each,
	);
}

/** 030/1234567 and 06221 / 123456 are one number each: an area code is short. */
function splitAtSlash(run: string): string[] {
	const longestArea = run.includes('+') ? 8 : 6;
	const parts = run.split('/');
	const digits = parts.map((part) => part.replace(/\D/g, '')).filter(Boolean);
	const isSame = new Set(digits).size === 1;
	return isSame || (digits[0] ?? '').length > longestArea ? parts : [run];
}

/** Digits in a cell, with the text before and after them. */
interface Run {
	run: string;
	before: string;
	after: string;
	cell: string;
}

/** @returns undefined for digits of a remark, such as a time */
function readRun({ run, before, after, cell }: Run): Found | undefined {
	const number = unbracket(run).replace(/^[ /.-]+|(?<![ /.-])[ /.-]+$/g, '');
	const digits = number.replace(/\D/g, '');
	if (digits === '') return undefined;
	const isAlone = !/[\p{L}\d]/u.test(before + after);
	// Forms leave the country code alone where nobody entered a number.
	const isCountryCode = number.startsWith('+') && digits.length < 4;
	if (isMadeUp(digits) || (isCountryCode && isAlone)) return placeholder(cell);
	if (isPartOfWord(run, digits, before, after))
		return refuse('must be a phone number without other text', cell);
	if (digits.length < (isAlone ? fewestDigits : fewestBesideWords)) {
		// `1: +49 …`, `ab 18 Uhr`. Other digits may be an extension.
		const isRemark =
			/^ *[:)]|^ +\p{L}|^\p{Ll}/u.test(after) || (/ $/.test(run) && /^\p{L}/u.test(after));
		if (!isAlone && isRemark && !number.includes('+')) return undefined;
		return refuse(
			isAlone
				? `must have at least ${fewestDigits} digits`
				: 'must be one phone number, but has several numbers',
			cell,
		);
	}
	const dialed = dial(number, digits);
	if (!dialed) return refuse('must have as many digits as a phone number of its country', cell);
	if (isRepeated(dialed.national) || dialed.national === '1234567890') return placeholder(cell);
	return {
		value: dialed.number.startsWith('+') ? dialed.number : tidy(number),
		identity: dialed.number,
	};
}

/** `1-800-FLOWERS` and `1 800 555 HOME` are dialed with the letters, and `abc12345` is no number. */
function isPartOfWord(run: string, digits: string, before: string, after: string): boolean {
	if (/[\p{L}_]-?$/u.test(before) && !/^\(?\+/.test(run)) return true;
	if (otherNumber.test(before)) return true;
	if (/-$/.test(run) && /^\p{L}/u.test(after)) return true;
	// The plus of a number that was written from right to left.
	if (/^\+(?!\d)/.test(after)) return true;
	const [, word = ''] = /^ ?([A-Z]{3,8})(?!\p{L})/u.exec(after) ?? [];
	return word !== '' && digits.length < 9 && digits.length + word.length > 9;
}

/** Without brackets, but for those around a part, such as the area code. */
function unbracket(run: string): string {
	const part = /\([^()[\]]*\)/.exec(run);
	const strip = (text: string) => text.replace(/[()[\]]/g, '');
	if (!part || strip(part[0]).replace(/\D/g, '') === run.replace(/\D/g, '')) return strip(run);
	const end = part.index + part[0].length;
	return strip(run.slice(0, part.index)) + part[0] + strip(run.slice(end));
}

/** As typed, with one blank in place of several. */
const tidy = (number: string): string => number.replace(/\s+/g, ' ');

/** What people enter because a form requires a number: 0000000000, 123456789, 987654321, 121212121212. */
function isMadeUp(digits: string): boolean {
	const isCounted = /^0?123456(?:7(?:8(?:90?)?)?)?$|^9876543(?:2(?:10?)?)?$/.test(digits);
	return isCounted || isRepeated(digits) || /^(\d{2,3})\1{3,}$/.test(digits);
}

const isRepeated = (digits: string): boolean => /^(\d)\1*$/.test(digits);

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
		if (parsed?.isPossible()) return { number: parsed.number, national: parsed.nationalNumber };
	}
	if (prefix === '+' || digits.length > mostDigits) return undefined;
	return { number: digits, national: digits };
}
