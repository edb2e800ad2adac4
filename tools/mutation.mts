import { join } from 'node:path';
import { runNode } from './command.mts';
import { runToEnd } from './lifetime.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';

const usage = `npm run mutation -- nodes/api/retry.ts     changes the file in many ways, and lists the changes no test notices`;

await runToEnd(async () => {
	const files = process.argv.slice(2);
	if (files.length === 0) throw new CommandError(`Name the files to change.\n\n${usage}`);
	const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const args = ['run', 'tools/stryker.config.mjs', '--mutate', files.join(',')];
	return (await runNode(stryker, ...args)) ? 0 : 1;
});
