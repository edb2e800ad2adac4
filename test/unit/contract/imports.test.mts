import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../tools/root.mts';

/** What each file that ships imports, types included. */
const imports = new Map(
	globSync('{nodes,credentials}/**/*.ts', { cwd: root }).map((file) => {
		const found = readFileSync(join(root, file), 'utf8').matchAll(/from '(\..*?)'/g);
		return [file, [...found].map(([, path = '']) => `${join(dirname(file), path)}.ts`)];
	}),
);

test('no files import each other in a circle, types included', () => {
	const imported = [...imports.values()].flat();
	expect(imported.filter((file) => !imports.has(file))).toEqual([]);
	// A file of a circle imports another one of it, and is imported by another one. Others are removed until none is left.
	const left = new Map(imports);
	for (let size = Infinity; left.size < size; ) {
		size = left.size;
		for (const [file, others] of left) {
			const isImported = [...left.values()].some((each) => each.includes(file));
			if (!isImported || !others.some((other) => left.has(other))) left.delete(file);
		}
	}
	expect([...left.keys()]).toEqual([]);
});
