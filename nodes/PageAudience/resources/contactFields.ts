import type { INodeProperties } from 'n8n-workflow';
import { type Check, leaveOut, personIdFormat } from '../../parameters/checks';
import { textField } from '../../parameters/fields';
import { readCompanyDomain } from '../../cells/domain';
import { readEmail } from '../../cells/email';
import { readName } from '../../cells/name';
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

/** What identifies a person: the fields, and how a cell of each is read. */
export const identityReaders = {
	email: readEmail,
	linkedinProfileUrl: readLinkedIn,
	phoneNumber: readPhone,
} as const;

export type IdentityField = keyof typeof identityReaders;

export const identityFields = Object.keys(identityReaders) as IdentityField[];

const checks = {
	domain: checkOf(readCompanyDomain),
	email: checkOf(readEmail),
	linkedinProfileUrl: checkOf(readLinkedIn),
	name: checkOf(readName),
	personId: personIdFormat,
	phoneNumber: checkOf(readPhone),
};

type CellField = keyof typeof checks;

/**
 * What becomes of a value that cannot be read. A log goes out with what identifies the person, and fails only if nothing
 * does. What is created for good, which the API can neither change nor delete, is refused.
 */
export const unreadable = {
	personLog: {
		email: 'left out',
		linkedinProfileUrl: 'left out',
		name: 'left out',
		personId: 'left out',
		phoneNumber: 'left out',
	},
	person: {
		domain: 'refused',
		email: 'refused',
		linkedinProfileUrl: 'refused',
		name: 'refused',
		phoneNumber: 'refused',
	},
	account: { domain: 'refused', name: 'refused' },
} as const satisfies Record<string, Partial<Record<CellField, 'left out' | 'refused'>>>;

/** The checks of the values that a record is written from. */
export function cellChecks(record: keyof typeof unreadable): Partial<Record<CellField, Check>> {
	const fields = Object.entries(unreadable[record]) as Array<[CellField, string]>;
	return Object.fromEntries(
		fields.map(([field, then]) => [
			field,
			then === 'left out' ? leaveOut(checks[field]) : checks[field],
		]),
	);
}

/** One text for each value that identifies a person, by which people are compared and their writes kept in order. */
export function listIdentityKeys(
	person: Partial<Record<IdentityField, unknown>>,
	fields: readonly IdentityField[] = identityFields,
): string[] {
	return fields.flatMap((field) => {
		const identity = identityOf(identityReaders[field], person[field]);
		return identity === undefined ? [] : [`${field} ${identity}`];
	});
}
