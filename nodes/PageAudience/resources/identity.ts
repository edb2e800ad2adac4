import { parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { decode } from '../../api/url';
import { normalize, trimInvisible } from '../../runtime/normalize';

/** The fields that identify a person. */
export const identityFields = ['email', 'linkedinProfileUrl', 'phoneNumber'] as const;

export type IdentityField = (typeof identityFields)[number];

/** What is the same for two spellings of one value. It only serves to compare: what is sent is unchanged. */
export function toCanonical(field: IdentityField, value: string): string {
	return canonical[field](trimInvisible(normalize(value, 'NFC')));
}

const canonical: Record<IdentityField, (value: string) => string> = {
	email: (value) => value.toLowerCase(),
	linkedinProfileUrl: (value) =>
		normalize(decode(value), 'NFC')
			.toLowerCase()
			.replace(/^[a-z]+:\/\//, '')
			.replace(/[?#].*/s, '')
			.replace(/(?<!\/)\/+$/, '')
			.replace(/^www\./, '')
			.replace(/^([a-z\d-]+\.)+(?=linkedin\.com(\/|$))/, ''),
	// Without the country code, the number is not completed: a guess could merge two people.
	phoneNumber: (value) => {
		const isInternational = /^\P{Nd}*[+＋]/u.test(value);
		// Nobody dials it after the country code: +49 (0)30.
		const trunk = /[(（]\s*[0０٠۰]\s*[)）]/;
		const digits = parseDigits(isInternational ? value.replace(trunk, '') : value);
		if (!isInternational || digits === '') return digits;
		return parsePhoneNumberFromString(`+${digits}`)?.number ?? `+${digits}`;
	},
};

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
