import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A failure whose message says all there is to say: no stack is shown. */
export class SetupError extends Error {}

const shownLogLines = 25;
const secondsBetweenSigns = 10;

/**
 * Runs a command with its output in a log file, and shows that it lives.
 * Throws a SetupError with the log's end, its path and `advice` when the command fails.
 */
export async function runStep({ root, name, title, command, args, env, advice }) {
	const logFolder = join(root, '.cache', 'log');
	mkdirSync(logFolder, { recursive: true });
	const logPath = join(logFolder, `${name}.log`);
	const log = openSync(logPath, 'w');
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	console.log(`${title} …`);
	const signs = setInterval(() => {
		console.log(`  … ${seconds()} s  ${lastLines(logPath, 1).slice(0, 100)}`);
	}, secondsBetweenSigns * 1000);
	const outcome = await new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', log, log] });
		const forward = (signal) => {
			child.kill(signal);
			reject(new SetupError(`Stopped by ${signal}.`));
		};
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, forward);
		child.on('error', (error) => resolve(error.message));
		child.on('exit', (code, signal) => {
			for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
			resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`));
		});
	}).finally(() => {
		clearInterval(signs);
		closeSync(log);
	});
	if (outcome === undefined) {
		console.log(`  done in ${seconds()} s`);
		return;
	}
	throw new SetupError(
		`${title}: ended with ${outcome} after ${seconds()} s.\n\n${lastLines(logPath, shownLogLines)}\n\nThe whole log: ${logPath}\n${advice}`,
	);
}

function lastLines(path, count) {
	return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
