import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOperationsTable } from './operationsTable.mts';

const file = join(import.meta.dirname, '../../../README.md');
const between = /(?<=<!-- operations: .+ -->\n\n)[^]*(?=\n\n<!-- operations end -->)/;

/** `UPDATE_DOCS=1 npm run unit -- readme` writes the table again. */
const update = process.env.UPDATE_DOCS === '1';

test('the README lists the operations of the node', () => {
	const table = writeOperationsTable();
	if (update)
		writeFileSync(
			file,
			readFileSync(file, 'utf8').replace(between, () => table),
		);
	expect(between.exec(readFileSync(file, 'utf8'))?.[0]).toBe(table);
});
