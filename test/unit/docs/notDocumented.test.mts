import { readPage } from './pages.mts';

const page = readPage('not-documented.md');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What'));

test('each row has what is open, what the nodes do, and a test or the reason for none', () => {
	expect(rows.length).toBeGreaterThan(60);
	for (const row of rows) {
		const cells = row.split(' | ');
		expect([row, cells.length]).toEqual([row, 3]);
		expect(cells[2]).toMatch(/^(\[[^\]]+\]\([^)]+\): \*[^*]+\*(; )?)+ \|$|^no test: .+ \|$/);
	}
});

test('no row appears twice', () => {
	const open = rows.map((row) => row.split(' | ')[0]);
	expect(open).toEqual([...new Set(open)]);
});
