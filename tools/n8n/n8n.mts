import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { launch, type RunningProgram } from '../launch.mts';
import { unpackInto } from '../package.mts';
import { findFreePort } from '../ports.mts';
import { root } from '../root.mts';
import { provideFolder } from '../setup/toolchain.mjs';
import { makeTemporaryFolder, removeFolder } from '../temporary.mts';
import { connect } from './client.mts';
import { currentRelease, type Release } from './release.mts';
import { instanceEnvironment } from './settings.mts';

type N8nOptions = {
	/** The packed package. Without it n8n has only its own nodes. */
	tarball?: string;
	/** Kept between runs. Without it a temporary folder is used. */
	userFolder?: string;
	/** What a temporary folder begins with: see `provideUserFolder`. */
	copyOf?: string;
	/** Without the editor, n8n starts in two thirds of the time. Its REST API is the same. Default true. */
	withEditor?: boolean;
	port?: number;
	env?: NodeJS.ProcessEnv;
	/** Another n8n than the one that is installed with the tools. */
	release?: Release;
	/** What the process is for. In queue mode, 'start' is the main process. Default 'start'. */
	command?: 'start' | 'worker' | 'webhook';
};

const attempts = 3;

/** Where an n8n with this user folder loads the package from. */
export const packageFolder = (userFolder: string): string =>
	join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-page-audience');

/** A real n8n on loopback, to end and start again at the same address, with the same folder. */
export class N8n {
	readonly userFolder: string;
	readonly #options: N8nOptions;
	#port: number | undefined;
	#running: RunningProgram | undefined;
	/** What the ended ones had written. */
	#past = '';

	constructor(options: N8nOptions) {
		this.#options = options;
		this.userFolder = options.userFolder ?? makeTemporaryFolder();
		if (options.copyOf) cpSync(options.copyOf, this.userFolder, { recursive: true });
	}

	/**
	 * Resolves when n8n responds.
	 * @returns its URL, the same each time
	 */
	async start(): Promise<string> {
		const { tarball, port } = this.#options;
		mkdirSync(this.userFolder, { recursive: true });
		if (tarball && !this.#running) unpackInto(tarball, packageFolder(this.userFolder));
		this.#past = this.log;
		for (let attempt = 1; ; attempt++) {
			this.#port ??= port ?? (await findFreePort());
			try {
				this.#running = await this.#launch(this.#port);
				return this.url;
			} catch (error) {
				// Another process may take a free port before n8n does.
				const lostPort = /already in use|EADDRINUSE/.test(String(error));
				if (!lostPort || attempt === attempts) throw error;
				if (!this.#running) this.#port = undefined;
			}
		}
	}

	async #launch(port: number): Promise<RunningProgram> {
		const { userFolder } = this;
		const { withEditor = true, release = currentRelease(), command = 'start' } = this.#options;
		const { version, program } = release;
		// The server responds before the database is ready, and the database is ready before the REST API and the editor.
		const readyPaths = ['/healthz/readiness'];
		if (command === 'start') readyPaths.push(withEditor ? '/rest/settings' : '/rest/login');
		const env = {
			...instanceEnvironment(userFolder, port, await findFreePort(), version),
			...(withEditor ? {} : { N8N_DISABLE_UI: 'true' }),
			...this.#options.env,
		};
		return await launch({
			name: 'n8n',
			commandLine: [process.execPath, program, command],
			env,
			// n8n reads a .env file in its working directory.
			folder: userFolder,
			isReady: async () => {
				for (const path of readyPaths) if (!(await isServed(this.url + path))) return false;
				return true;
			},
		});
	}

	get url(): string {
		if (this.#port === undefined) throw new Error('n8n is not started');
		return `http://127.0.0.1:${this.#port}`;
	}

	/** Everything it has written so far, before its restarts too. */
	get log(): string {
		return this.#past + (this.#running?.log() ?? '');
	}

	/** How it ended, as the rest of a sentence that starts with "n8n". */
	async end(): Promise<string | undefined> {
		return await this.#running?.ended;
	}

	/** Ends it in an instant, like a crash or a power cut. */
	async kill(): Promise<void> {
		this.#running?.kill();
		await this.end();
		// Where it finds this file, n8n waits for ten seconds before it starts.
		rmSync(join(this.userFolder, '.n8n/crash.journal'), { force: true });
	}

	/** Lets it finish its work and ends it, as an update of n8n does. */
	async stop(): Promise<void> {
		await this.#running?.stop();
	}

	/** Ends it, and removes its folder. */
	async remove(): Promise<void> {
		await this.stop();
		removeFolder(this.userFolder);
	}
}

async function isServed(url: string): Promise<boolean> {
	try {
		// A kept connection is closed by n8n after five seconds, just when the next one may write to it.
		const { ok, status } = await fetch(url, { headers: { connection: 'close' } });
		// Nobody is logged in.
		return ok || status === 401;
	} catch {
		return false;
	}
}

/**
 * The user folder of an n8n that was started once: its database has the tables, and its owner an account. Made the first
 * time. An n8n that starts with a copy of it is ready sooner.
 */
export async function provideUserFolder(release: Release): Promise<string> {
	const folder = join(root, '.cache/n8n', release.version);
	await provideFolder(folder, async (partial) => {
		const n8n = new N8n({ release, userFolder: partial, withEditor: false });
		// n8n writes everything into its database file when it ends.
		await connect(await n8n.start()).finally(async () => await n8n.stop());
	});
	return folder;
}
