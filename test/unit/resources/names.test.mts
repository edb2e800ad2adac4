import { join } from 'node:path';
import type { Operation } from '../../../nodes/PageAudience/operation/operation.ts';
import { resources } from '../../../nodes/PageAudience/resources/index.ts';

const folder = join(import.meta.dirname, '../../../nodes/PageAudience/resources');

test.each(resources)(
	'$option.value has a file of its own, with its operations by their names',
	async (resource) => {
		const { option, operations } = resource;
		const module = (await import(join(folder, `${option.value}.ts`))) as Record<string, unknown>;
		const { [option.value]: exported, ...others } = module;
		expect(exported).toBe(resource);
		for (const [name, operation] of Object.entries(others)) {
			expect((operation as Operation).option.value).toBe(name);
			expect(operations).toContain(operation);
		}
	},
);
