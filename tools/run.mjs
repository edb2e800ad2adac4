// Runs one of the project's .mts scripts with everything it needs: Node 24, pnpm and the dependencies.
// It must itself run on Node 20 with nothing installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './setup/dependencies.mjs';
import { provideNode } from './setup/node.mjs';
import { SetupError } from './setup/step.mjs';
import { pathStartingWith, stopWithNpm } from './setup/process.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [script, ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < 20) {
	console.error(
		`Node ${process.versions.node} is too old: install Node 20 or newer and run this again.`,
	);
	process.exit(1);
}
if (!script) {
	console.error('Usage: node tools/run.mjs <script.mts> [arguments]');
	process.exit(1);
}

stopWithNpm();
try {
	const node = await provideNode(root);
	await installDependencies(root, node);
	runScript(node);
} catch (error) {
	if (!(error instanceof SetupError)) throw error;
	console.error(`\n${error.message}`);
	process.exit(1);
}

function runScript(node) {
	// The channel tells the script when this process is gone, even if it was killed without warning.
	const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, ...args], {
		cwd: root,
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
		env: { ...process.env, ...pathStartingWith(dirname(node)) },
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	child.on('error', (error) => {
		console.error(`${node} could not be started: ${error.message}`);
		process.exit(1);
	});
	child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
