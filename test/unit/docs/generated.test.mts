import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateFiles, schemaFolder } from '../../../tools/docs/generated.mts';
import { root } from '../../../tools/root.mts';

const files = generateFiles();

test.each(files)('$path is up to date', ({ path, text }) => {
	if (readFileSync(join(root, path), 'utf8') !== text) {
		throw new Error(`${path} is out of date: run npm run lint:fix`);
	}
});

test('every schema is that of an operation', () => {
	const schemas = files.map(({ path }) => path).filter((path) => path.startsWith(schemaFolder));
	expect(globSync(`${schemaFolder}/**/*.json`, { cwd: root }).sort()).toEqual(schemas.sort());
});
