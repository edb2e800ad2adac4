import type { IDataObject } from 'n8n-workflow';
import { pickFields, type RecordShape } from '../../records/shape';

export interface OutputChoice {
	simplify?: boolean;
	/** Only there in an AI tool, in place of `simplify`. */
	output?: 'simplified' | 'raw' | 'selectedFields';
	outputFields?: string[];
}

/** @param added fields that were asked for besides, in every form of output */
export function shapeRecord(
	record: IDataObject,
	shape: RecordShape | undefined,
	choice: OutputChoice,
	added: readonly string[] = [],
): IDataObject {
	if (!shape?.simplified) return record;
	const form = choice.output ?? (choice.simplify ? 'simplified' : 'raw');
	if (form === 'raw') return record;
	if (form === 'selectedFields')
		return pickFields(record, [shape.id, ...(choice.outputFields ?? []), ...added]);
	return pickFields(record, [...shape.simplified, ...added]);
}

/** Adds the node's own fields without replacing one that the API sent. */
export function addFields(record: IDataObject, additions: IDataObject): IDataObject {
	const missing = Object.entries(additions).filter(([name]) => !(name in record));
	return { ...record, ...Object.fromEntries(missing) };
}
