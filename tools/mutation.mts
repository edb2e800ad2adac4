import { parseArgs } from 'node:util';
import { runNode } from './command.mts';
import { atEnd, runToEnd } from './lifetime.mts';
import { CommandError } from './setup/commandError.mjs';
import { makeTemporaryFolder, removeFolder } from './temporary.mts';

const usage = `npm run mutation -- nodes/api/retry.ts            changes the file in many ways, and lists the changes no test notices
npm run mutation -- --unit nodes/api/retry.ts     runs unit tests only, which takes minutes instead of an hour`;

await runToEnd(async () => {
	const { files, unit } = readOptions();
	const folder = makeTemporaryFolder();
	atEnd(() => removeFolder(folder));
	// `stryker.config.mjs` reads both. The changed copy is outside the repository, where no other command finds it.
	process.env.MUTATION_FOLDER = folder;
	process.env.MUTATION_PROJECTS = unit ? 'unit' : 'unit,engine';
	const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js';
	const args = ['run', 'tools/stryker.config.mjs', '--mutate', files.join(',')];
	return (await runNode(stryker, ...args)) ? 0 : 1;
});

function readOptions(): { files: string[]; unit: boolean } {
	try {
		const { values, positionals } = parseArgs({
			options: { unit: { type: 'boolean', default: false } },
			allowPositionals: true,
		});
		if (positionals.length === 0) throw new Error('Name the files to change.');
		return { files: positionals, unit: values.unit };
	} catch (error) {
		throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}
