import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './lifetime.mts';
import { describeExit, signalGroup, startChild } from './setup/child.mjs';

type Program = {
	name: string;
	commandLine: string[];
	env: NodeJS.ProcessEnv;
	/** Where it runs and keeps its log. */
	folder: string;
	isReady(log: string): Promise<boolean> | boolean;
};

export type RunningProgram = {
	/** Everything it has logged so far. */
	log(): string;
	/** Resolves with how it ended, as the rest of a sentence that starts with its name. */
	ended: Promise<string>;
	/** Asks it to end, and kills it if it does not in time. */
	stop(): Promise<void>;
	/** Ends it at once, like a crash, with everything that it started. */
	kill(): void;
};

const readyWithinMs = 180_000;
const stopsWithinMs = 20_000;
const shownLogCharacters = 3_000;

/**
 * Starts a program that runs until it is stopped, at the latest when this process ends, and waits until it is ready.
 * Throws with the end of its log if it ends before, or takes too long.
 */
export async function launch(program: Program): Promise<RunningProgram> {
	const { name, commandLine, env, folder, isReady } = program;
	const logPath = join(folder, `${name}.log`);
	const output = openSync(logPath, 'w');
	const child = startChild(commandLine, { cwd: folder, env, output });
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
	function kill(): void {
		forget();
		signalGroup(child, 'SIGKILL');
	}
	async function stop(): Promise<void> {
		child.kill('SIGTERM');
		await Promise.race([ended, sleep(stopsWithinMs, undefined, { ref: false })]);
		kill();
		log();
	}
	const forget = atEnd(stop);

	const deadline = Date.now() + readyWithinMs;
	while (!(await isReady(log()))) {
		if (end !== undefined || Date.now() > deadline) {
			await stop();
			const reason = end ?? 'is not ready';
			throw new Error(
				`${name} ${reason}. The end of its log:\n${log().slice(-shownLogCharacters)}`,
			);
		}
		await sleep(100);
	}
	return { log, ended, stop, kill };
}
