import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { choiceField, toggleField } from '../../parameters/fields';
import {
	describeSimplified,
	listFieldOptions,
	pickFields,
	type RecordShape,
} from '../../records/shapes';
import { copyMasked } from '../../webhooks/triggerUrl';

/** A field of the output, as JSON Schema describes it. */
interface FieldSchema {
	type: string | string[];
	items?: FieldSchema;
	properties?: Record<string, FieldSchema>;
}

/** A field that the node adds to each record. It never replaces one of the API's, and Simplify keeps it. */
export interface AddedField<V = object> extends FieldSchema {
	/** For the documentation: the label of the parameter that it takes. Without one, every record has it. */
	requires?: string;
	/** Its value, if all records of an item have the same. undefined adds nothing. */
	value?(values: V, request: ApiRequest): string | boolean | undefined;
}

export interface OutputGroup<V = object> {
	/** The record's fields. With `simplified`, the operation offers Simplify. */
	shape?: RecordShape;
	/** The fields that the node adds, with their types. Simplify keeps them. */
	adds?: Record<string, AddedField<V>>;
	/** For the documentation: `adds` has all fields, because the output is not a record of the API. */
	isOwn?: boolean;
	/** The fields that a model gets, because it reads the whole output. By default all. */
	forTools?: readonly string[];
}

export interface OutputChoice {
	simplify?: boolean;
	/** Only there in an AI tool, in place of `simplify`. */
	output?: 'simplified' | 'raw' | 'selectedFields';
	outputFields?: string[];
	options?: {
		/** Not there in an AI tool. */
		outputFields?: string[];
	};
}

/** Beats Simplify, and makes the columns of a file. A model has Output in its place. */
export function outputFields(shape: RecordShape) {
	return {
		displayName: 'Output Fields',
		name: 'outputFields',
		type: 'multiOptions',
		default: [],
		displayOptions: { hide: { '@tool': [true] } },
		description: 'Fields to output in place of the simplified ones. The ID is always included.',
		options: listFieldOptions(shape),
	} as const satisfies INodeProperties;
}

/** Simplify for people. An AI tool has three forms, the smallest by default, because a model reads the whole output. */
export function outputParameters(shape: RecordShape): INodeProperties[] {
	const simplified = `Returns ${describeSimplified(shape)}.`;
	return [
		toggleField(
			'Simplify',
			'simplify',
			true,
			'Whether to return a simplified version of the response instead of the raw data',
			{
				builderHint: { propertyHint: `${simplified} For other fields, set it to false.` },
				displayOptions: { hide: { '@tool': [true] } },
			},
		),
		choiceField(
			'Output',
			'output',
			'How much of each record to return',
			{
				simplified: ['Simplified', 'The most important fields', simplified],
				raw: ['Raw', 'All fields, as the API returns them'],
				selectedFields: ['Selected Fields', 'Only the fields you choose, plus the ID'],
			},
			{ displayOptions: { show: { '@tool': [true] } } },
		),
		{
			...outputFields(shape),
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			description:
				'Fields to return, as an array or comma-separated text. The ID is always included.',
		},
	];
}

/** The fields that a person or a model has chosen; undefined if none. */
export function listChosen({ output, outputFields: forModel, options }: OutputChoice) {
	if (output === 'selectedFields') return forModel ?? [];
	return options?.outputFields?.length ? options.outputFields : undefined;
}

/** The fields that were asked for, and always those that the node adds. */
export function shapeRecord(
	record: IDataObject,
	{ shape, adds = {}, forTools }: OutputGroup = {},
	choice: OutputChoice,
	isTool = false,
): IDataObject {
	if (isTool && forTools) return pickFields(record, forTools);
	if (!shape) return record;
	const { simplify, output } = choice;
	const added = Object.keys(adds);
	const chosen = listChosen(choice);
	if (chosen) return pickFields(record, [shape.id, ...chosen, ...added]);
	if (shape.simplified && (simplify || output === 'simplified'))
		return pickFields(record, [...shape.simplified, ...added]);
	return record;
}

export function valuesToAdd(
	{ output }: { output?: OutputGroup },
	values: object,
	request: ApiRequest,
): IDataObject {
	const found = Object.entries(output?.adds ?? {}).map(([name, { value }]) => [
		name,
		value?.(values, request),
	]);
	return Object.fromEntries(found.filter(([, each]) => each !== undefined)) as IDataObject;
}

/** What a dry run outputs in place of sending a request. `null` where nothing would be sent. */
export function previewRequest(request: ApiRequest | undefined): IDataObject {
	if (!request) return { dryRun: true, request: null };
	const { method, path, query = {}, body } = request;
	return {
		dryRun: true,
		request: {
			method,
			path: `/v0${path}`,
			query,
			body: body === undefined ? null : copyMasked(body),
		},
	};
}
