import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { register as registerCjs } from 'tsx/cjs/api';
import { register as registerEsm } from 'tsx/esm/api';
import { root } from '../root.mts';

// The nodes' sources are CommonJS without file extensions, which Node alone does not run.
registerCjs();
registerEsm();
const { descriptionsPath, generateFiles, schemaFolder } = await import('./generated.mts');

const files = generateFiles();
rmSync(join(root, schemaFolder), { recursive: true });
for (const { path, text } of files) {
	mkdirSync(dirname(join(root, path)), { recursive: true });
	writeFileSync(join(root, path), text);
}
console.log(
	`Wrote docs/operations.md, the table in README.md, the chart and the members in CONTRIBUTING.md, ${descriptionsPath} and ${schemaFolder}`,
);
