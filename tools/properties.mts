import { join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';

const secondsBetweenSigns = 60;

/** Plays a hundred thousand random scenarios, or PROPERTY_RUNS; PROPERTY_SEED brings a failing one again. */
await runToEnd(async () => {
	process.env.PROPERTY_RUNS ??= '100000';
	const started = Date.now();
	const signs = setInterval(
		() => console.log(`… ${Math.round((Date.now() - started) / 60_000)} min`),
		secondsBetweenSigns * 1000,
	);
	const jest = join(root, 'node_modules/jest/bin/jest.js');
	const args = ['--selectProjects', 'engine', '--', 'test/engine/properties'];
	const { code } = await runNode(jest, args, true);
	clearInterval(signs);
	return code;
});
