import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../../tools/docs/document.mts';

const root = join(import.meta.dirname, '../../..');

test.each(['README.md', 'sandbox/README.md'])(
	'%s states the number of endpoints in the OpenAPI document',
	(name) => {
		const text = readFileSync(join(root, name), 'utf8');
		const stated = [...text.matchAll(/\b(\d+)\s+(?:API\s+)?(?:endpoints|operations)\b/g)];
		expect(stated.filter(([, count]) => Number(count) !== endpoints.length)).toEqual([]);
	},
);
