import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/request';

/** The fields of a record with more than ten of them. */
export interface RecordShape {
	/** Always in the output. */
	id: string;
	/** Every documented field. */
	fields: readonly string[];
	/** In the order of the output; `from` is a path into the record, null where there is nothing. */
	simplified: ReadonlyArray<string | { name: string; from: readonly [string, string] }>;
}

export interface OutputChoice {
	simplify?: boolean;
	/** Only there in an AI tool, in place of `simplify`. */
	output?: 'simplified' | 'raw' | 'selectedFields';
	outputFields?: string[];
}

export function shapeRecord(
	record: IDataObject,
	shape: RecordShape | undefined,
	choice: OutputChoice,
): IDataObject {
	if (!shape) return record;
	const form = choice.output ?? (choice.simplify ? 'simplified' : 'raw');
	if (form === 'raw') return record;
	if (form === 'selectedFields') return pick(record, [shape.id, ...(choice.outputFields ?? [])]);
	return pick(record, shape.simplified);
}

/** A field that the record lacks is left out. */
function pick(record: IDataObject, fields: RecordShape['simplified']): IDataObject {
	const picked: IDataObject = {};
	for (const field of fields) {
		if (typeof field !== 'string') {
			const parent = record[field.from[0]];
			picked[field.name] =
				(isObject(parent) ? (parent as IDataObject)[field.from[1]] : null) ?? null;
		} else if (record[field] !== undefined) {
			picked[field] = record[field];
		}
	}
	return picked;
}

/** Adds the node's own fields without replacing one that the API sent. */
export function addFields(record: IDataObject, additions: IDataObject): IDataObject {
	const missing = Object.entries(additions).filter(([name]) => !(name in record));
	return { ...record, ...Object.fromEntries(missing) };
}
