import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runShown, withPath } from './child.mjs';
import { provideNode, providePnpm } from './toolchain.mjs';

/**
 * Installs what the pnpm-lock.yaml of a folder lists, unless that was done already. Writes that file where there is none.
 * The folder is the repository, or one in it that is a workspace of its own.
 */
export async function installDependencies(
	root,
	{
		folder = root,
		title = 'Installing n8n and the tools (takes a minute or more the first time)',
	} = {},
) {
	// Inside node_modules, so that it goes when they go.
	const stamp = join(folder, 'node_modules', '.installed');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === describeInstall(folder)) return;
	rmSync(stamp, { force: true });
	console.log(`${title} …`);
	const node = await provideNode(root);
	const pnpm = await providePnpm(root);
	const lock = existsSync(join(folder, 'pnpm-lock.yaml'))
		? '--frozen-lockfile'
		: '--no-frozen-lockfile';
	const options = [lock, '--prod=false', '--config.confirmModulesPurge=false'];
	await runShown([node, pnpm, 'install', '--dir', folder, ...options], {
		cwd: root,
		env: {
			...process.env,
			...withPath(dirname(node)),
			...findHeaders(node),
			npm_config_update_notifier: 'false',
			npm_config_reporter: 'append-only',
		},
		advice:
			'If the network failed, run the command again: finished downloads are kept. ' +
			'If something did not compile, install python3, make and a C++ compiler. ' +
			'Most machines need none of them, because the native parts come as binaries.',
	});
	writeFileSync(stamp, describeInstall(folder));
}

function describeInstall(folder) {
	const hash = createHash('sha256');
	for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
		const file = join(folder, name);
		if (existsSync(file)) hash.update(readFileSync(file));
	}
	return `${process.platform}-${process.arch} ${hash.digest('hex')}\n`;
}

/** Lets compilers take the headers that come with Node instead of downloading them from its web site. */
function findHeaders(node) {
	const folder = resolve(dirname(node), '..');
	const header = join(folder, 'include', 'node', 'node.h');
	return existsSync(header) ? { npm_config_nodedir: folder } : {};
}
