import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';

/** Puts the files of a tarball made by `npm pack` into a folder, in place of whatever is there. */
export function unpackInto(tarball: string, folder: string): void {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
}
