import { constants } from 'node:os';
import { CommandError } from './setup/program.mjs';

type Undo = () => void | Promise<void>;
const undos = new Set<Undo>();
let ending: Promise<never> | undefined;

/** Registers what must be undone when the process ends, the newest first. Returns a function that cancels this. */
export function atEnd(undo: Undo): () => boolean {
	undos.add(undo);
	return () => undos.delete(undo);
}

/**
 * Runs a command line tool: `main` returns the exit code.
 * Whatever ends it (a return, an error, Ctrl+C), what `atEnd` registered is undone first.
 */
export async function runToEnd(main: () => Promise<number>): Promise<void> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void end(128 + constants.signals[signal]));
	}
	// Writing to a terminal that is gone fails.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	try {
		await end(await main());
	} catch (error) {
		if (!ending) console.error(error instanceof CommandError ? `\n${error.message}` : error);
		await end(1);
	}
}

/** Undoes what `atEnd` registered, and exits. */
export async function end(code: number): Promise<never> {
	ending ??= undoAll().then(() => process.exit(code));
	return await ending;
}

async function undoAll(): Promise<void> {
	for (let undo = [...undos].at(-1); undo; undo = [...undos].at(-1)) {
		undos.delete(undo);
		try {
			await undo();
		} catch (error) {
			console.error(error);
		}
	}
}
