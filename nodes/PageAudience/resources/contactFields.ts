import type { INodeProperties } from 'n8n-workflow';

/** The fields of a person that several operations take. */

export const email = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'name@email.com',
	description: 'The email address of the person',
} as const satisfies INodeProperties;

export const linkedinProfileUrl = {
	displayName: 'LinkedIn Profile URL',
	name: 'linkedinProfileUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://www.linkedin.com/in/nathan-smith',
	description: 'The URL of the LinkedIn profile of the person',
} as const satisfies INodeProperties;

export const phoneNumber = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. +49 30 1234567',
	description: 'The phone number of the person, preferably with the country code',
} as const satisfies INodeProperties;

export const personName = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'The full name of the person, up to 255 characters',
} as const satisfies INodeProperties;

export const domain = {
	displayName: 'Domain',
	name: 'domain',
	type: 'string',
	default: '',
	placeholder: 'e.g. example.com',
	description: 'The domain of the company that the person works for',
} as const satisfies INodeProperties;
