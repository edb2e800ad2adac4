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
import { runNpm } from './command.mts';
import { root } from './root.mts';
import { CommandError } from './setup/commandError.mjs';
import { withLock } from './setup/lock.mjs';

/** Everything that decides what is in the tarball. The lock file is here because dependencies are bundled. */
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

/** Builds and packs the package, unless this source was packed before. Returns the tarball's path. */
export async function packPackage(): Promise<{ tarball: string; fresh: boolean }> {
	const folder = join(root, '.cache/package', hashSources());
	const tarball = join(folder, 'n8n-nodes-page-audience.tgz');
	// Two builds at once would write the same dist.
	return await withLock(join(root, '.cache/package.lock'), async () => {
		if (existsSync(tarball)) return { tarball, fresh: false };
		mkdirSync(folder, { recursive: true });
		rmSync(join(root, 'dist'), { recursive: true, force: true });
		await runNpm('run', '--silent', 'build');
		await runNpm('pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder);
		const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'));
		if (!packed) throw new CommandError(`npm pack left no tarball in ${folder}`);
		renameSync(join(folder, packed), tarball);
		return { tarball, fresh: true };
	});
}

/** Replaces a folder with the files of a tarball made by `npm pack`. */
export function unpackInto(tarball: string, folder: string): void {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
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
