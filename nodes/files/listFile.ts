import { stringify } from 'csv-stringify/sync';
import type { IDataObject } from 'n8n-workflow';

const mimeTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

/** All but the first are of a CSV file. */
export interface FormatSettings {
	format: keyof typeof mimeTypes;
	delimiter?: string;
	/** Whether it begins with a mark by which Excel recognizes UTF-8. */
	byteOrderMark?: boolean;
	/** Whether a cell that a spreadsheet would run gets a quote in front of it. */
	escapeFormulas?: boolean;
}

export interface FileSettings extends FormatSettings {
	/** Without its ending. */
	name: string;
	/** The columns of a CSV file, one for each documented or chosen field. */
	fields: readonly string[];
	/** Whether a last column has what a record has besides. */
	hasOthers: boolean;
}

/**
 * A list as one file. Each page becomes bytes as it comes, which take a fraction of the memory of its records. The file
 * exists when the whole list was read, so that nobody takes half a list for all of it.
 */
export function openListFile(settings: FileSettings) {
	const { format, name, fields, hasOthers, byteOrderMark } = settings;
	const pages: Buffer[] = [];
	if (format === 'csv') {
		const header = writeRows([[...fields, ...(hasOthers ? ['otherFields'] : [])]], settings);
		pages.push(Buffer.from((byteOrderMark ? '\ufeff' : '') + header));
	}
	return {
		fileName: `${name}.${format}`,
		mimeType: mimeTypes[format],
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

function writeRecords(records: IDataObject[], settings: FileSettings): string {
	const rows = records.map((record) => {
		const others = { ...record };
		for (const name of settings.fields) delete others[name];
		const cells = settings.fields.map((name) => record[name]);
		if (!settings.hasOthers) return cells;
		return [...cells, Object.keys(others).length === 0 ? null : others];
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
