import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/index.mts';
import { describeCases } from '../test/engine/cases/index.mts';
import { root } from './root.mts';

/**
 * Freezes a saved node of every operation and the requests that it sends, for the version in package.json. What is
 * frozen already stays: people's workflows hold it.
 * @returns the operations that were not frozen yet
 */
export async function freezeOperations(): Promise<string[]> {
	const packageFile = readFileSync(join(root, 'package.json'), 'utf8');
	const { version } = JSON.parse(packageFile) as { version: string };
	const folder = join(root, 'test/fixtures', version, 'operations');
	mkdirSync(folder, { recursive: true });
	const sandbox = await startSandbox();
	const written = [];
	for (const { operation, parameters, items, sends } of describeCases(sandbox)) {
		const path = join(folder, `${operation}.json`);
		if (existsSync(path)) continue;
		const frozen = { parameters, items, sends };
		writeFileSync(path, `${JSON.stringify(frozen, null, '\t')}\n`);
		written.push(operation);
	}
	await sandbox.close();
	return written;
}
