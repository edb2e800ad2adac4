import { runStep } from './step.mjs';

/** Installs one package into a folder of its own with the npm at hand. */
export async function npmInstall({ root, folder, name, title, spec, advice }) {
	const args = [
		'install',
		spec,
		'--prefix',
		folder,
		'--no-save',
		'--no-package-lock',
		'--ignore-scripts',
	];
	const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
	const { command, before } = findNpm();
	await runStep({
		root,
		name,
		title,
		command,
		args: [...before, ...args, ...quiet],
		env: process.env,
		advice,
	});
}

function findNpm() {
	// Under `npm start` this is npm's own script; other package managers name themselves here.
	const running = process.env.npm_execpath ?? '';
	if (running.endsWith('npm-cli.js')) return { command: process.execPath, before: [running] };
	if (process.platform !== 'win32') return { command: 'npm', before: [] };
	return { command: 'cmd.exe', before: ['/d', '/s', '/c', 'npm'] };
}
