import type { IDataObject } from 'n8n-workflow';
import { type CsvSettings, writeCsvHeader, writeCsvRecords } from './csv';

const formats = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	jsonl: { extension: 'jsonl', mimeType: 'application/x-ndjson' },
};

export type FileFormat = keyof typeof formats;

export interface FileSettings extends CsvSettings {
	format: FileFormat;
	/** Without its ending. */
	name: string;
}

/**
 * A list as one file. Each page becomes bytes as it comes, which take a fraction of the memory of its records. The file
 * exists when the whole list was read, so that nobody takes half a list for all of it.
 */
export class ListFile {
	records = 0;

	readonly fileName: string;

	readonly mimeType: string;

	private readonly pages: Buffer[] = [];

	private readonly settings: FileSettings;

	constructor(settings: FileSettings) {
		const { extension, mimeType } = formats[settings.format];
		this.settings = settings;
		this.fileName = `${settings.name}.${extension}`;
		this.mimeType = mimeType;
		if (settings.format === 'csv') this.pages.push(Buffer.from(writeCsvHeader(settings)));
	}

	add(records: IDataObject[]): void {
		this.records += records.length;
		const text =
			this.settings.format === 'csv'
				? writeCsvRecords(records, this.settings)
				: records.map((record) => `${JSON.stringify(record)}\n`).join('');
		this.pages.push(Buffer.from(text));
	}

	/** The file's bytes. Nothing can be added any more. */
	close(): Buffer {
		return Buffer.concat(this.pages.splice(0));
	}
}
