import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './lifetime.mts';

type Program = {
	name: string;
	commandLine: string[];
	env: NodeJS.ProcessEnv;
	/** Where it runs and keeps its log. */
	folder: string;
	/** What asks it to end. Default SIGTERM. */
	stopSignal?: NodeJS.Signals;
	/** The user it runs as, if not this one. */
	user?: { uid: number; gid: number };
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
	const { name, commandLine, env, folder, stopSignal, user, isReady } = program;
	const logPath = join(folder, `${name}.log`);
	const output = openSync(logPath, 'w');
	const [command, ...args] = commandLine;
	// A process group of its own, to be killed with what it starts. Windows has none.
	const detached = process.platform !== 'win32';
	const options = { cwd: folder, env, detached, ...user };
	const child = spawn(command, args, { ...options, stdio: ['ignore', output, output] });
	closeSync(output);
	let end: string | undefined;
	const ended = new Promise<string>((resolve) => {
		child.on('error', ({ message }) => resolve((end = `did not start: ${message}`)));
		child.on('exit', (code, signal) => {
			resolve((end = signal ? `was ended by ${signal}` : `exited with code ${code}`));
		});
	});

	let lastLog = '';
	function log(): string {
		// The folder may be gone.
		if (existsSync(logPath)) lastLog = readFileSync(logPath, 'utf8');
		return lastLog;
	}
	function kill(): void {
		forget();
		killGroup(child);
	}
	async function stop(): Promise<void> {
		child.kill(stopSignal);
		await Promise.race([ended, sleep(stopsWithinMs, undefined, { ref: false })]);
		kill();
		log();
	}
	const forget = atEnd(stop);

	const deadline = Date.now() + readyWithinMs;
	while (!(await isReady(log()))) {
		if (end !== undefined || Date.now() > deadline) {
			await stop();
			const shown = log().slice(-shownLogCharacters);
			throw new Error(`${name} ${end ?? 'is not ready'}. The end of its log:\n${shown}`);
		}
		await sleep(100);
	}
	return { log, ended, stop, kill };
}

function killGroup(child: ChildProcess): void {
	try {
		process.kill(-child.pid!, 'SIGKILL');
	} catch {
		// It is gone, or there are no groups.
		child.kill('SIGKILL');
	}
}
