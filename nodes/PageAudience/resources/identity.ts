import { parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { decode } from '../../api/url';
import { normalize, trimInvisible } from '../../runtime/normalize';

/** The fields that identify a person. */
export const identityFields = ['email', 'linkedinProfileUrl', 'phoneNumber'] as const;

export type IdentityField = (typeof identityFields)[number];

/**
 * What is the same for two spellings of one value. Empty for a value that identifies nobody, such as a phone number
 * without digits, or a LinkedIn URL without a profile. It only serves to compare: what is sent is unchanged.
 */
export function toCanonical(field: IdentityField, value: string): string {
	return canonical[field](trimInvisible(normalize(value, 'NFC')));
}

const canonical: Record<IdentityField, (value: string) => string> = {
	email: (value) => value.toLowerCase(),
	linkedinProfileUrl: (value) => {
		const profile = normalize(value.replace(escape, decode), 'NFC')
			.toLowerCase()
			.replace(/^[a-z]+:\/\//, '')
			.replace(/[?#].*/s, '')
			.replace(/(?<!\/)\/+$/, '')
			.replace(/^www\./, '')
			.replace(/^([a-z\d-]+\.)+(?=linkedin\.com(\/|$))/, '');
		const id = readProfileId(value);
		if (id !== undefined) return `${profile}?id=${id}`;
		return noProfile.test(profile) ? '' : profile;
	},
	phoneNumber: (value) => {
		const { number, extension } = splitExtension(toAscii(value));
		const canonicalNumber = readNumber(number);
		return canonicalNumber && extension ? `${canonicalNumber};${extension}` : canonicalNumber;
	},
};

/** One character in percent-encoding. A stray `%` beside it changes nothing about it. */
const escape =
	/%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3})/gi;

/** An address of LinkedIn that is nobody's. */
const noProfile = /^linkedin\.com(?:\/(?:in|pub|profile(?:\/view)?))?$/;

/** Old addresses of profiles end with a query: `/profile/view?id=1`. */
export function readProfileId(url: string): string | undefined {
	const query = /linkedin\.com\/profile\/view\/?\?([^#]*)/i.exec(url)?.[1];
	return (query && new URLSearchParams(query).get('id')) || undefined;
}

/** With full-width characters and Arabic digits as what they stand for. */
function toAscii(value: string): string {
	return value.replace(/[！-～\p{Nd}]/gu, (each) => parseDigits(each) || each.normalize('NFKC'));
}

/** It is part of the number: two people in one office may share the rest. */
const extension =
	/(?<!\p{L})(?:ext(?:n|ension)?|x|dw|durchwahl|#)[\s.:=]{0,3}(\p{Nd}{1,7})\P{Nd}*$/iu;

function splitExtension(value: string): { number: string; extension?: string } {
	const found = extension.exec(value);
	const number = value.slice(0, found?.index);
	return found && /\p{Nd}/u.test(number) ? { number, extension: found[1] } : { number: value };
}

/** A number with more digits than this needs no letters. */
const mostDigitsWithLetters = 7;

/** The digits, after a `+` if one stands before them. Letters count only where they complete a number: 1-800-FLOWERS. */
function readNumber(value: string): string {
	const plus = /^[^+\p{Nd}]*\+/u.test(value) ? '+' : '';
	// Nobody dials it after the country code.
	const number = plus ? value.replace(/\(\s*0\s*\)/, '') : value;
	const digits = number.replace(/\P{Nd}/gu, '');
	if (digits === '') return '';
	const withLetters = number
		.replace(/^\P{Nd}+/u, '')
		.toLowerCase()
		.replace(/\([^()\p{Nd}]*\)/gu, '')
		.replace(/[^\p{L}\p{Nd}]/gu, '');
	if (digits.length <= mostDigitsWithLetters && withLetters !== digits) return plus + withLetters;
	// Without the country code, the number is not completed: a guess could merge two people.
	return (plus && parsePhoneNumberFromString(plus + digits)?.number) || plus + digits;
}

/** One text for each canonical value of a person, by which people are compared and what is sent for one is kept in order. */
export function listIdentityKeys(
	person: Partial<Record<IdentityField, unknown>>,
	fields: readonly IdentityField[] = identityFields,
): string[] {
	return fields.flatMap((field) => {
		const given = person[field];
		const value = typeof given === 'string' ? toCanonical(field, given) : '';
		return value === '' ? [] : [`${field} ${value}`];
	});
}
