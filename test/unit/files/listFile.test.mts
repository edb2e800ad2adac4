import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import Papa from 'papaparse';
import { type FileSettings, ListFile } from '../../../nodes/files/listFile.ts';
import { generated } from '../../generated.mts';

const fields = ['personId', 'name', 'isActive', 'tags', 'address'];

const csv: FileSettings = {
	format: 'csv',
	name: 'persons',
	fields,
	byteOrderMark: false,
	escapeFormulas: true,
};

function writeFile(pages: IDataObject[][], more: Partial<FileSettings> = {}): string {
	const file = new ListFile({ ...csv, ...more });
	for (const page of pages) file.add(page);
	expect(file.records).toBe(pages.flat().length);
	return file.close().toString();
}

function parseCsv(text: string): string[][] {
	const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', newline: '\n' });
	expect(errors).toEqual([]);
	// The line break at the end of the file.
	expect(data.pop()).toEqual(['']);
	return data;
}

test('writes one header, words for booleans, JSON for what is nested, and nothing for null', () => {
	const text = writeFile([
		[{ personId: 'p1', name: 'Ada, "the first"', isActive: true, tags: ['a', 'b'], address: null }],
		[{ personId: 'p2', name: 'line\nbreak', isActive: false, tags: [], address: { city: 'Köln' } }],
		[],
	]);
	expect(text).toBe(
		[
			'personId,name,isActive,tags,address,otherFields',
			'p1,"Ada, ""the first""",true,"[""a"",""b""]",,',
			'p2,"line\nbreak",false,[],"{""city"":""Köln""}",',
			'',
		].join('\n'),
	);
});

test('keeps what is not documented in one column', () => {
	const text = writeFile([
		[{ personId: 'p1', plan: 'gold', otherFields: '=1' }, { name: 'No ID' }],
	]);
	expect(parseCsv(text)).toEqual([
		[...fields, 'otherFields'],
		['p1', '', '', '', '', '{"plan":"gold","otherFields":"=1"}'],
		['', 'No ID', '', '', '', ''],
	]);
});

test('writes nothing that every object inherits', () => {
	const text = writeFile([[{ personId: 'p1' }]], { fields: ['personId', 'constructor'] });
	expect(parseCsv(text)[1]).toEqual(['p1', '', '']);
});

test('makes formulas harmless unless that is turned off', () => {
	const records = [{ personId: '=1+1', name: '-5', tags: '+4930123456', address: -7 }];
	expect(parseCsv(writeFile([records]))[1].slice(0, 5)).toEqual([
		"'=1+1",
		'-5',
		'',
		'+4930123456',
		'-7',
	]);
	expect(parseCsv(writeFile([records], { escapeFormulas: false }))[1][0]).toBe('=1+1');
});

test('a list without records is a file with a header, or an empty one', () => {
	expect(writeFile([[]])).toBe('personId,name,isActive,tags,address,otherFields\n');
	expect(writeFile([[]], { format: 'jsonl' })).toBe('');
});

test('names the file by its format', () => {
	const { fileName, mimeType } = new ListFile(csv);
	expect({ fileName, mimeType }).toEqual({ fileName: 'persons.csv', mimeType: 'text/csv' });
	expect(new ListFile({ ...csv, format: 'jsonl' })).toMatchObject({
		fileName: 'persons.jsonl',
		mimeType: 'application/x-ndjson',
	});
});

test('begins a CSV file with a byte order mark where that is wanted', () => {
	const marked = writeFile([[{ personId: 'p1' }]], { byteOrderMark: true });
	expect(marked).toBe(`\ufeff${writeFile([[{ personId: 'p1' }]])}`);
	expect(writeFile([[{}]], { format: 'jsonl', byteOrderMark: true })).toBe('{}\n');
});

