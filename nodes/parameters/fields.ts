import type { INodeProperties } from 'n8n-workflow';
import { trimmedText } from './checks';

/** A text of a collection or a row, where most fields differ only in their words. */
export function textField<const Name extends string>(
	displayName: string,
	name: Name,
	description: string,
	more: Pick<INodeProperties, 'placeholder' | 'typeOptions'> = {},
) {
	return { displayName, name, type: 'string', default: '', description, ...more } as const;
}

/** The filters of an account's activity. `sandbox/openapi.yaml` has both as strings and names no accepted values. */
export const activityFilters = [
	{
		displayName: 'Include Deleted',
		name: 'includeDeleted',
		type: 'string',
		default: '',
		placeholder: 'e.g. true',
	},
	{
		displayName: 'Include Person Activity',
		name: 'includePersonActivity',
		type: 'string',
		default: '',
		placeholder: 'e.g. true',
	},
] as const satisfies INodeProperties[];

export const activityFilterChecks = {
	includeDeleted: trimmedText,
	includePersonActivity: trimmedText,
};

export const includeInteractions = {
	displayName: 'Include Interactions',
	name: 'includeInteractions',
	type: 'boolean',
	default: false,
	description:
		'Whether to include what the visitor did in each session (one more request per session)',
} as const satisfies INodeProperties;

export const addAnswers = {
	displayName: 'Add Answers',
	name: 'addAnswers',
	type: 'boolean',
	default: true,
	description:
		'Whether to add what the visitor answered, with one field per question (one more request per session, shared with Include Interactions)',
} as const satisfies INodeProperties;
