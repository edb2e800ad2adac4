import type { INodeProperties } from 'n8n-workflow';
import { trimmedText } from './checks';

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
