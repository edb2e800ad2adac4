import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Operation } from '../../../nodes/PageAudience/operation/operation.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

const folder = join(import.meta.dirname, '../../../nodes/PageAudience/resources');
const files = globSync('*/*.operation.ts', { cwd: folder }).map((file) => ({
	file,
	resource: dirname(file),
	name: basename(file, '.operation.ts'),
}));

test.each(files)('$file exports the operation of its name', async ({ file, resource, name }) => {
	const exported = (await import(join(folder, file))) as Record<string, Operation>;
	expect(Object.keys(exported)).toEqual([name]);
	expect(exported[name].option.value).toBe(name);
	const { operations } = resources.find(({ option }) => option.value === resource) ?? {};
	expect(operations).toContain(exported[name]);
});

test('every operation has a file of its own', () => {
	const operations = resources.flatMap(({ option, operations: own }) =>
		own.map((operation) => `${option.value}/${operation.option.value}`),
	);
	expect(files.map(({ resource, name }) => `${resource}/${name}`).sort()).toEqual(
		operations.sort(),
	);
});
