import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { register as registerCjs } from 'tsx/cjs/api';
import { register as registerEsm } from 'tsx/esm/api';
import { startSandbox } from '../sandbox/index.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

// The nodes' sources are CommonJS without file extensions, which Node alone does not run.
registerCjs();
registerEsm();

// Freezes a saved node of every operation and the requests that it sends, for the version in package.json. What is
// frozen already stays: people's workflows hold it.
await runToEnd(async () => {
	const { describeCases } = await import('../test/engine/cases/index.mts');
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		version: string;
	};
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
	console.log(written.length ? `Frozen: ${written.join(', ')}` : 'Everything was frozen already.');
	return 0;
});
