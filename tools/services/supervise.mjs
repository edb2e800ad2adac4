// Runs a program that is not Node.js, so that `end-with-parent`, loaded into this process, can end it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** @type {{ command: string, args: string[], stopSignal: NodeJS.Signals, uid?: number, gid?: number }} */
const { command, args, stopSignal, uid, gid } = JSON.parse(process.argv[2] ?? '');
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], uid, gid });
process.on('SIGTERM', () => child.kill(stopSignal));
child.on('error', ({ message }) => {
	console.error(message);
	process.exit(127);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
