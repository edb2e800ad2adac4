import type { INodeProperties } from 'n8n-workflow';
import type { Check } from '../../parameters/checks';
import { refuseItem } from '../../parameters/problem';
import { readDomain, readEmail } from './contact/email';
import { readLinkedIn } from './contact/linkedIn';
import { readPhone } from './contact/phone';
import { checkOf, identityOf, readName, type Reader } from './contact/reading';

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

const readers = {
	email: readEmail,
	linkedinProfileUrl: readLinkedIn,
	phoneNumber: readPhone,
} as const;

export type IdentityField = keyof typeof readers;

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
	return identityOf(readers[field], stored);
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

/** Of the person of a log. A placeholder passes, because the other values decide what becomes of it. */
export const loggedPersonChecks = {
	email: unlessPlaceholder(readEmail, (text) => text),
	linkedinProfileUrl: unlessPlaceholder(readLinkedIn, (text) => text),
	phoneNumber: unlessPlaceholder(readPhone, (text) => text),
	name: unlessPlaceholder(readName, () => ''),
};

function unlessPlaceholder(read: Reader, keep: Check): Check {
	return (text) => (findPlaceholder(read, text) === undefined ? checkOf(read)(text) : keep(text));
}

type LoggedPerson = Partial<Record<IdentityField | 'personId' | 'name', string>>;

/**
 * The person of a log without placeholders, which are left out beside a value that identifies the person.
 * @throws {ItemRefusedError} when nothing does
 */
export function withoutPlaceholders(person: LoggedPerson): LoggedPerson {
	const kept = { ...person };
	const found: string[] = [];
	for (const { name, displayName } of [email, linkedinProfileUrl, phoneNumber]) {
		const problem = findPlaceholder(readers[name], person[name] ?? '');
		if (problem === undefined) continue;
		found.push(`${displayName} ${problem}`);
		kept[name] = undefined;
	}
	const isIdentified = (['personId', ...identityFields] as const).some((field) => kept[field]);
	if (isIdentified || Object.keys(person).length === 0) return kept;
	return refuseItem(
		'Person',
		found.length > 0
			? `has no valid identifier: ${found.join(', ')}`
			: 'needs a Person ID, Email, Phone Number or LinkedIn Profile URL, or the entry is not linked to anyone',
	);
}

/** What there is to say about a placeholder. undefined for any other text. */
function findPlaceholder(read: Reader, text: string): string | undefined {
	const reading = read(text);
	return reading && 'problem' in reading && reading.isPlaceholder ? reading.problem : undefined;
}
