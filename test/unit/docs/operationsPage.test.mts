import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOperationsPage } from './operationsPage.mts';

const file = join(import.meta.dirname, '../../../docs/operations.md');

/** `UPDATE_DOCS=1 npm run unit -- operationsPage` writes the page anew. */
const update = process.env.UPDATE_DOCS === '1';

test('operations.md matches the node and the OpenAPI document', () => {
	const page = writeOperationsPage();
	if (update) writeFileSync(file, page);
	expect(readFileSync(file, 'utf8')).toBe(page);
});
