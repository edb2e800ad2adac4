import { join } from 'node:path';
import { launch, waitUntilReady } from '../launch.mts';
import { atEnd } from '../lifetime.mts';
import { root } from '../root.mts';
import { nodeCommand } from '../setup/child.mjs';
import { removeFolder } from '../temporary.mts';

/** A program that n8n needs in queue mode. Only this machine reaches it. */
export type Service = {
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	/** Ends it, and removes its data. */
	remove(): Promise<void>;
};

type Program = {
	name: string;
	command: string;
	args: string[];
	/** What asks it to end although it has clients. */
	stopSignal: NodeJS.Signals;
	/** What its log says when it takes connections. */
	readyText: string;
	/** What it keeps. Removed when it ends. */
	folder: string;
	env?: NodeJS.ProcessEnv;
	/** The user it runs as, if not this one. */
	uid?: number;
	gid?: number;
};

const readyWithinMs = 60_000;

/** Starts a program that ends when this process does. Returns what ends it sooner. */
export async function startProgram(program: Program): Promise<() => Promise<void>> {
	const { name, folder, readyText, env } = program;
	const supervise = join(root, 'tools/services/supervise.mjs');
	const running = launch(nodeCommand(process.execPath, supervise, JSON.stringify(program)), {
		cwd: folder,
		env: { ...process.env, ...env },
		logPath: join(folder, `${name}.log`),
	});
	const forget = atEnd(stop);
	async function stop(): Promise<void> {
		forget();
		await running.stop();
		removeFolder(folder);
	}
	try {
		await waitUntilReady(name, running, () => running.log().includes(readyText), readyWithinMs);
	} catch (error) {
		await stop();
		throw error;
	}
	return stop;
}
