import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, pageNames, readLine } from './pages.mts';

/** The tests that the pages name: `[place](file): *title*`. */
const proofs = pageNames.flatMap((name) =>
	[...readLine(name).matchAll(/\]\((\.\.\/test\/[^)]+)\): \*([^*]+)\*/g)].map(
		([, file, title]): [string, string] => [title, join(folder, file)],
	),
);

test('finds the tests that the pages name', () => expect(proofs.length).toBeGreaterThan(80));

test.each(proofs)('the test "%s" exists', (title, file) => {
	expect(listTitles(readFileSync(file, 'utf8'))).toContain(title);
});

/** The titles of tests, blocks and table cases in a test file. */
function listTitles(source: string): string[] {
	// A string that is the first in a call or a list, on the same line or the next.
	return [...source.matchAll(/[([]\s*(['"`])((?:(?!\1|\n).)+)\1/g)].map(([, , title]) => title);
}
