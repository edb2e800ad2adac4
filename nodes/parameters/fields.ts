import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { trimmedText } from './checks';

/** What a field may have besides its words. */
export type More = Partial<Omit<INodeProperties, 'default' | 'displayName' | 'name' | 'type'>>;

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

/** Of a type whose fields open blank. */
const blankField =
	<const Type extends string>(type: Type) =>
	<const Name extends string, const M extends More = object>(
		displayName: string,
		name: Name,
		description: string,
		more?: M,
	) =>
		field(displayName, name, type, '', description, more);

export const textField = blankField('string');
export const dateField = blankField('dateTime');

const filledField =
	<const Type extends string, Usual>(type: Type) =>
	<const Name extends string, const M extends More = object>(
		displayName: string,
		name: Name,
		usual: Usual,
		description: string,
		more?: M,
	) =>
		field(displayName, name, type, usual, description, more);

export const toggleField = filledField<'boolean', boolean>('boolean');
export const numberField = filledField<'number', number>('number');

/** A label, or with what the choice does, and when a model should choose it. */
type Choice = string | readonly [label: string, description: string, forModels?: string];

/** One of several values. The first is the default. n8n shows them by label. */
export function choiceField<
	const Name extends string,
	const Choices extends Record<string, Choice>,
	const M extends More = object,
>(displayName: string, name: Name, description: string, choices: Choices, more?: M) {
	const [usual = ''] = Object.keys(choices);
	const options = listChoices(choices);
	return { ...field(displayName, name, 'options', usual, description, more), options };
}

export function listChoices<Choices extends Record<string, Choice>>(choices: Choices) {
	const options = Object.entries(choices).map(describeChoice<keyof Choices & string>);
	return options.sort((one, other) => one.name.localeCompare(other.name));
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

/** Fields that a person adds. Who has them says which, as `options`. */
export function collectionField<const Name extends string>(
	displayName: string,
	name: Name,
	added: string,
) {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: `Add ${added}`,
		default: {},
	} as const;
}

/**
 * Settings that belong together: one entry under "Add option", with all of its fields open. n8n drops one without values as
 * soon as another field changes, unless this says that there is one value.
 */
export function groupField<
	const Name extends string,
	const Values extends INodeProperties[],
	const M extends More = object,
>(displayName: string, name: Name, description: string, values: Values, more?: M) {
	return {
		...field(displayName, name, 'fixedCollection', { value: {} }, description, more),
		typeOptions: { multipleValues: false },
		placeholder: 'Add settings',
		options: [{ displayName, name: 'value', values }],
	} as const satisfies INodeProperties;
}

/** A filter that `sandbox/openapi.yaml` has as a string, without naming the accepted values. */
function flag<const Name extends string>(displayName: string, name: Name) {
	return { displayName, name, type: 'string', default: '', placeholder: 'e.g. true' } as const;
}

export const include = flag('Include', 'include');
export const includeDeleted = flag('Include Deleted', 'includeDeleted');
export const includePersonActivity = flag('Include Person Activity', 'includePersonActivity');
export const includeEmptyOnly = {
	...flag('Include Empty Only', 'includeEmptyOnly'),
	description:
		"Set this if accounts without people aren't found. Ask your service for the value, or try true.",
} as const satisfies INodeProperties;

export const flagChecks = {
	include: trimmedText,
	includeDeleted: trimmedText,
	includeEmptyOnly: trimmedText,
	includePersonActivity: trimmedText,
};

export const includeInteractions = toggleField(
	'Include Interactions',
	'includeInteractions',
	true,
	'Whether to add everything the visitor did. Takes one more request per session, shared with Add Answers.',
);

export const addAnswers = toggleField(
	'Add Answers',
	'addAnswers',
	true,
	'Whether to add what the visitor answered, with one field per question. Takes one more request per session.',
);

export const concurrency = numberField(
	'Max Concurrent Requests',
	'concurrency',
	10,
	'How many requests to send at the same time. Changes to one record still run one after another.',
	{ noDataExpression: true, typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 } },
);

export const requestsPerSecond = numberField(
	'Requests per Second',
	'requestsPerSecond',
	0,
	'Limit for all executions and polls with the same API key and the same number, e.g. 1.6 for 100 requests a minute. 0 means no limit.',
	{ noDataExpression: true, typeOptions: { minValue: 0 } },
);

export const timeout = numberField(
	'Timeout',
	'timeout',
	60000,
	'How long to wait for data from the service, in milliseconds',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

/** An entry of Options. */
export const requestLimits = <const Values extends INodeProperties[]>(values: Values) =>
	groupField('Request Limits', 'requests', 'How fast and how often to send requests', values);

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
