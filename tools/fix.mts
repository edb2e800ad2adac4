import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { register as registerCjs } from 'tsx/cjs/api';
import { register as registerEsm } from 'tsx/esm/api';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

// The nodes' sources are CommonJS without file extensions, which Node alone does not run.
registerCjs();
registerEsm();

// Writes all that a command can write. Formatting comes first, because the fixtures and the pages are written as they
// should be, and the pages are no input of anything else.
await runToEnd(async () => {
	const prettier = 'node_modules/prettier/bin/prettier.cjs';
	const cache = ['--cache', '--cache-location', '.cache/prettier'];
	if (!(await runNode(prettier, '.', ...cache, '--write', '--log-level', 'warn'))) return 1;
	await writeGeneratedFiles();
	const { freezeOperations } = await import('./freeze.mts');
	const frozen = await freezeOperations();
	console.log(
		[
			'Formatted all files.',
			'Wrote docs/operations.md, the table in README.md, the output previews and the descriptions.',
			frozen.length ? `Froze ${frozen.join(', ')}.` : 'Every operation has a fixture already.',
		].join('\n'),
	);
	return 0;
});

async function writeGeneratedFiles(): Promise<void> {
	const { generateFiles, schemaFolder } = await import('./docs/generated.mts');
	const files = generateFiles();
	// The preview of an operation that is gone goes, too.
	rmSync(join(root, schemaFolder), { recursive: true });
	for (const { path, text } of files) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
}
