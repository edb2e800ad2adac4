import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/root.mts';
import { releases } from '../../compat/releases.mts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the README names the releases of n8n that are tested', () => {
	const manifest = JSON.parse(read('tools/n8n/package.json')) as { dependencies: { n8n: string } };
	const older = Object.values(releases).map(({ version }) => version);
	const [, section] = read('README.md').split('## Compatibility\n');
	const [named] = section.split('\n## ');
	const versions = named.match(/\d+\.\d+\.\d+/g);
	expect(versions?.sort()).toEqual([manifest.dependencies.n8n, ...older].sort());
});
