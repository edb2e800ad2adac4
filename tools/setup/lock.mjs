import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process.mjs';

// A process ID may belong to another process by now; no set-up takes this long.
const staleAfterMs = 30 * 60_000;
const msBetweenAttempts = 50;
const attemptsBeforeMessage = 20;

/**
 * Does `work` while no other process does any under the same lock file.
 * @template Result
 * @param {string} path
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withLock(path, work) {
	mkdirSync(dirname(path), { recursive: true });
	for (let attempt = 1; !take(path); attempt++) {
		const { pid, isGone } = readOwner(path);
		if (isGone) {
			rmSync(path, { force: true });
			continue;
		}
		if (attempt === attemptsBeforeMessage) {
			console.log(`Waiting for another command (process ${pid}) to finish …`);
		}
		await sleep(msBetweenAttempts);
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
		if (error.code === 'EEXIST') return false;
		throw error;
	}
}

function readOwner(path) {
	try {
		const pid = Number(readFileSync(path, 'utf8'));
		const isOld = Date.now() - statSync(path).mtimeMs > staleAfterMs;
		// The file is empty for an instant between its creation and its first write.
		return { pid, isGone: isOld || (pid > 0 && !isAlive(pid)) };
	} catch (error) {
		if (error.code === 'ENOENT') return { pid: 0, isGone: false };
		throw error;
	}
}