const text = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: fc.constantFrom(...'=+-@,;"\'\n\r\t 1a\u2028ü😀') }),
	fc.constantFrom('+49 30 123456', '-5', '=1+1', 'false', 'null'),
);
const value = fc.oneof(
	text,
	fc.boolean(),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
	fc.constant(null),
	fc.array(text, { maxLength: 3 }),
	fc.dictionary(text, text, { maxKeys: 3 }),
);
const record = fc.dictionary(fc.oneof(fc.constantFrom(...fields), text), value, { maxKeys: 8 });
const pages = fc.array(fc.array(record, { maxLength: 4 }), { maxLength: 4 });

test('a CSV file holds every value of every record', () => {
	fc.assert(
		fc.property(pages, fc.boolean(), (lists, escapeFormulas) => {
			const [header, ...rows] = parseCsv(writeFile(lists, { escapeFormulas }));
			const records = lists.flat();
			expect(header).toEqual([...fields, 'otherFields']);
			expect(rows).toHaveLength(records.length);
			for (const [index, row] of rows.entries()) {
				const given = { ...records[index] };
				for (const [column, name] of fields.entries()) {
					const wanted = given[name] ?? '';
					const plain = typeof wanted === 'object' ? JSON.stringify(wanted) : String(wanted);
					if (!escapeFormulas) expect(row[column]).toBe(plain);
					else if (typeof wanted === 'object') expect(JSON.parse(row[column])).toEqual(wanted);
					else expect(row[column].replaceAll("'", '')).toBe(plain.replaceAll("'", ''));
					delete given[name];
				}
				const others = row[fields.length];
				expect(others === '' ? {} : JSON.parse(others)).toEqual(given);
			}
		}),
		generated(100),
	);
});

/**
 * Whether a spreadsheet would run a cell. No formula has a text, a semicolon or a bar behind a number, because nothing
 * joins them.
 */
function isFormula(cell: string): boolean {
	const [, number, next] = /^[\s\p{C}"]*(?=[=+\-@])([^";|]*)(?:"")*(.?)/su.exec(cell) ?? [];
	if (number === undefined || !/[\p{L}\d]/u.test(cell)) return false;
	// Signs alone compute nothing, but join what is behind a quote.
	if (!/[\p{L}\d]/u.test(number)) return next === '"';
	return /[\p{L}&|!<>*^$:]/u.test(number.replace(/(x|ext\.?|ext=|e[+-]?)(?=\s?\d)/gi, ''));
}

test('a spreadsheet finds no formula in a CSV file, whatever it takes for the end of a cell', () => {
	const evil = fc.string({ unit: fc.constantFrom(...'=+-@;|\t\n\r,"\' 1A&('), maxLength: 12 });
	const cells = fc.oneof(evil, fc.array(evil, { maxLength: 2 }), fc.dictionary(evil, evil));
	const rows = fc.record(
		{ personId: fc.constant('p1'), name: cells, isActive: cells, other: cells },
		{ requiredKeys: ['personId'] },
	);
	fc.assert(
		fc.property(fc.array(rows, { minLength: 1, maxLength: 3 }), (records) => {
			const file = writeFile([records]);
			// A quote that is part of the text makes it a text.
			for (const cell of parseCsv(file).flat())
				expect([cell].filter((each) => !/^[\s\p{C}]*"/u.test(each) && isFormula(each))).toEqual([]);
			for (const end of [';', '\t', '|'])
				for (const cell of file.split(/[\r\n]/).flatMap((line) => line.split(end)))
					expect([cell].filter(isFormula)).toEqual([]);
		}),
		generated(1_000),
	);
});

test('quotes what holds a separator of another kind of file', () => {
	const texts = ['a;b', 'a\tb', 'a|b', 'a\rb'];
	for (const text of texts) expect(writeFile([[{ personId: text }]])).toContain(`\n"${text}",`);
});

test('a JSON Lines file holds every record as it was sent', () => {
	fc.assert(
		fc.property(pages, (lists) => {
			const lines = writeFile(lists, { format: 'jsonl' }).split('\n');
			expect(lines.pop()).toBe('');
			expect(lines.map((line) => JSON.parse(line) as object)).toEqual(lists.flat());
		}),
		generated(100),
	);
});
