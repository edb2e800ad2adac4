import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';
import { releases } from '../../compat/releases.mts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the changelog begins with the version of the package, which publishing looks for', () => {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const headings = read('CHANGELOG.md').match(/^## .*$/gm) ?? [];
	expect(headings[0]).toMatch(/^## \[[^\]]+\] - (Unreleased|\d{4}-\d\d-\d\d)$/);
	expect(headings[0]).toContain(`## [${version}] - `);
	for (const heading of headings.slice(1)) {
		expect(heading).toMatch(/ - (\d{4}-\d\d-\d\d|Not published)$/);
	}
});

test('the README names the releases of n8n that are tested', () => {
	const manifest = JSON.parse(read('tools/n8n/package.json')) as { dependencies: { n8n: string } };
	const tested = [
		manifest.dependencies.n8n,
		...Object.values(releases).map(({ version }) => version),
	];
	const [, section] = read('README.md').split('## Compatibility\n');
	const [named] = section.split('\n## ');
	expect(named.match(/\d+\.\d+\.\d+/g)?.sort()).toEqual(tested.sort());
});
