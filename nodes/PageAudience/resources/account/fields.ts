import type { INodeProperties } from 'n8n-workflow';

/** Fields of an account that several operations share. */

export const domain = {
	displayName: 'Domain',
	name: 'domain',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. example.com',
	description: 'Main domain of the company. It identifies the account.',
} as const satisfies INodeProperties;

export const accountName = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Example Inc.',
	description: 'Company name, up to 255 characters',
} as const satisfies INodeProperties;

/** `sandbox/openapi.yaml` has a string and names no accepted values. */
export const includeEmptyOnly = {
	displayName: 'Include Empty Only',
	name: 'includeEmptyOnly',
	type: 'string',
	default: '',
	placeholder: 'e.g. true',
} as const satisfies INodeProperties;
