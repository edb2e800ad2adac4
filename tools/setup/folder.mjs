import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';

/**
 * Makes a folder, unless that was done already. It has its name only when it is complete: `fill` gets another one to fill.
 * The folders beside each other are filled one at a time.
 * @param {string} folder
 * @param {(partial: string) => Promise<void>} fill
 * @returns {Promise<boolean>} whether it was filled now
 */
export async function provideFolder(folder, fill) {
	return await withLock(join(dirname(folder), '.lock'), async () => {
		if (existsSync(folder)) return false;
		const partial = `${folder}.partial`;
		rmSync(partial, { recursive: true, force: true, maxRetries: 5 });
		mkdirSync(partial, { recursive: true });
		await fill(partial);
		renameSync(partial, folder);
		return true;
	});
}
