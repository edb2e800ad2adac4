import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeExit, signalGroup, startChild } from './child.mjs';
import { CommandError } from './commandError.mjs';
import { showStep } from './progress.mjs';

const shownLogLines = 25;
const shownLineLength = 100;

/**
 * Runs a command with its output in a log file, and shows that it lives.
 * Throws a CommandError with the end of the log and `advice` if the command fails.
 */
export async function runLoggedCommand({ root, name, title, commandLine, env, advice }) {
	const folder = join(root, '.cache', 'log');
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `${name}.log`);
	await showStep(
		title,
		async () => {
			const failure = await run(commandLine, { cwd: root, env, path });
			if (!failure) return;
			throw new CommandError(
				`${title}: ${name} ${failure}.\n\n${readLastLines(path, shownLogLines)}\n\nFull log: ${path}\n${advice}`,
			);
		},
		() => 'done',
		() => readLastLines(path, 1).slice(0, shownLineLength),
	);
}

/** Returns what went wrong, if anything did. Passes signals on and throws, but only when the command has ended. */
async function run(commandLine, { cwd, env, path }) {
	const output = openSync(path, 'w');
	const child = startChild(commandLine, { cwd, env, output });
	closeSync(output);
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	let stoppedBy;
	const stop = (signal) => {
		// Whoever presses Ctrl+C again does not want to wait.
		signalGroup(child, stoppedBy ? 'SIGKILL' : signal);
		stoppedBy = signal;
	};
	for (const signal of signals) process.on(signal, stop);
	try {
		return await new Promise((resolve, reject) => {
			child.on('error', ({ message }) => resolve(`did not start: ${message}`));
			child.on('exit', (code, signal) => {
				if (stoppedBy) reject(new CommandError(`Stopped by ${stoppedBy}.`));
				resolve(code === 0 ? undefined : describeExit(code, signal));
			});
		});
	} finally {
		for (const signal of signals) process.off(signal, stop);
	}
}

function readLastLines(path, count) {
	return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
