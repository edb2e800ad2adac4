import type { INodeProperties } from 'n8n-workflow';
import { type Check, InvalidValueError, quote } from '../../parameters/checks';
import { trimInvisible } from '../../runtime/normalize';
import { exactDomain } from './domain';
import { toCanonical } from './identity';

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
	domain: trimInvisible,
	email: trimInvisible,
	linkedinProfileUrl: trimInvisible,
	phoneNumber: trimInvisible,
};

/**
 * One address with a name and a domain. Spaces, braces and separators are what is left of two values, an expression or a
 * name in one field, and a sign alone stands for no value.
 */
const isEmail = (value: string) =>
	/^(?:"[^"\s]+"|[^\s@"<>(),;:{}]+)@[^\s@"<>(),;:{}/]+$/.test(value) &&
	value.split('@').every((part) => /[\p{L}\p{N}]/u.test(part));

/** Where LinkedIn has its profiles, and its tools for sales and recruiters. */
const profile =
	/^linkedin\.com\/+(?:(?:(?:comm|m|mwlite(?:\/profile)?)\/)?(?:in|pub)|sales|talent|recruiter)\/+[^/]/;

const isOfLinkedIn = (value: string) =>
	/^(?:https?:\/\/)?(?:[\w-]+\.)*linkedin\.com(?:[/?#]|$)/i.test(value);

const isProfile = (value: string) => profile.test(toCanonical('linkedinProfileUrl', value));

/** Of another host, any page will do. */
function isPage(value: string): boolean {
	const [, host = ''] = /^(?:https?:\/\/)?([^/\s]+)\/+[^/\s]/i.exec(value) ?? [];
	return /\.\p{L}{2,}(?::\w*)?$/u.test(host);
}

const emailAddress: Check = (given) => {
	const value = trimInvisible(given);
	if (value === '' || isEmail(value)) return value;
	throw new InvalidValueError(`must be an email address, but is ${quote(value)}`);
};

const profileUrl =
	(isElsewhere: (value: string) => boolean): Check =>
	(given) => {
		const value = trimInvisible(given);
		const isAccepted = isOfLinkedIn(value) ? isProfile : isElsewhere;
		if (value === '' || isAccepted(value)) return value;
		throw new InvalidValueError(`must be the URL of a LinkedIn profile, but is ${quote(value)}`);
	};

/** Of a person who is created for good: nobody can correct or delete one later. */
export const newPersonChecks = {
	...contactChecks,
	domain: exactDomain,
	email: emailAddress,
	linkedinProfileUrl: profileUrl(() => true),
};

/** A shorter number identifies nobody. */
const fewestDigits = 5;

const dialedNumber: Check = (given) => {
	const value = trimInvisible(given);
	const digits = toCanonical('phoneNumber', value).replace(/\D/g, '');
	if (value === '' || digits.length >= fewestDigits) return value;
	throw new InvalidValueError(`must have at least ${fewestDigits} digits, but is ${quote(value)}`);
};

/** Of a person who is looked for: all those for whom the same text stands, such as "n/a", would be one. */
export const identityChecks = {
	...newPersonChecks,
	linkedinProfileUrl: profileUrl(isPage),
	phoneNumber: dialedNumber,
};
