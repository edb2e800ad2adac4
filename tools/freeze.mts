import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { startSandbox } from '../sandbox/index.mts';
import { describeCases } from '../test/engine/cases/index.mts';
import { root } from './root.mts';

/**
 * Freezes a saved node of every operation that no version has frozen, and the requests that it sends, for the version in
 * package.json. What is frozen already stays: people's workflows hold it.
 * @returns the operations that were not frozen yet
 */
export async function freezeOperations(): Promise<string[]> {
	const packageFile = readFileSync(join(root, 'package.json'), 'utf8');
	const { version } = JSON.parse(packageFile) as { version: string };
	const fixtures = join(root, 'test/fixtures');
	const folder = join(fixtures, version, 'operations');
	const frozen = new Set(
		globSync('*/operations/*.json', { cwd: fixtures }).map((path) => basename(path, '.json')),
	);
	const sandbox = await startSandbox();
	const written = [];
	for (const { operation, parameters, items, sends } of describeCases(sandbox)) {
		if (frozen.has(operation)) continue;
		const content = JSON.stringify({ parameters, items, sends }, null, '\t');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, `${operation}.json`), `${content}\n`);
		written.push(operation);
	}
	await sandbox.close();
	return written;
}
