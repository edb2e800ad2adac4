import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { decode } from '../../api/url';
import { normalize } from '../../runtime/normalize';

/** The fields that identify a person. */
export const identityFields = ['email', 'linkedinProfileUrl', 'phoneNumber'] as const;

export type IdentityField = (typeof identityFields)[number];

/**
 * What is the same for two spellings of one value. Empty for a value that identifies nobody, such as a phone number
 * without digits. It only serves to compare: what is sent is unchanged.
 */
export function toCanonical(field: IdentityField, value: string): string {
	return canonical[field](normalize(value, 'NFC').trim());
}

const canonical: Record<IdentityField, (value: string) => string> = {
	email: (value) => value.toLowerCase(),
	linkedinProfileUrl: (value) =>
		normalize(decode(value), 'NFC')
			.toLowerCase()
			.replace(/^[a-z]+:\/\//, '')
			.replace(/[?#].*$/s, '')
			.replace(/(?<!\/)\/+$/, '')
			.replace(/^www\./, '')
			.replace(/^([a-z\d-]+\.)+(?=linkedin\.com(\/|$))/, ''),
	phoneNumber: (value) => {
		const { number, extension } = splitExtension(value);
		const canonicalNumber = readNumber(number);
		return canonicalNumber && extension ? `${canonicalNumber};${extension}` : canonicalNumber;
	},
};

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
	const start = value.search(/\p{Nd}/u);
	if (start < 0) return '';
	const plus = value.slice(0, start).includes('+') ? '+' : '';
	const digits = value.replace(/\P{Nd}/gu, '');
	const withLetters = value
		.slice(start)
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
