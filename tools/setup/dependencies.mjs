import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { withLock } from './lock.mjs';
import { npmInstall } from './npm.mjs';
import { pathStartingWith } from './process.mjs';
import { runStep } from './step.mjs';

/** Installs what pnpm-lock.yaml lists, unless that was done already. */
export async function installDependencies(root, node) {
	const wanted = describeInstall(root);
	// Inside node_modules, so that it goes when they go.
	const stamp = join(root, 'node_modules', '.installed');
	if (isInstalled(root, stamp, wanted)) return;
	await withLock(join(root, '.cache', 'setup.lock'), async () => {
		if (isInstalled(root, stamp, wanted)) return;
		const pnpm = await providePnpm(root);
		rmSync(stamp, { force: true });
		await runStep({
			root,
			name: 'install',
			title: 'Installing n8n and the tools (the first time about a minute)',
			command: node,
			args: [
				pnpm,
				'install',
				'--frozen-lockfile',
				'--prod=false',
				'--config.confirmModulesPurge=false',
			],
			env: {
				...process.env,
				...pathStartingWith(dirname(node)),
				...headersOf(node),
				npm_config_update_notifier: 'false',
			},
			advice:
				'If it is the network, run the command again: what was downloaded is kept. ' +
				'If something could not be compiled, install python3, make and a C++ compiler: ' +
				'most machines need none, because the native parts come as binaries.',
		});
		writeFileSync(stamp, wanted);
	});
}

function describeInstall(root) {
	const hash = createHash('sha256');
	for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml'])
		hash.update(readFileSync(join(root, file)));
	return `${process.platform}-${process.arch} ${hash.digest('hex')}\n`;
}

function isInstalled(root, stamp, wanted) {
	const n8n = join(root, 'tools', 'n8n', 'node_modules', 'n8n', 'package.json');
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(n8n);
}

async function providePnpm(root) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const name = packageManager.replace('@', '-');
	const folder = join(root, '.cache', name);
	const script = join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
	if (existsSync(script)) return script;
	const partial = `${folder}.partial`;
	rmSync(partial, { recursive: true, force: true });
	mkdirSync(partial, { recursive: true });
	await npmInstall({
		root,
		folder: partial,
		name,
		title: `Installing ${packageManager}`,
		spec: packageManager,
		advice: "Check the network and npm's registry setting, then try again.",
	});
	rmSync(folder, { recursive: true, force: true });
	renameSync(partial, folder);
	return script;
}

/** Where something must be compiled after all, the headers come with Node instead of from its web site. */
function headersOf(node) {
	const folder = resolve(dirname(node), '..');
	return existsSync(join(folder, 'include', 'node', 'node.h'))
		? { npm_config_nodedir: folder }
		: {};
}
