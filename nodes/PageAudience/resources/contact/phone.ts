import { parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { quote } from '../../../parameters/checks';
import { normalize } from '../../../runtime/normalize';
import { placeholder, reader, type Reading, several } from './reading';

/** Words beside a number, without accents. Any other letters may belong to it, as in 1-800-FLOWERS. */
const labels = new Set(
	`tel telefon telefono telefone telephone phone ph no nr num number numero mob mobil mobile movil cel cell celular cellulare
	handy fixe fijo festnetz home work business office buro buero privat private main direct direkt geschaftlich fax whatsapp`.split(
		/\s+/,
	),
);

const extension =
	/(?:;ext=|#|(?<!\p{L})(?:extension|extn|ext|x|durchwahl|dw|nebenstelle|interno|int|poste|ramal|anexo|доб))[.:\s]*(\d{1,7})\s*\)?$/iu;

const separators = /:::|[;|,&\n\t]|\b(?:or|and|oder|und|ou|et|y|e)\b/i;

/** Longer than every number with its labels. */
const longest = 100;

/** A shorter number identifies no one. */
const fewestDigits = 5;

/** No number on earth has more: they would be two. */
const mostDigits = 15;

export const readPhone = reader((cell) => {
	if (cell.length > longest) return refuse('must be a phone number', cell);
	const text = normalize(cell, 'NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/(?!\d)\p{Nd}/gu, (digit) => parseDigits(digit) || digit);
	if (/^\+?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text))
		return {
			problem: `is ${quote(cell)}, which a spreadsheet has rounded. Format its column as text, and export it again`,
		};
	// A program that reads columns of numbers adds it.
	const [, whole] = /^(\+?\d+)\.0$/.exec(text) ?? [];
	return readNumber(whole ?? text, whole ?? cell);
});

/** @param text with Western digits and without accents */
function readNumber(text: string, value: string): Reading {
	const labelless = removeLabels(text);
	const [suffix = '', ext] = extension.exec(labelless) ?? [];
	const number = labelless
		.slice(0, labelless.length - suffix.length)
		.replace(/(?<![\s,;(])[\s,;(]+$/, '');
	const between = findSeparator(number);
	if (between !== undefined) return several('phone number', value, between);
	const digits = parseDigits(number);
	// Forms leave the country code alone where nobody entered a number.
	if (isMadeUp(digits) || /^\+\d{0,3}$/.test(number)) return placeholder(value);
	if (digits.length < fewestDigits)
		return refuse(`must have at least ${fewestDigits} digits`, value);
	if (!/^\(?\+?[\d\s().[\]/\p{Pd}]+$/u.test(number))
		return refuse('must be a phone number without other text', value);
	const dialed = dial(number, digits);
	if (!dialed) return refuse('must have as many digits as a phone number of its country', value);
	if (isRepeated(dialed.national) || dialed.national === '1234567890') return placeholder(value);
	return { value, identity: ext ? `${dialed.number};ext=${ext}` : dialed.number };
}

const refuse = (problem: string, value: string): Reading => ({
	problem: `${problem}, but is ${quote(value)}`,
});

/** Without words beside the number, and names and words in brackets around it. */
function removeLabels(text: string): string {
	return text
		.replace(/^\([^()\d]*\)|\([^()\d]*\)$/g, ' ')
		.replace(/(\p{L}+)[.:]*/gu, (all, word: string, at: number) => {
			const before = text.slice(0, at);
			const isFirst = !/\d/.test(before);
			// Behind the number, capitals may be dialed: 1 800 555 HOME.
			const isLast = /[\s)]$/.test(before) && /\p{Ll}/u.test(word) && !/\d/.test(text.slice(at));
			const isInitial = word.length === 1 && word.toLowerCase() !== 'x';
			return (isFirst && isInitial) || ((isFirst || isLast) && labels.has(word.toLowerCase()))
				? ' '
				: all;
		})
		.trim();
}

function findSeparator(text: string): string | undefined {
	const [between] = separators.exec(text) ?? [];
	if (between !== undefined) return between;
	if (/\d\D*\+/.test(text)) return ' +';
	// 030/1234567 and 06221 / 123456 are one number each: an area code is short.
	const longestArea = text.startsWith('+') ? 8 : 6;
	const [before = '', ...others] = text.split('/');
	return others.length > 0 && parseDigits(before).length > longestArea ? '/' : undefined;
}

/** What people enter because a form requires a number: 0000000000, 123456789. */
function isMadeUp(digits: string): boolean {
	return isRepeated(digits) || /^0?1234567890?$/.test(digits);
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
		const parsed = parsePhoneNumberFromString(`+${parseDigits(each)}`);
		if (parsed?.isPossible()) return { number: parsed.number, national: parsed.nationalNumber };
	}
	if (prefix === '+' || digits.length > mostDigits) return undefined;
	return { number: digits, national: digits };
}
