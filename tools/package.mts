import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	globSync,
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
import { CommandError } from './setup/program.mjs';
import { provideFolder } from './setup/toolchain.mjs';

export const sourceFolders = ['nodes', 'credentials', 'icons'];
/** Everything that decides what is in the tarball. The lock file is here because dependencies are bundled. */
const sources = [
	...sourceFolders.map((folder) => `${folder}/**`),
	...['package.json', 'pnpm-lock.yaml', 'tsconfig.json', 'tsup.config.ts', 'gulpfile.js'],
	...['tools/build.mts', 'tools/notices.mts', 'README.md', 'CHANGELOG.md', 'LICENSE'],
];
const name = 'n8n-nodes-page-audience.tgz';

/** Builds and packs the package, unless this source was packed before. Returns the tarball's path. */
export async function packPackage(): Promise<{ tarball: string }> {
	const hash = hashSources();
	const folder = join(root, '.cache/package', hash);
	await provideFolder(folder, async (partial) => {
		await runNpm('run', '--silent', 'build');
		await runNpm('pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', partial);
		const packed = readdirSync(partial).find((each) => each.endsWith('.tgz'));
		if (!packed) throw new CommandError(`npm pack left no tarball in ${partial}`);
		if (hashSources() !== hash) {
			throw new CommandError('The source changed while it was packed: pack it again');
		}
		renameSync(join(partial, packed), join(partial, name));
	});
	return { tarball: join(folder, name) };
}

/** Replaces a folder with the files of a tarball made by `npm pack`. */
export function unpackInto(tarball: string, folder: string): void {
	rmSync(folder, { recursive: true, force: true });
	unpackOver(tarball, folder);
}

/** Unpacks a tarball over the files of a folder. Whoever watches the folder would lose sight of a new one. */
export function unpackOver(tarball: string, folder: string): void {
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
}

function hashSources(): string {
	const hash = createHash('sha256');
	for (const path of globSync(sources, { cwd: root }).sort()) {
		const file = join(root, path);
		if (statSync(file).isFile()) hash.update(`${path}\0`).update(readFileSync(file));
	}
	return hash.digest('hex').slice(0, 16);
}
