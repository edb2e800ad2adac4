import { join } from 'node:path';
import { launch, waitUntilReady, type RunningProcess } from '../launch.mts';
import { atEnd } from '../lifetime.mts';
import { root } from '../root.mts';
import { nodeCommand } from '../setup/child.mjs';

export type Identity = { uid: number; gid: number };

export type ServiceDescription = {
	name: string;
	command: string;
	args: string[];
	/** What asks it to end although it has clients. */
	stopSignal: NodeJS.Signals;
	/** What its log says when it takes connections. */
	readyText: string;
	folder: string;
	env?: NodeJS.ProcessEnv;
	/** The user it runs as, if not this one. */
	identity?: Identity;
};

const readyWithinMs = 60_000;

/** A program that is no n8n, to end and start again with the same port and data. It ends when this process does. */
export class Service {
	readonly #description: ServiceDescription;
	#running: RunningProcess | undefined;
	#forget = (): void => {};

	constructor(description: ServiceDescription) {
		this.#description = description;
	}

	async start(): Promise<void> {
		const { name, command, args, stopSignal, readyText, folder, env, identity } = this.#description;
		const supervise = join(root, 'tools/services/supervise.mjs');
		const supervised = JSON.stringify({ command, args, stopSignal, ...identity });
		const running = launch(nodeCommand(process.execPath, supervise, supervised), {
			cwd: folder,
			env: { ...process.env, ...env },
			logPath: join(folder, `${name}.log`),
		});
		this.#running = running;
		this.#forget = atEnd(async () => await running.stop());
		try {
			await waitUntilReady(name, running, () => running.log().includes(readyText), readyWithinMs);
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	/** Ends it as its system would. What it keeps is on disk then. */
	async stop(): Promise<void> {
		this.#forget();
		await this.#running?.stop();
	}
}
