import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { atEnd } from './lifetime.mts';
import { root } from './root.mts';

export type CommandResult = { code: number; output: string };

const endsWithinMs = 15_000;

/** Runs an npm script of package.json. `show` lets its output through instead of collecting it. */
export async function runScript(name: string, show = false): Promise<CommandResult> {
	return await runNpm(['run', '--silent', name], show);
}

export async function runNpm(args: string[], show = false): Promise<CommandResult> {
	const running = process.env.npm_execpath ?? '';
	if (running.endsWith('npm-cli.js')) return await run(process.execPath, [running, ...args], show);
	return await run('npm', args, show);
}

/** Runs a Node program that ends when this process does. */
export async function runNode(
	program: string,
	args: string[],
	show = false,
): Promise<CommandResult> {
	const endWithParent = pathToFileURL(join(root, 'tools/end-with-parent.mjs')).href;
	return await run(process.execPath, ['--import', endWithParent, program, ...args], show);
}

async function run(command: string, args: string[], show: boolean): Promise<CommandResult> {
	return await new Promise((resolve, reject) => {
		const output = show ? 'inherit' : 'pipe';
		const windows = process.platform === 'win32';
		const child = spawn(command, args, {
			cwd: root,
			stdio: ['ignore', output, output, 'ipc'],
			shell: windows && command === 'npm',
			// Its own group, so that what it starts can be ended with it.
			detached: !windows,
		});
		child.channel?.unref();
		const closed = once(child, 'close').catch(() => {});
		const forget = atEnd(async () => {
			signalGroup(child.pid, 'SIGTERM');
			await Promise.race([closed, sleep(endsWithinMs, undefined, { ref: false })]);
			signalGroup(child.pid, 'SIGKILL');
		});
		let collected = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (data: Buffer) => (collected += data.toString()));
		}
		child.on('error', reject);
		child.on('close', (code) => {
			forget();
			resolve({ code: code ?? 1, output: collected });
		});
	});
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (!pid) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// It has ended.
	}
}
