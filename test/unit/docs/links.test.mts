import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { slug } from '../../../tools/docs/markdown.mts';
import { pageNames } from './pages.mts';

const root = join(import.meta.dirname, '../../..');

const pages = [
	'README.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'bench/README.md',
	'examples/README.md',
	'nodes/README.md',
	'sandbox/README.md',
	'test/promises.md',
	...pageNames.map((name) => `docs/${name}`),
];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const links = pages.flatMap((page) =>
	[...read(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]): [string, string] => [
		page,
		link,
	]),
);

test.each(links)('the link in %s to %s works', (page, link) => {
	const [path, anchor] = link.split('#');
	const target = path === '' ? page : relative('.', join(dirname(page), path));
	expect(existsSync(join(root, target))).toBe(true);
	if (anchor === undefined) return;
	const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading));
	expect(headings).toContain(anchor);
});

test('every picture is on a page, and is taken by a test in the editor', () => {
	const pictures = readdirSync(join(root, 'docs/images'));
	const shown = links.flatMap(([, link]) => (link.includes('images/') ? [basename(link)] : []));
	expect([...new Set(shown)].sort()).toEqual(pictures.sort());
	const tests = globSync('test/browser/*.test.mts', { cwd: root }).map(read).join('\n');
	for (const picture of pictures)
		expect(tests).toMatch(new RegExp(`photograph\\('${basename(picture, '.png')}(?:-1)?'`));
});
