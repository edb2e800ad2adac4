import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/**
 * Makes a folder, unless that was done already. It has its name only when it is complete: `fill` gets another one to fill.
 * @param {string} folder
 * @param {(partial: string) => Promise<void>} fill
 */
export async function provideFolder(folder, fill) {
	if (existsSync(folder)) return;
	// Of this process alone, so that two commands at once do not fill the same one.
	const partial = `${folder}.${process.pid}`;
	mkdirSync(partial, { recursive: true });
	try {
		await fill(partial);
		// The other command may have been first.
		if (!existsSync(folder)) renameSync(partial, folder);
	} finally {
		rmSync(partial, { recursive: true, force: true, maxRetries: 5 });
	}
}
