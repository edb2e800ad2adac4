import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../root.mts';
import { describeExit, nodeCommand, signalGroup, startChild } from '../setup/child.mjs';

export type N8nProcess = {
	pid: number;
	/** How it ended, as the rest of a sentence that starts with its name; undefined while it runs. */
	end(): string | undefined;
	/** Resolves with `end()`. */
	ended: Promise<string>;
	/** Asks it to end, and kills it if it does not in time. */
	stop(): Promise<void>;
	kill(): void;
};

const stopsWithinMs = 20_000;

/** Starts n8n as a process that ends when this one does, even if this one is killed. */
export function launchN8n(folder: string, env: NodeJS.ProcessEnv, logPath: string): N8nProcess {
	const output = openSync(logPath, 'w');
	const n8n = join(root, 'tools/n8n/node_modules/n8n/bin/n8n');
	// n8n reads a .env file in its working directory.
	const child = startChild(nodeCommand(process.execPath, n8n, 'start'), {
		cwd: folder,
		env,
		output,
	});
	closeSync(output);
	let end: string | undefined;
	const ended = new Promise<string>((resolve) => {
		child.on('error', ({ message }) => resolve((end = `did not start: ${message}`)));
		child.on('exit', (code, signal) => resolve((end = describeExit(code, signal))));
	});

	async function stop(): Promise<void> {
		child.kill('SIGTERM');
		await Promise.race([ended, sleep(stopsWithinMs, undefined, { ref: false })]);
		kill();
	}
	function kill(): void {
		signalGroup(child, 'SIGKILL');
	}
	return { pid: child.pid ?? 0, end: () => end, ended, stop, kill };
}
