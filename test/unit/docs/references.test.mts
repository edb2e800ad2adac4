import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from '../../../tools/docs/markdown.mts';
import { folder, pageNames, readLine, readPage } from './pages.mts';

/** The tests that the pages name: `[place](file): *title*`. */
const proofs = pageNames.flatMap((name) =>
	[...readLine(name).matchAll(/\]\((\.\.\/test\/[^)]+)\): \*([^*]+)\*/g)].map(
		([, file, title]): [string, string] => [title, join(folder, file)],
	),
);

test('the pages name tests', () => expect(proofs.length).toBeGreaterThan(80));

test.each(proofs)('there is a test "%s"', (title, file) => {
	expect(listTitles(readFileSync(file, 'utf8'))).toContain(title);
});

/** What a test file calls its tests, its blocks of tests, and the cases of its tables. */
function listTitles(source: string): string[] {
	// A text that begins a call or a list, on its line or on the next.
	return [...source.matchAll(/[([]\s*(['"`])((?:(?!\1|\n).)+)\1/g)].map(([, , title]) => title);
}

const links = pageNames.flatMap((name) =>
	[...readLine(name).matchAll(/\]\(([^)]+)\)/g)].map(([, link]): [string, string] => [name, link]),
);

test.each(links)('%s: %s leads somewhere', (name, link) => {
	const [path, anchor] = link.split('#');
	const target = path === '' ? name : path;
	expect(existsSync(join(folder, target))).toBe(true);
	if (anchor === undefined) return;
	const headings = [...readPage(target).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		slug(heading),
	);
	expect(headings).toContain(anchor);
});
