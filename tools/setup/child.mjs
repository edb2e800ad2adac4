import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { CommandError } from './commandError.mjs';

const endWithParent = new URL('../end-with-parent.mjs', import.meta.url).href;
const windows = process.platform === 'win32';

/** The command line of a Node program that ends when this process does, even if this process is killed. */
export const nodeCommand = (node, ...programAndArgs) => [
	node,
	'--import',
	endWithParent,
	...programAndArgs,
];

/** The command line of npm: of the npm that runs this process, if one does. */
export function npmCommand(...args) {
	const running = process.env.npm_execpath ?? '';
	if (running.endsWith('npm-cli.js')) return [process.execPath, running, ...args];
	// Node does not start npm.cmd without a shell.
	return [...(windows ? ['cmd.exe', '/d', '/s', '/c', 'npm'] : ['npm']), ...args];
}

/** The environment's PATH with one more folder in front, under the name this platform gives it. */
export function withPath(folder) {
	const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
	return { [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) };
}

/** Starts a command as a process group of its own. The terminal's Ctrl+C does not reach it: pass signals on. */
export function startChild([command = '', ...args], { cwd, env, output }) {
	const child = spawn(command, args, {
		cwd,
		env,
		// The system closes the channel when this process is gone, which is what `end-with-parent` waits for.
		stdio: ['ignore', output, output, 'ipc'],
		detached: !windows,
	});
	child.channel?.unref();
	return child;
}

/** Runs a command in the terminal's process group with its output shown. Throws a CommandError with `advice` if it fails. */
export async function runShown([command = '', ...args], { cwd, env = process.env, advice }) {
	const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
	const failure = await new Promise((resolve) => {
		child.on('error', ({ message }) => resolve(`did not start: ${message}`));
		child.on('exit', (code, signal) => resolve(code === 0 ? '' : describeExit(code, signal)));
	});
	if (failure) throw new CommandError(`${[command, ...args].join(' ')} ${failure}.\n${advice}`);
}

/** Signals a child and everything it started. */
export function signalGroup(child, signal) {
	if (!child.pid) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The group is gone, or this is Windows, which has none.
		child.kill(signal);
	}
}

/** How a process ended, as the rest of a sentence that starts with its name. */
export const describeExit = (code, signal) =>
	signal ? `was ended by ${signal}` : `exited with code ${code}`;
