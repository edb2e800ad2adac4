import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, signalGroup, startChild } from './setup/child.mjs';

export type RunningProcess = {
	pid: number;
	/** Everything it has logged so far. */
	log(): string;
	/** How it ended, as the rest of a sentence that starts with its name; undefined while it runs. */
	end(): string | undefined;
	/** Resolves with `end()`. */
	ended: Promise<string>;
	/** Asks it to end, and kills it if it does not in time. */
	stop(): Promise<void>;
	/** Ends it at once, like a crash, with everything that it started. */
	kill(): void;
};

const stopsWithinMs = 20_000;

/** Starts a command that runs until it is stopped, as a process group of its own, with its output in a file. */
export function launch(
	commandLine: string[],
	{ cwd, env, logPath }: { cwd: string; env: NodeJS.ProcessEnv; logPath: string },
): RunningProcess {
	const output = openSync(logPath, 'w');
	const child = startChild(commandLine, { cwd, env, output });
	closeSync(output);
	let end: string | undefined;
	const ended = new Promise<string>((resolve) => {
		child.on('error', ({ message }) => resolve((end = `did not start: ${message}`)));
		child.on('exit', (code, signal) => resolve((end = describeExit(code, signal))));
	});

	let lastLog = '';
	function log(): string {
		// The folder may be gone.
		if (existsSync(logPath)) lastLog = readFileSync(logPath, 'utf8');
		return lastLog;
	}
	async function stop(): Promise<void> {
		child.kill('SIGTERM');
		await Promise.race([ended, sleep(stopsWithinMs, undefined, { ref: false })]);
		kill();
		log();
	}
	function kill(): void {
		signalGroup(child, 'SIGKILL');
	}
	return { pid: child.pid ?? 0, log, end: () => end, ended, stop, kill };
}

/** Waits until `isReady`. Throws with the end of the log if the process ends before, or takes too long. */
export async function waitUntilReady(
	name: string,
	{ end, log }: Pick<RunningProcess, 'end' | 'log'>,
	isReady: () => Promise<boolean> | boolean,
	withinMs: number,
): Promise<void> {
	const deadline = Date.now() + withinMs;
	while (!(await isReady())) {
		const ended = end();
		if (ended || Date.now() > deadline) {
			const what = ended ?? `was not ready within ${withinMs / 1000} s`;
			throw new Error(`${name} ${what}. The end of its log:\n${log().slice(-shownLogCharacters)}`);
		}
		await sleep(100);
	}
}

const shownLogCharacters = 3_000;
