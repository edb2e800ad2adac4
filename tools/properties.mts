import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { timeWork } from './setup/progress.mjs';

// Plays a hundred thousand random scenarios, or PROPERTY_RUNS. PROPERTY_SEED plays a failing one again.
await runToEnd(async () => {
	process.env.PROPERTY_RUNS ??= '100000';
	const folders = ['test/engine/properties', 'test/engine/mapping', 'test/engine/sync'];
	const jest = 'node_modules/jest/bin/jest.js';
	const { result } = await timeWork(
		async () => await runNode(jest, '--selectProjects', 'unit', 'engine', '--', ...folders),
		(seconds) => console.log(`  … ${seconds} s`),
	);
	return result ? 0 : 1;
});
