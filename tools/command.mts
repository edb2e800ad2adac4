import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { atEnd } from './lifetime.mts';
import { root } from './root.mts';
import { npmCommand, runProgram } from './setup/program.mjs';

/** Runs npm and returns its standard output. Throws a CommandError with all output if npm fails. */
export const runNpm = async (...args: string[]): Promise<string> =>
	await runProgram(npmCommand(...args), { cwd: root });

/** Runs a Node program of this repository with its output shown. Returns whether it succeeded. */
export async function runNode(...programAndArgs: string[]): Promise<boolean> {
	const child = spawn(process.execPath, programAndArgs, { cwd: root, stdio: 'inherit' });
	return await succeeds(child);
}

/** The same, but returns the output, to be shown later. */
export async function runToReport(
	niceness: number,
	...programAndArgs: string[]
): Promise<{ succeeded: boolean; output: string }> {
	const child = spawn(process.execPath, programAndArgs, { cwd: root });
	if (child.pid) setPriority(child.pid, Math.max(niceness, getPriority()));
	const [succeeded, ...output] = await Promise.all([
		succeeds(child),
		text(child.stdout),
		text(child.stderr),
	]);
	return { succeeded, output: output.join('') };
}

async function succeeds(child: ChildProcess): Promise<boolean> {
	const exited = once(child, 'exit');
	const forget = atEnd(async () => {
		child.kill();
		await exited;
	});
	const [code] = (await exited) as [number | null];
	forget();
	return code === 0;
}
