import type { INodeProperties } from 'n8n-workflow';
import { trimmedText } from '../../parameters/checks';

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

export const contactChecks = {
	domain: trimmedText,
	email: trimmedText,
	linkedinProfileUrl: trimmedText,
	phoneNumber: trimmedText,
};

/** The API documents no format of an email address or a domain, so these are told and not refused. */

export function warnOfEmail(value = ''): string[] {
	return value === '' || value.includes('@') ? [] : ['Email has no "@"'];
}

export function warnOfContact(contact: { email?: string; domain?: string }): string[] {
	return [...warnOfEmail(contact.email), ...warnOfDomain(contact.domain)];
}

export function warnOfDomain(value = ''): string[] {
	return value === '' || /^[^\s@/:][^\s@/:.]*\.[^\s@/:]+$/.test(value)
		? []
		: ['Domain is not a domain such as "example.com"'];
}
