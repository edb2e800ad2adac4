import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/request';

/** The fields of one kind of record. */
export interface RecordShape {
	/** Always in the output. */
	id: string;
	/** Every documented field. */
	fields: readonly string[];
	/** For a record with more than ten fields. In the order of the output. */
	simplified?: readonly Field[];
}

/** A field by its name, or by its path into the record; null where there is nothing at the path. */
type Field = string | { name: string; from: readonly [string, string] };

/** A field that the record lacks is left out. */
export function pickFields(record: IDataObject, fields: readonly Field[]): IDataObject {
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
