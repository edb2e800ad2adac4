import type { INodeProperties } from 'n8n-workflow';
import { readDomain, readEmail } from './contact/email';
import { readLinkedIn } from './contact/linkedIn';
import { readPhone } from './contact/phone';
import { checkOf, identityOf } from './contact/reading';

/** Fields of a person that several operations share. */

export const email = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'name@email.com',
	description: 'Email address of the person',
} as const satisfies INodeProperties;

export const linkedinProfileUrl = {
	displayName: 'LinkedIn Profile URL',
	name: 'linkedinProfileUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://www.linkedin.com/in/nathan-smith',
	description: "URL of the person's LinkedIn profile",
} as const satisfies INodeProperties;

export const phoneNumber = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. +49 30 1234567',
	description: 'Phone number, preferably with the country code',
} as const satisfies INodeProperties;

export const personName = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'Full name, up to 255 characters',
} as const satisfies INodeProperties;

const domain = {
	displayName: 'Domain',
	name: 'domain',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description: "Domain of the person's company",
} as const satisfies INodeProperties;

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

/** The fields that identify a person. */
export const identityFields = ['email', 'linkedinProfileUrl', 'phoneNumber'] as const;

export const identityChecks = {
	email: checkOf(readEmail),
	linkedinProfileUrl: checkOf(readLinkedIn),
	phoneNumber: checkOf(readPhone),
};

export const newPersonChecks = { ...identityChecks, domain: checkOf(readDomain) };

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
