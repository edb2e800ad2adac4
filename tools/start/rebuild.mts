import { watch } from 'node:fs';
import { join } from 'node:path';
import { packPackage, sourceFolders, unpackOver } from '../package.mts';
import { root } from '../root.mts';
import { CommandError } from '../setup/program.mjs';

// Editors write a file in several steps, and a branch changes many at once.
const quietMs = 200;

/** Packs the package again when its source changes, and unpacks it into `folder`, where n8n sees that. */
export function rebuildOnChange(folder: string): void {
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();
	const rebuildSoon = (): void => {
		clearTimeout(timer);
		timer = setTimeout(() => (last = last.then(async () => await rebuild(folder))), quietMs);
	};
	for (const each of sourceFolders) watch(join(root, each), { recursive: true }, rebuildSoon);
}

async function rebuild(folder: string): Promise<void> {
	try {
		unpackOver((await packPackage()).tarball, folder);
		console.log('n8n has the changed package. Reload the editor if it shows the old one.');
	} catch (error) {
		console.error(error instanceof CommandError ? error.message : error);
	}
}
