import type { INodeProperties } from 'n8n-workflow';
import type { Check } from '../../parameters/checks';
import { textField } from '../../parameters/fields';
import { readCompanyDomain } from '../../cells/domain';
import { readEmail } from '../../cells/email';
import { readLinkedIn } from '../../cells/linkedIn';
import { readPhone } from '../../cells/phone';
import { checkOf, identityOf } from '../../cells/reading';

/** Fields of a person that several operations share. */

export const email = textField('Email', 'email', 'Email address of the person', {
	placeholder: 'name@email.com',
});

export const linkedinProfileUrl = textField(
	'LinkedIn Profile URL',
	'linkedinProfileUrl',
	"URL of the person's LinkedIn profile",
	{ placeholder: 'e.g. https://www.linkedin.com/in/nathan-smith' },
);

export const phoneNumber = textField(
	'Phone Number',
	'phoneNumber',
	'Phone number, preferably with the country code',
	{ placeholder: 'e.g. +49 30 1234567' },
);

export const personName = textField('Name', 'name', 'Full name, up to 255 characters', {
	placeholder: 'e.g. Nathan Smith',
});

const domain = textField('Domain', 'domain', "Domain of the person's company", {
	placeholder: 'e.g. example.com',
});

/** What may be added to a person, apart from the name. */
export const contactFields = [
	domain,
	email,
	linkedinProfileUrl,
	phoneNumber,
] as const satisfies INodeProperties[];

export const identityReaders = {
	email: readEmail,
	linkedinProfileUrl: readLinkedIn,
	phoneNumber: readPhone,
} as const;

export type IdentityField = keyof typeof identityReaders;

export const identityFields = ['email', 'linkedinProfileUrl', 'phoneNumber'] as const;

/** @param replace what a placeholder becomes, where it is not refused */
export const identityChecks = (replace?: Check) => ({
	email: checkOf(readEmail, replace),
	linkedinProfileUrl: checkOf(readLinkedIn, replace),
	phoneNumber: checkOf(readPhone, replace),
});

export const newPersonChecks = { ...identityChecks(), domain: checkOf(readCompanyDomain) };

/** What is the same for all spellings of a value. undefined for what identifies no one. */
export function identify(field: IdentityField, stored: unknown): string | undefined {
	return identityOf(identityReaders[field], stored);
}

/** One text for each value that identifies a person, by which people are compared and their writes kept in order. */
export function listIdentityKeys(
	person: Partial<Record<IdentityField, unknown>>,
	fields: readonly IdentityField[] = identityFields,
): string[] {
	return fields.flatMap((field) => {
		const identity = identify(field, person[field]);
		return identity === undefined ? [] : [`${field} ${identity}`];
	});
}
