import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, waitUntilReady, type RunningProcess } from '../launch.mts';
import { atEnd } from '../lifetime.mts';
import { unpackInto } from '../package.mts';
import { findFreePort } from '../ports.mts';
import { nodeCommand } from '../setup/child.mjs';
import { makeTemporaryFolder, removeFolder } from '../temporary.mts';
import { currentRelease, type Release } from './release.mts';
import { instanceEnvironment } from './settings.mts';

export type N8nInstance = {
	url: string;
	port: number;
	userFolder: string;
	/** Everything n8n has logged so far. */
	log(): string;
	/** Lets n8n finish its work and ends it. Removes a temporary user folder. */
	stop(): Promise<void>;
	/** Ends n8n at once, like a crash. The user folder stays. */
	kill(): void;
	/** Resolves with how it ended, as the rest of a sentence that starts with "n8n". */
	ended: Promise<string>;
};

export type N8nOptions = {
	/** The packed package. Without it n8n has only its own nodes. */
	tarball?: string;
	/** Kept between runs. Without it a temporary folder is used. */
	userFolder?: string;
	/** What a new user folder holds: see `provideUserFolder`. */
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

const readyWithinMs = 180_000;
const attempts = 3;
// The server responds before the database is ready, and the database is ready before the REST API and the editor.
const databasePath = '/healthz/readiness';
const apiPath = '/rest/login';
const editorPath = '/rest/settings';

/** Where an n8n with this user folder loads the package from. */
export const packageFolder = (userFolder: string): string =>
	join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-page-audience');

/** Starts a real n8n on loopback, and resolves when it responds. */
export async function startN8n({
	tarball,
	userFolder,
	copyOf,
	withEditor = true,
	port,
	env,
	release = currentRelease(),
	command = 'start',
}: N8nOptions = {}): Promise<N8nInstance> {
	const folder = userFolder ?? makeTemporaryFolder();
	mkdirSync(folder, { recursive: true });
	if (copyOf && !existsSync(join(folder, '.n8n'))) cpSync(copyOf, folder, { recursive: true });
	if (tarball) unpackInto(tarball, packageFolder(folder));
	const logPath = join(folder, 'n8n.log');
	const withoutEditor = withEditor ? {} : { N8N_DISABLE_UI: 'true' };
	const servedPath = withEditor ? editorPath : apiPath;
	const readyPaths = command === 'start' ? [databasePath, servedPath] : [databasePath];
	for (let attempt = 1; ; attempt++) {
		const chosen = {
			userFolder: folder,
			port: port ?? (await findFreePort()),
			brokerPort: await findFreePort(),
			version: release.version,
		};
		const environment = { ...instanceEnvironment(chosen), ...withoutEditor, ...env };
		const running = launch(nodeCommand(release.node, release.program, command), {
			// n8n reads a .env file in its working directory.
			cwd: folder,
			env: environment,
			logPath,
		});
		const instance = watch(running, chosen, !userFolder);
		try {
			for (const path of readyPaths) {
				await waitUntilReady('n8n', running, () => isServed(instance.url + path), readyWithinMs);
			}
			return instance;
		} catch (error) {
			// Another process may take a free port before n8n does.
			const lostPort = /already in use|EADDRINUSE/.test(instance.log());
			if (!lostPort || attempt === attempts) {
				await instance.stop();
				throw error;
			}
			instance.kill();
		}
	}
}

type Chosen = { userFolder: string; port: number };

function watch(running: RunningProcess, chosen: Chosen, temporary: boolean): N8nInstance {
	const { userFolder, port } = chosen;
	async function stop(): Promise<void> {
		forget();
		await running.stop();
		if (temporary) removeFolder(userFolder);
	}
	function kill(): void {
		forget();
		running.kill();
	}
	const forget = atEnd(stop);
	const { log, ended } = running;
	return { url: `http://127.0.0.1:${port}`, port, userFolder, log, stop, kill, ended };
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
