import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeFolder } from '../temporary.mts';
import { startN8n, type N8nInstance, type N8nOptions } from './instance.mts';

/** A process of n8n to end and start again at the same address, with the same folder. */
export class RestartableN8n {
	readonly #options: Omit<N8nOptions, 'userFolder'>;
	readonly userFolder = makeTemporaryFolder();
	#instance: N8nInstance | undefined;
	/** What the ended ones had written. */
	#past = '';

	constructor(options: Omit<N8nOptions, 'userFolder'>) {
		this.#options = options;
	}

	/**
	 * @param env for this time only
	 * @returns its URL, the same each time
	 */
	async start(env: NodeJS.ProcessEnv = {}): Promise<string> {
		this.#past = this.log;
		const { tarball, ...options } = this.#options;
		this.#instance = await startN8n({
			...options,
			env: { ...options.env, ...env },
			// Unpacked once: it stays in the folder.
			tarball: this.#instance ? undefined : tarball,
			userFolder: this.userFolder,
			port: this.#instance?.port ?? options.port,
		});
		return this.#instance.url;
	}

	get url(): string {
		if (!this.#instance) throw new Error('n8n is not started');
		return this.#instance.url;
	}

	/** Ends it in an instant, like a crash or a power cut. */
	async kill(): Promise<void> {
		this.#instance?.kill();
		await this.#instance?.ended;
		// Where it finds this file, n8n waits for ten seconds before it starts.
		rmSync(join(this.userFolder, '.n8n/crash.journal'), { force: true });
	}

	/** Ends it as an update of n8n does. */
	async stop(): Promise<void> {
		await this.#instance?.stop();
	}

	/** Everything it has written so far, before its restarts too. */
	get log(): string {
		return this.#past + (this.#instance?.log() ?? '');
	}

	/** Ends it, and removes its folder. */
	async remove(): Promise<void> {
		await this.stop();
		removeFolder(this.userFolder);
	}
}
