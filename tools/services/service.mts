import { join } from 'node:path';
import { launch } from '../launch.mts';
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

type ServiceProgram = {
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

/** Starts a program that ends when this process does. Returns what ends it sooner. */
export async function startService(program: ServiceProgram): Promise<() => Promise<void>> {
	const { name, folder, readyText, env } = program;
	const supervise = join(root, 'tools/services/supervise.mjs');
	const { stop } = await launch({
		name,
		commandLine: nodeCommand(process.execPath, supervise, JSON.stringify(program)),
		env: { ...process.env, ...env },
		folder,
		isReady: (log) => log.includes(readyText),
	});
	return async () => {
		await stop();
		removeFolder(folder);
	};
}
