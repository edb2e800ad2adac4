// Runs one of the project's .mts scripts, or a Node program such as jest, with Node 24 and the dependencies
// in place. It must itself run on Node 20 with nothing installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, withPath } from './setup/program.mjs';
import { installDependencies } from './setup/install.mjs';
import { provideNode } from './setup/toolchain.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [script, ...args] = process.argv.slice(2);

try {
	if (Number(process.versions.node.split('.')[0]) < 20) {
		throw new CommandError(
			`Node ${process.versions.node} is too old: install Node 20 or newer and run this again.`,
		);
	}
	await installDependencies(root);
	runScript(await provideNode(root));
} catch (error) {
	if (!(error instanceof CommandError)) throw error;
	console.error(`\n${error.message}`);
	process.exit(1);
}

function runScript(node) {
	const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...args], {
		cwd: root,
		stdio: 'inherit',
		// n8n's CLI asks this which package manager to use, and its lint passes without one.
		env: { npm_config_user_agent: 'npm', ...process.env, ...withPath(dirname(node)) },
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
