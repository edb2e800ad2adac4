import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { join } from 'node:path';
import { runNpm, runScript, type CommandResult } from './command.mts';
import { Failure } from './lifetime.mts';
import { root } from './root.mts';
import { withLock } from './setup/lock.mjs';

/** What the tarball is made of; the lock file because dependencies are bundled into it. */
const sources = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'pnpm-lock.yaml',
	'tsconfig.json',
	'tsup.config.ts',
	'gulpfile.js',
	'README.md',
	'CHANGELOG.md',
	'LICENSE',
];

/** Builds and packs the package unless this very source was packed before. Returns the tarball's path. */
export async function packPackage(): Promise<{ tarball: string; fresh: boolean }> {
	const folder = join(root, '.cache/package', hashSources());
	const tarball = join(folder, 'n8n-nodes-page-audience.tgz');
	if (existsSync(tarball)) return { tarball, fresh: false };
	// Two builds at once would write the same dist.
	return await withLock(join(root, '.cache/package.lock'), async () => {
		if (existsSync(tarball)) return { tarball, fresh: false };
		mkdirSync(folder, { recursive: true });
		rmSync(join(root, 'dist'), { recursive: true, force: true });
		requireSuccess('npm run build', await runScript('build'));
		requireSuccess(
			'npm pack',
			await runNpm(['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]),
		);
		const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
		if (!packed) throw new Failure(`npm pack left no tarball in ${folder}`);
		renameSync(join(folder, packed), tarball);
		return { tarball, fresh: true };
	});
}

/** Puts the files of a tarball made by `npm pack` into a folder, in place of whatever is there. */
export function unpackInto(tarball: string, folder: string): void {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
}

function requireSuccess(what: string, { code, output }: CommandResult): void {
	if (code !== 0) throw new Failure(`${what} ended with exit code ${code}:\n\n${output.trimEnd()}`);
}

function hashSources(): string {
	const hash = createHash('sha256');
	for (const path of sources.flatMap(listFiles)) {
		hash.update(`${path}\0`).update(readFileSync(join(root, path)));
	}
	return hash.digest('hex').slice(0, 16);
}

function listFiles(path: string): string[] {
	const absolute = join(root, path);
	if (!existsSync(absolute)) return [];
	if (statSync(absolute).isFile()) return [path];
	return readdirSync(absolute)
		.sort()
		.flatMap((name) => listFiles(`${path}/${name}`));
}
