import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeComparison, descriptionPath } from '../openapi/description.mts';

const folder = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(folder, 'not-documented.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What'));

/** The tests that a row names: `[place](file): *title*`. */
const proofs = rows.flatMap((row) =>
	[...row.matchAll(/\]\((\.\.\/test\/[^)]+)\): \*([^*]+)\*/g)].map(([, file, title]) => ({
		file: join(folder, file),
		title,
	})),
);

test('each row has what is open, what the nodes do, and the test that shows it or why there is none', () => {
	expect(rows.length).toBeGreaterThan(60);
	for (const row of rows) {
		const cells = row.split(' | ');
		expect([row, cells.length]).toEqual([row, 3]);
		expect(cells[2]).toMatch(/^(\[[^\]]+\]\([^)]+\): \*[^*]+\*(; )?)+ \|$|^no test: .+ \|$/);
	}
});

test.each(proofs.map(({ file, title }) => [title, file]))('there is a test "%s"', (title, file) => {
	expect(existsSync(file)).toBe(true);
	expect(listTitles(readFileSync(file, 'utf8'))).toContain(title);
});

/** What a test file calls its tests, its blocks of tests, and the cases of its tables. */
function listTitles(source: string): string[] {
	// A text that begins a call or a list, on its line or on the next.
	return [...source.matchAll(/[([]\s*(['"`])((?:(?!\1|\n).)+)\1/g)].map(([, , title]) => title);
}

/** Words of the document that a row begins with: “…”. */
const quotes = [...rows.join('\n').matchAll(/“([^”]+)”/g)].map(([, quote]) => quote);

describeComparison('what the description marks as open', () => {
	// 'not shown' in quotation marks is what the marks are called.
	const text = readFileSync(descriptionPath, 'utf8').replaceAll("'not shown'", '');
	const marked = text
		.split('\n')
		.flatMap((line) => line.split(/(?<=\.)\s+/))
		.filter((sentence) => /not (shown|stated|marked)|documentation slip/.test(sentence));

	test('there are as many places as are known', () => expect(marked).toHaveLength(34));

	test.each(marked)('%s', (sentence) => {
		expect(quotes.filter((quote) => sentence.includes(quote))).not.toEqual([]);
	});

	test.each(quotes)('“%s” is still open there', (quote) => {
		expect(marked.filter((sentence) => sentence.includes(quote))).not.toEqual([]);
	});
});
