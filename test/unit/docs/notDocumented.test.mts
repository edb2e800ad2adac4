import { readFileSync } from 'node:fs';
import { describeComparison, descriptionPath } from '../openapi/description.mts';
import { readPage } from './pages.mts';

const page = readPage('not-documented.md');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What'));

test('each row has what is open, what the nodes do, and the test that shows it or why there is none', () => {
	expect(rows.length).toBeGreaterThan(60);
	for (const row of rows) {
		const cells = row.split(' | ');
		expect([row, cells.length]).toEqual([row, 3]);
		expect(cells[2]).toMatch(/^(\[[^\]]+\]\([^)]+\): \*[^*]+\*(; )?)+ \|$|^no test: .+ \|$/);
	}
});

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
