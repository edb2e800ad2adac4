import type { INodeProperties } from 'n8n-workflow';

/** Collections that several operations have under the same label. Each operation adds its own `options`. */

export const additionalFields = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
} as const satisfies INodeProperties;

export const filters = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
} as const satisfies INodeProperties;

export const updateFields = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
} as const satisfies INodeProperties;

export const fieldsToClear = {
	displayName: 'Fields to Clear',
	name: 'fieldsToClear',
	type: 'multiOptions',
	default: [],
	description: 'Fields to empty. You cannot set and clear the same field.',
} as const satisfies INodeProperties;
