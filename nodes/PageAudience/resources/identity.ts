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
		// Without the country code, the number is not completed: a guess could merge two people.
		const known = value.startsWith('+') ? parsePhoneNumberFromString(value) : undefined;
		if (known) return known.number + (known.ext ? `;${known.ext}` : '');
		// Letters are part of a number such as 1-800-FLOWERS.
		const kept = value.toLowerCase().replace(/[^\p{L}\p{Nd}]/gu, '');
		return kept && value.startsWith('+') ? `+${kept}` : kept;
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
