import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';

/** An error whose message says everything: the commands print it without a stack. */
export class CommandError extends Error {}

const execute = promisify(execFile);

/** The command line of npm: of the npm that runs this process, if one does. */
export function npmCommand(...args) {
	const running = process.env.npm_execpath ?? '';
	return running.endsWith('npm-cli.js') ? [process.execPath, running, ...args] : ['npm', ...args];
}

/** The environment's PATH with one more folder in front, under the name this platform gives it. */
export function withPath(folder) {
	const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
	return { [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) };
}

/** Runs a program and returns its standard output. Throws a CommandError with all output and `advice` if it fails. */
export async function runProgram([command = '', ...args], { advice = '', ...options }) {
	try {
		return (await execute(command, args, { maxBuffer: Infinity, ...options })).stdout;
	} catch (error) {
		const { message, code, stdout = '', stderr = '' } = error;
		const end = typeof code === 'number' ? `exited with code ${code}` : message;
		const output = `${stdout}\n${stderr}`.trim();
		throw new CommandError([command, ...args].join(' ') + ` ${end}:\n\n${output}\n\n${advice}`);
	}
}
