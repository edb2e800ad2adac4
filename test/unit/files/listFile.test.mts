import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { type FileSettings, openListFile } from '../../../nodes/files/listFile.ts';
import { generated } from '../../generated.mts';

const fields = ['personId', 'name', 'isActive', 'tags', 'address'];

const csv: FileSettings = {
	format: 'csv',
	name: 'persons',
	fields,
	delimiter: ',',
	byteOrderMark: false,
	escapeFormulas: true,
	hasOthers: true,
};

function writeFile(pages: IDataObject[][], more: Partial<FileSettings> = {}): string {
	const file = openListFile({ ...csv, ...more });
	for (const page of pages) file.add(page);
	return file.close().toString();
}

function parseCsv(text: string, delimiter = ','): string[][] {
	expect(text).toMatch(/\n$/);
	return parse(text, { delimiter, recordDelimiter: '\n' });
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
	const records = [{ personId: 'p1', address: -7, plan: 'gold', otherFields: '=1' }];
	const [, row] = parseCsv(writeFile([records]));
	expect(row).toEqual(['p1', '', '', '', '-7', '{"plan":"gold","otherFields":"=1"}']);
});

test('a list without records is a file with a header, or an empty one', () => {
	expect(writeFile([[]])).toBe('personId,name,isActive,tags,address,otherFields\n');
	expect(writeFile([[]], { format: 'jsonl' })).toBe('');
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

test.each([
	['=1+1', "'=1+1"],
	['=HYPERLINK("https://example.com","Invoice")', `'=HYPERLINK("https://example.com","Invoice")`],
	["+cmd|'/C calc'!A0", "'+cmd|'/C calc'!A0"],
	['@SUM(1,2)', "'@SUM(1,2)"],
	['\t=1', "'\t=1"],
	['＝1+1', "'＝1+1"],
	['- call back on Monday', "'- call back on Monday"],
	['-5', "'-5"],
	['+1-555-0100', "'+1-555-0100"],
	['Meier & Söhne', 'Meier & Söhne'],
])('writes the cell %j as %j', (name, cell) => {
	expect(parseCsv(writeFile([[{ name }]]))[1][1]).toBe(cell);
	expect(parseCsv(writeFile([[{ name }]], { escapeFormulas: false }))[1][1]).toBe(name);
});

test.each([',', ';', '\t'])('separates columns with %j alone', (delimiter) => {
	const record = { personId: '=2', name: 'a,b;c\td', tags: ['x', 'y'], address: '+1-555-0100' };
	const text = writeFile([[record]], { delimiter });
	expect(text).toContain(['personId', 'name', 'isActive'].join(delimiter));
	expect(text).toContain('"a,b;c\td"');
	const row = ["'=2", 'a,b;c\td', '', '["x","y"]', "'+1-555-0100", ''];
	expect(parseCsv(text, delimiter)[1]).toEqual(row);
});

test.each([
	[';', ['9,1', '-0,5', '1e+21', '7', '9.1', '[9.1]']],
	[',', ['9.1', '-0.5', '1e+21', '7', '9.1', '[9.1]']],
	['\t', ['9.1', '-0.5', '1e+21', '7', '9.1', '[9.1]']],
])('decimals have a comma where columns have semicolons between them: %j', (delimiter, cells) => {
	const records = [9.1, -0.5, 1e21, 7, '9.1', [9.1]].map((address) => ({ personId: 'p', address }));
	const [, ...rows] = parseCsv(writeFile([records], { delimiter }), delimiter);
	expect(rows.map((row) => row[4])).toEqual(cells);
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
