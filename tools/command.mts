import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './lifetime.mts';
import { root } from './root.mts';
import { describeExit, nodeCommand, npmCommand, signalGroup, startChild } from './setup/child.mjs';
import { CommandError } from './setup/commandError.mjs';

const endsWithinMs = 15_000;

/** Runs npm and returns its standard output. Throws a CommandError with all output if npm fails. */
export async function runNpm(...args: string[]): Promise<string> {
	return await runProgram(...npmCommand(...args));
}

/** Runs a program and returns its standard output. Throws a CommandError with all output if it fails. */
export async function runProgram(...commandLine: string[]): Promise<string> {
	const { code, signal, stdout, stderr } = await run(commandLine, 'pipe');
	if (code === 0) return stdout;
	throw new CommandError(
		`${commandLine.join(' ')} ${describeExit(code, signal)}:\n\n${`${stdout}\n${stderr}`.trim()}`,
	);
}

/**
 * Runs a Node program of this repository with its output shown. Returns whether it succeeded.
 * @param programAndArgs after Node's own options, if any
 */
export async function runNode(...programAndArgs: string[]): Promise<boolean> {
	return (await run(nodeCommand(process.execPath, ...programAndArgs), 'inherit')).code === 0;
}

async function run(commandLine: string[], output: 'inherit' | 'pipe') {
	const child = startChild(commandLine, { cwd: root, env: process.env, output });
	const closed = once(child, 'close');
	const cancel = atEnd(async () => {
		signalGroup(child, 'SIGTERM');
		await Promise.race([closed.catch(() => {}), sleep(endsWithinMs, undefined, { ref: false })]);
		signalGroup(child, 'SIGKILL');
	});
	let [stdout, stderr] = ['', ''];
	child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
	child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
	try {
		const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
		return { code, signal, stdout, stderr };
	} finally {
		cancel();
	}
}
