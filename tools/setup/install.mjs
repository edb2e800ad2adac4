import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runProgram, withPath } from './program.mjs';
import { provideNode, providePnpm } from './toolchain.mjs';

const manifests = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/**
 * Installs what the package.json of a folder asks for, unless that was done already: the repository's own, or that of a
 * folder in it. Each has its own node_modules, so that one can be installed while another is in use.
 */
export async function installDependencies(root, folder = root) {
	// Inside node_modules, so that it goes when they go.
	const stamp = join(folder, 'node_modules', '.installed');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === describeInstall(folder)) return;
	rmSync(stamp, { force: true });
	console.log(`Installing the packages of ${relative(root, folder) || 'this repository'} …`);
	const node = await provideNode(root);
	const pnpm = await providePnpm(root);
	const isLocked = existsSync(join(folder, 'pnpm-lock.yaml'));
	const lock = isLocked ? '--frozen-lockfile' : '--no-lockfile';
	const options = ['--prod=false', '--config.confirmModulesPurge=false', '--reporter=append-only'];
	await runProgram([node, pnpm, 'install', '--dir', folder, lock, ...options], {
		cwd: root,
		env: { ...process.env, ...withPath(dirname(node)) },
		advice: 'If the network failed, run the command again: finished downloads are kept.',
	});
	writeFileSync(stamp, describeInstall(folder));
}

function describeInstall(folder) {
	const hash = createHash('sha256');
	for (const file of manifests.map((name) => join(folder, name)))
		if (existsSync(file)) hash.update(readFileSync(file));
	return `${process.platform}-${process.arch} ${hash.digest('hex')}\n`;
}
