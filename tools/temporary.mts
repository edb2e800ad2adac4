import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './lifetime.mts';

/** A new empty folder, until this process ends. Removes folders that killed processes left behind. */
export function makeTemporaryFolder(): string {
	for (const name of readdirSync(tmpdir())) {
		const pid = /^page-audience-(\d+)-/.exec(name)?.[1];
		if (pid && !isAlive(Number(pid))) removeFolder(join(tmpdir(), name));
	}
	const folder = mkdtempSync(join(tmpdir(), `page-audience-${process.pid}-`));
	atEnd(() => removeFolder(folder));
	return folder;
}

export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Another user's process.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
