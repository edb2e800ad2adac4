import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import './sources.mts';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';
import { writeSandboxTypes } from './sandboxTypes.mts';

// npm run lint:fix: writes everything that a command can write.
await runToEnd(async () => {
	if (!(await writeSandboxTypes())) return 1;
	await writeGeneratedFiles();
	console.log(
		'Wrote docs/operations.md, the tables of other pages, the output previews, the descriptions and the prices in test/promises.md.',
	);
	const isLinted = await runNode('node_modules/@n8n/node-cli/bin/n8n-node.mjs', 'lint', '--fix');
	// At the end, because what was written may need it.
	const prettier = 'node_modules/prettier/bin/prettier.cjs';
	const cache = ['--cache', '--cache-location', '.cache/prettier'];
	const isFormatted = await runNode(prettier, '.', ...cache, '--write', '--log-level', 'warn');
	return isLinted && isFormatted ? 0 : 1;
});

async function writeGeneratedFiles(): Promise<void> {
	const { generateFiles, schemaFolder } = await import('./docs/generated.mts');
	const { promisesPage, writePromises } = await import('./docs/promises.mts');
	const files = [...generateFiles(), { path: promisesPage, text: writePromises() }];
	// The preview of an operation that is gone goes, too.
	rmSync(join(root, schemaFolder), { recursive: true });
	for (const { path, text } of files) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
}
