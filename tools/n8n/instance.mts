import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, type RunningProgram } from '../launch.mts';
import { unpackInto } from '../package.mts';
import { findFreePort } from '../ports.mts';
import { nodeCommand } from '../setup/child.mjs';
import { makeTemporaryFolder } from '../temporary.mts';
import { currentRelease, type Release } from './release.mts';
import { instanceEnvironment } from './settings.mts';

/** `stop` lets n8n finish its work first. */
export type N8nInstance = RunningProgram & { url: string; port: number; userFolder: string };

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

const attempts = 3;

/** Where an n8n with this user folder loads the package from. */
export const packageFolder = (userFolder: string): string =>
	join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-page-audience');

/** Starts a real n8n on loopback, and resolves when it responds. */
export async function startN8n(options: N8nOptions): Promise<N8nInstance> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await tryToStart(options);
		} catch (error) {
			// Another process may take a free port before n8n does.
			const lostPort = /already in use|EADDRINUSE/.test(String(error));
			if (!lostPort || attempt === attempts) throw error;
		}
	}
}

async function tryToStart(options: N8nOptions): Promise<N8nInstance> {
	const { tarball, copyOf, withEditor = true, command = 'start' } = options;
	const { userFolder = makeTemporaryFolder(), release = currentRelease() } = options;
	const { port = await findFreePort() } = options;
	mkdirSync(userFolder, { recursive: true });
	if (copyOf && !existsSync(join(userFolder, '.n8n')))
		cpSync(copyOf, userFolder, { recursive: true });
	if (tarball) unpackInto(tarball, packageFolder(userFolder));
	const { version, node, program } = release;
	const settings = { userFolder, port, brokerPort: await findFreePort(), version };
	const url = `http://127.0.0.1:${port}`;
	// The server responds before the database is ready, and the database is ready before the REST API and the editor.
	const readyPaths = ['/healthz/readiness'];
	if (command === 'start') readyPaths.push(withEditor ? '/rest/settings' : '/rest/login');
	const running = await launch({
		name: 'n8n',
		commandLine: nodeCommand(node, program, command),
		env: {
			...instanceEnvironment(settings),
			...(withEditor ? {} : { N8N_DISABLE_UI: 'true' }),
			...options.env,
		},
		// n8n reads a .env file in its working directory.
		folder: userFolder,
		isTemporary: options.userFolder === undefined,
		isReady: async () => {
			for (const path of readyPaths) if (!(await isServed(url + path))) return false;
			return true;
		},
	});
	return { ...running, url, port, userFolder };
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
