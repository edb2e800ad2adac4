import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { atEnd } from './lifetime.mts';
import { root } from './root.mts';
import { npmCommand, runProgram } from './setup/program.mjs';
import { providePackage } from './setup/toolchain.mjs';

/** Runs npm and returns its standard output. Throws a CommandError with all output if npm fails. */
export const runNpm = async (...args: string[]): Promise<string> =>
	await runProgram(npmCommand(...args), { cwd: root });

/** Runs a Node program of this repository with its output shown. Returns whether it succeeded. */
export const runNode = async (...programAndArgs: string[]): Promise<boolean> =>
	await succeeds(spawn(process.execPath, programAndArgs, { cwd: root, stdio: 'inherit' }));

/** Runs a program of an npm package that no other command needs. */
export const runPackage = async (spec: string, program: string, ...args: string[]) =>
	await runNode(join(await providePackage(root, spec), program), ...args);

/** The same as `runNode` behind what is more urgent, with its output to be shown later. */
export async function runBehind(...programAndArgs: string[]) {
	const child = spawn(process.execPath, programAndArgs, { cwd: root });
	if (child.pid) setPriority(child.pid, Math.max(10, getPriority()));
	const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
	return { succeeded: await succeeds(child), output: (await outputs).join('') };
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
