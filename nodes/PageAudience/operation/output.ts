import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import { copyMasked } from '../../api/url';
import { pickFields, type RecordShape } from '../../records/shapes';
import type { Operation, OutputGroup } from './operation';

export interface OutputChoice {
	simplify?: boolean;
	/** Only there in an AI tool, in place of `simplify`. */
	output?: 'simplified' | 'raw' | 'selectedFields';
	outputFields?: string[];
}

/** The forms of a list that are one item with a file. */
export const fileFormats = ['csv', 'jsonl'];

/** Simplify for people. An AI tool has three forms, the smallest by default, because a model reads the whole output. */
export function outputParameters({ fields }: RecordShape, isList: boolean): INodeProperties[] {
	return [
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			// A file has every field.
			displayOptions: { hide: { '@tool': [true], ...(isList ? { outputAs: fileFormats } : {}) } },
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'simplified',
			displayOptions: { show: { '@tool': [true] } },
			description: 'How much of each record to return',
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields, as the API returns them' },
				{
					name: 'Selected Fields',
					value: 'selectedFields',
					description: 'Only the fields you choose, plus the ID',
				},
				{ name: 'Simplified', value: 'simplified', description: 'The most important fields' },
			],
		},
		{
			displayName: 'Output Fields',
			name: 'outputFields',
			type: 'multiOptions',
			default: [],
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			description:
				'Fields to return, as an array or comma-separated text. The ID is always included.',
			options: [...fields].sort().map((name) => ({ name: toTitle(name), value: name })),
		},
	];
}

/** The label of a field: "Form Submission ID" for `formSubmissionId`. */
export function toTitle(name: string): string {
	return name
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (first) => first.toUpperCase())
		.replace(/\bId\b/g, 'ID')
		.replace(/\bUrl\b/g, 'URL')
		.replace(/\bUtm\b/g, 'UTM');
}

/** The fields that were asked for. Those that the node adds are among them in every form. */
export function shapeRecord(
	record: IDataObject,
	{ shape, adds = {} }: OutputGroup = {},
	choice: OutputChoice,
): IDataObject {
	if (!shape?.simplified) return record;
	const { simplify, output, outputFields = [] } = choice;
	const added = Object.keys(adds);
	if (output === 'selectedFields') return pickFields(record, [shape.id, ...outputFields, ...added]);
	if (simplify || output === 'simplified')
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

/** Adds the node's own fields without replacing one that the API sent. */
export function addFields(record: IDataObject, added: IDataObject): IDataObject {
	const missing = Object.entries(added).filter(([name]) => !(name in record));
	return { ...record, ...Object.fromEntries(missing) };
}

/** Gives a record of an item the form that was asked for. */
export type Finisher = (record: IDataObject) => IDataObject;

/** For the records of one item: adds the node's fields, and leaves out those that nobody asked for. */
export function openFinisher(
	{ output }: Pick<Operation, 'output'>,
	values: OutputChoice,
	request: ApiRequest,
	isTool: boolean,
): Finisher {
	const added = valuesToAdd({ output }, values, request);
	return (record) => {
		const shaped = shapeRecord(addFields(record, added), output, values);
		return isTool && output?.forTools ? pickFields(shaped, output.forTools) : shaped;
	};
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
