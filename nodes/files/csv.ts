import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';
import { escapeFormula, escapeFormulaInJson } from './formula';

export interface CsvSettings {
	/** Whether the file begins with a mark by which Excel recognizes UTF-8. */
	byteOrderMark: boolean;
	/** The columns, one for each documented field. */
	fields: readonly string[];
	/** Whether a cell, or a part of one, that a spreadsheet would run gets a quote in front of it. */
	escapeFormulas: boolean;
}

/** The last column: what a record has besides the documented fields. */
const otherFields = 'otherFields';

export function writeCsvHeader({ fields, byteOrderMark }: CsvSettings): string {
	return (byteOrderMark ? '\ufeff' : '') + writeRows([[...fields, otherFields]]);
}

export function writeCsvRecords(records: IDataObject[], settings: CsvSettings): string {
	const known = new Set(settings.fields);
	return writeRows(
		records.map((record) => {
			const others = Object.entries(record).filter(([name]) => !known.has(name));
			return [
				// Not what every object inherits, where a record lacks a field.
				...settings.fields.map((name) =>
					Object.hasOwn(record, name) ? writeCell(record[name], settings) : '',
				),
				others.length ? writeCell(Object.fromEntries(others), settings) : '',
			];
		}),
	);
}

/** In quotes, whatever some spreadsheet takes for the end of a cell. */
function writeRows(rows: string[][]): string {
	return stringify(rows, { quoted_match: /[;\t|\r]/ });
}

/** As text, because the library writes `false` as an empty cell. */
function writeCell(value: unknown, { escapeFormulas }: CsvSettings): string {
	if (value === undefined || value === null) return '';
	const isJson = typeof value === 'object';
	const text = isJson ? JSON.stringify(value) : String(value);
	if (!escapeFormulas) return text;
	return isJson ? escapeFormulaInJson(text) : escapeFormula(text);
}
