import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { previews } from './outputSchemas.mts';

const folder = join(import.meta.dirname, '../../../nodes/PageAudience/__schema__/v1.0.0');

/** `UPDATE_SCHEMAS=1 npm run unit -- outputSchemas` writes the files anew from the OpenAPI document. */
const update = process.env.UPDATE_SCHEMAS === '1';

test.each(previews.map(({ name, preview }) => [name, preview]))(
	'the output preview of %s matches the OpenAPI document',
	(name, preview) => {
		const file = join(folder, `${name.replace('.', '/')}.json`);
		if (update) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${JSON.stringify(preview, null, '\t')}\n`);
		}
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(preview);
	},
);
