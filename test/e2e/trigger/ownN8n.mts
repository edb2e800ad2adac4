import { startN8n, type N8nInstance } from '../../../tools/n8n/instance.mts';
import { makeTemporaryFolder, removeFolder } from '../../../tools/temporary.mts';

/** An n8n that a file has for itself, to end and start again at the same address. */
export class OwnN8n {
	readonly #folder = makeTemporaryFolder();
	readonly #env: NodeJS.ProcessEnv;
	#instance: N8nInstance | undefined;
	/** What the ended ones had written. */
	#past = '';

	constructor(env: NodeJS.ProcessEnv = {}) {
		this.#env = env;
	}

	/** @returns its URL, the same each time */
	async start(): Promise<string> {
		const { port } = this.#instance ?? {};
		this.#past = this.log;
		// Unpacked once: it stays in the folder.
		const tarball = this.#instance ? undefined : process.env.N8N_FOR_TESTS_PACKAGE;
		this.#instance = await startN8n({ tarball, userFolder: this.#folder, port, env: this.#env });
		return this.#instance.url;
	}

	/** Ends it in an instant, like a crash or a power cut. */
	async kill(): Promise<void> {
		this.#instance?.kill();
		await this.#instance?.ended;
	}

	/** Ends it as an update of n8n does. */
	async stop(): Promise<void> {
		await this.#instance?.stop();
	}

	/** Everything it has written so far, before its restarts too. */
	get log(): string {
		return this.#past + (this.#instance?.log() ?? '');
	}

	async remove(): Promise<void> {
		await this.stop();
		removeFolder(this.#folder);
	}
}
