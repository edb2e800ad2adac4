import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process.mjs';

// A process ID may be given to somebody else; no set-up takes this long.
const staleAfterMs = 30 * 60_000;

/** Does `work` while no other process does any under the same lock file. */
export async function withLock(path, work) {
	mkdirSync(dirname(path), { recursive: true });
	let told = false;
	while (!take(path)) {
		const owner = readOwner(path);
		if (owner.gone) {
			rmSync(path, { force: true });
			continue;
		}
		if (!told)
			console.log(`Another command (process ${owner.pid}) is setting up; waiting for it …`);
		told = true;
		await sleep(300);
	}
	try {
		return await work();
	} finally {
		rmSync(path, { force: true });
	}
}

function take(path) {
	try {
		writeFileSync(path, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		return false;
	}
}

function readOwner(path) {
	try {
		const pid = Number(readFileSync(path, 'utf8'));
		const old = Date.now() - statSync(path).mtimeMs > staleAfterMs;
		// The file is empty for an instant between its creation and its first write.
		return { pid, gone: old || (pid > 0 && !isAlive(pid)) };
	} catch (error) {
		if (error.code !== 'ENOENT') throw error;
		return { pid: 0, gone: false };
	}
}
