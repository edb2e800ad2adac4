import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the README names the releases of n8n that are tested', () => {
	const older = globSync('test/compat/*/package.json', { cwd: root });
	const tested = ['tools/n8n/package.json', ...older].map(
		(path) => /"n8n": "(.+)"/.exec(read(path))?.[1],
	);
	const [, section] = read('README.md').split('## Compatibility\n');
	const [named] = section.split('\n## ');
	const versions = named.match(/\d+\.\d+\.\d+/g);
	expect(versions?.sort()).toEqual(tested.sort());
});
