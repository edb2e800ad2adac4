import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceOperationsTable } from './operationsTable.mts';

const file = join(import.meta.dirname, '../../../README.md');

/** `UPDATE_DOCS=1 npm run unit -- readme` writes the table again. */
const update = process.env.UPDATE_DOCS === '1';

test('the README lists the operations of the node', () => {
	const readme = readFileSync(file, 'utf8');
	const expected = replaceOperationsTable(readme);
	if (update) writeFileSync(file, expected);
	else expect(readme).toBe(expected);
});
