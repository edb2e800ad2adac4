import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';
import { nodeVersions } from '../../compat/releases.mts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the README names the releases of n8n that are tested', () => {
	const older = Object.keys(nodeVersions).map((name) => `test/compat/${name}`);
	const tested = ['tools/n8n', ...older].map(
		(folder) => /"n8n": "(.+)"/.exec(read(`${folder}/package.json`))?.[1],
	);
	const [, section] = read('README.md').split('## Compatibility\n');
	const [named] = section.split('\n## ');
	const versions = named.match(/\d+\.\d+\.\d+/g);
	expect(versions?.sort()).toEqual(tested.sort());
});
