import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
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

/** A filter that `sandbox/openapi.yaml` has as a string, without naming the accepted values. */
export function flag<const Name extends string>(displayName: string, name: Name) {
	return { displayName, name, type: 'string', default: '', placeholder: 'e.g. true' } as const;
}

export const activityFilters = [
	flag('Include Deleted', 'includeDeleted'),
	flag('Include Person Activity', 'includePersonActivity'),
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

/** The event kinds of `sandbox/openapi.yaml`. */
export const eventKinds = [
	{ name: 'Form Enriched', value: 'form.enriched' },
	{ name: 'Form Enrichment Failed', value: 'form.enrichment_failed' },
	{ name: 'Form Submitted', value: 'form.submitted' },
	{ name: 'Page Version Created', value: 'page.version.created' },
	{ name: 'Page Version Processed', value: 'page.version.processed' },
	{ name: 'Page Version Published', value: 'page.version.published' },
] as const satisfies INodePropertyOptions[];

export type EventKind = (typeof eventKinds)[number]['value'];
