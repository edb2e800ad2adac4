import type { INodeProperties } from 'n8n-workflow';

/** Each of them has the interactions of a session read. */

export const includeInteractions = {
	displayName: 'Include Interactions',
	name: 'includeInteractions',
	type: 'boolean',
	default: false,
	description:
		'Whether to add to each session what the visitor did, as a list. This is one more request for each session.',
} as const satisfies INodeProperties;

export const addAnswers = {
	displayName: 'Add Answers',
	name: 'addAnswers',
	type: 'boolean',
	default: true,
	description:
		'Whether to add to each session the responses of its interactions, as an object with a field for each label. This is one more request for each session, the same as for Include Interactions.',
} as const satisfies INodeProperties;
