import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';
import { escapeFormula } from './formula';

export interface CsvSettings {
	/** Whether the file begins with a mark by which Excel recognizes UTF-8. */
	byteOrderMark: boolean;
	/** The columns, one for each documented field. */
	fields: readonly string[];
	/** Whether a cell that a spreadsheet would run gets a quote in front of it. */
	escapeFormulas: boolean;
}

/** The last column: what a record has besides the documented fields. */
const otherFields = 'otherFields';

export function writeCsvHeader({ fields, byteOrderMark }: CsvSettings): string {
	return (byteOrderMark ? '\ufeff' : '') + stringify([[...fields, otherFields]]);
}

export function writeCsvRecords(records: IDataObject[], settings: CsvSettings): string {
	const known = new Set(settings.fields);
	return stringify(
		records.map((record) => {
			const others = Object.entries(record).filter(([name]) => !known.has(name));
			return [
				// Not what every object inherits, where a record lacks a field.
				...settings.fields.map((name) =>
					Object.hasOwn(record, name) ? writeCell(record[name], settings) : '',
				),
				others.length ? JSON.stringify(Object.fromEntries(others)) : '',
			];
		}),
	);
}

/** As text, because the library writes `false` as an empty cell. */
function writeCell(value: unknown, { escapeFormulas }: CsvSettings): string {
	if (value === undefined || value === null) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return escapeFormulas ? escapeFormula(text) : text;
}
