import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { trimmedText } from './checks';

/** What a field may have besides its words. */
export type More = Partial<
	Pick<
		INodeProperties,
		| 'builderHint'
		| 'displayOptions'
		| 'hint'
		| 'noDataExpression'
		| 'placeholder'
		| 'required'
		| 'typeOptions'
	>
>;

/** The types of values follow from what is written here, so no part of it may become wider. */
export function field<Name extends string, const Type extends string, const Usual, M extends More>(
	displayName: string,
	name: Name,
	type: Type,
	usual: Usual,
	description: string,
	more?: M,
) {
	// Not what the place wants that the field is put in: that would be a field with everything.
	return { displayName, name, type, default: usual, description, ...(more as NoInfer<M>) } as const;
}

/** Makes fields that are empty by default. */
const emptyField =
	<const Type extends string>(type: Type) =>
	<const Name extends string, const M extends More = object>(
		displayName: string,
		name: Name,
		description: string,
		more?: M,
	) =>
		field(displayName, name, type, '', description, more);

/** Makes fields with a default. */
const usualField =
	<const Type extends string, Usual>(type: Type) =>
	<const Name extends string, const M extends More = object>(
		displayName: string,
		name: Name,
		usual: Usual,
		description: string,
		more?: M,
	) =>
		field(displayName, name, type, usual, description, more);

export const textField = emptyField('string');
export const dateField = emptyField('dateTime');
export const toggleField = usualField<'boolean', boolean>('boolean');
export const numberField = usualField<'number', number>('number');

/** A label, or with what the choice does, and when a model should choose it. */
type Choice = string | readonly [label: string, description: string, forModels?: string];

/** One of several values. The first is the default. n8n shows them by label. */
export function choiceField<
	const Name extends string,
	const Choices extends Record<string, Choice>,
	const M extends More = object,
>(displayName: string, name: Name, description: string, choices: Choices, more?: M) {
	const options = Object.entries(choices).map(describeChoice<keyof Choices & string>);
	options.sort((one, other) => one.name.localeCompare(other.name));
	const [usual = ''] = Object.keys(choices);
	return { ...field(displayName, name, 'options', usual, description, more), options };
}

function describeChoice<Value extends string>([value, choice]: [string, Choice]) {
	const [name, description, propertyHint] = typeof choice === 'string' ? [choice] : choice;
	return {
		name,
		value: value as Value,
		...(description !== undefined && { description }),
		...(propertyHint !== undefined && { builderHint: { propertyHint } }),
	};
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

export const includeInteractions = toggleField(
	'Include Interactions',
	'includeInteractions',
	false,
	'Whether to include what the visitor did in each session (one more request per session)',
);

export const addAnswers = toggleField(
	'Add Answers',
	'addAnswers',
	true,
	'Whether to add what the visitor answered, with one field per question (one more request per session, shared with Include Interactions)',
);

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
