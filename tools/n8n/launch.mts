import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../root.mts';

export type N8nProcess = {
	pid: number;
	/** How it ended; undefined while it runs. */
	end(): string | undefined;
	/** Resolves with how it ended. */
	ended: Promise<string>;
	/** Asks it to end, and ends it if it does not in time. */
	stop(): Promise<void>;
	kill(): void;
};

const stopsWithinMs = 20_000;

/** Starts n8n as a process of its own that ends when this one does, however that happens. */
export function launchN8n(folder: string, env: NodeJS.ProcessEnv, logPath: string): N8nProcess {
	const output = openSync(logPath, 'w');
	const endWithParent = pathToFileURL(join(root, 'tools/end-with-parent.mjs')).href;
	const n8n = join(root, 'tools/n8n/node_modules/n8n/bin/n8n');
	const child = spawn(process.execPath, ['--import', endWithParent, n8n, 'start'], {
		// n8n reads a .env file in its working directory.
		cwd: folder,
		env,
		stdio: ['ignore', output, output, 'ipc'],
		// Its own group, so that Ctrl+C leaves it to `stop`, and so that its task runner goes with it.
		detached: true,
	});
	closeSync(output);
	child.channel?.unref();
	let end: string | undefined;
	const ended = new Promise<string>((resolve) => {
		child.on('error', ({ message }) => resolve((end = message)));
		child.on('exit', (code, signal) => resolve((end = signal ?? `exit code ${code}`)));
	});

	async function stop(): Promise<void> {
		child.kill('SIGTERM');
		await Promise.race([ended, sleep(stopsWithinMs, undefined, { ref: false })]);
		kill();
	}
	function kill(): void {
		if (!child.pid) return;
		try {
			process.kill(-child.pid, 'SIGKILL');
		} catch {
			child.kill('SIGKILL');
		}
	}
	return { pid: child.pid ?? 0, end: () => end, ended, stop, kill };
}
