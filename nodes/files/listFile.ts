import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';

const formats = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	jsonl: { extension: 'jsonl', mimeType: 'application/x-ndjson' },
};

export type FileFormat = keyof typeof formats;

export interface FileSettings {
	format: FileFormat;
	/** Without its ending. */
	name: string;
	/** The columns of a CSV file, one for each documented field. */
	fields: readonly string[];
	delimiter: string;
	/** Whether a CSV file begins with a mark by which Excel recognizes UTF-8. */
	byteOrderMark: boolean;
	/** Whether a cell that a spreadsheet would run gets a quote in front of it. */
	escapeFormulas: boolean;
}

/**
 * A list as one file. Each page becomes bytes as it comes, which take a fraction of the memory of its records. The file
 * exists when the whole list was read, so that nobody takes half a list for all of it.
 */
export function openListFile(settings: FileSettings) {
	const { format, name, fields, byteOrderMark } = settings;
	const { extension, mimeType } = formats[format];
	const pages: Buffer[] = [];
	if (format === 'csv') {
		const header = writeRows([[...fields, otherFields]], settings);
		pages.push(Buffer.from((byteOrderMark ? '\ufeff' : '') + header));
	}
	return {
		fileName: `${name}.${extension}`,
		mimeType,
		add: (records: IDataObject[]): void => {
			const text =
				format === 'csv'
					? writeRecords(records, settings)
					: records.map((record) => `${JSON.stringify(record)}\n`).join('');
			pages.push(Buffer.from(text));
		},
		/** The file's bytes. Nothing can be added any more. */
		close: (): Buffer => Buffer.concat(pages.splice(0)),
	};
}

/** The last column: what a record has besides the documented fields. */
const otherFields = 'otherFields';

function writeRecords(records: IDataObject[], settings: FileSettings): string {
	const rows = records.map((record) => {
		const others = { ...record };
		for (const name of settings.fields) delete others[name];
		const isComplete = Object.keys(others).length === 0;
		return [...settings.fields.map((name) => record[name]), isComplete ? null : others];
	});
	return writeRows(rows, settings);
}

function writeRows(rows: unknown[][], { delimiter, escapeFormulas }: FileSettings): string {
	// A spreadsheet that separates columns with semicolons reads 9.1 as a day in January.
	const number = (value: number) =>
		delimiter === ';' ? String(value).replace('.', ',') : String(value);
	const cast = { boolean: String, number };
	return stringify(rows, { delimiter, escape_formulas: escapeFormulas, cast });
}
