import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../lifetime.mts';
import { unpackInto } from '../package.mts';
import { findFreePort } from '../ports.mts';
import { makeTemporaryFolder, removeFolder } from '../temporary.mts';
import { launchN8n, type N8nProcess } from './launch.mts';
import { instanceEnvironment } from './settings.mts';

export type N8nInstance = {
	url: string;
	port: number;
	pid: number;
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
	port?: number;
	env?: NodeJS.ProcessEnv;
};

const readyWithinMs = 180_000;
const shownLogCharacters = 3_000;
const attempts = 3;

/** Starts a real n8n on loopback, and resolves when its editor's API responds. */
export async function startN8n({
	tarball,
	userFolder,
	port,
	env,
}: N8nOptions = {}): Promise<N8nInstance> {
	const folder = userFolder ?? makeTemporaryFolder();
	mkdirSync(folder, { recursive: true });
	if (tarball) unpackInto(tarball, join(folder, '.n8n/nodes/node_modules/n8n-nodes-page-audience'));
	for (let attempt = 1; ; attempt++) {
		const chosen = {
			userFolder: folder,
			port: port ?? (await findFreePort()),
			brokerPort: await findFreePort(),
		};
		const running = launchN8n(folder, { ...instanceEnvironment(chosen), ...env }, logOf(folder));
		const instance = watch(running, chosen, !userFolder);
		try {
			await waitUntilReady(instance);
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

const logOf = (folder: string): string => join(folder, 'n8n.log');

type Chosen = { userFolder: string; port: number };
type Watched = N8nInstance & Pick<N8nProcess, 'end'>;

function watch(running: N8nProcess, { userFolder, port }: Chosen, temporary: boolean): Watched {
	let lastLog = '';
	const log = (): string =>
		existsSync(logOf(userFolder)) ? readFileSync(logOf(userFolder), 'utf8') : lastLog;
	async function stop(): Promise<void> {
		forget();
		await running.stop();
		lastLog = log();
		if (temporary) removeFolder(userFolder);
	}
	function kill(): void {
		forget();
		running.kill();
	}
	const forget = atEnd(stop);
	const { pid, end, ended } = running;
	return { url: `http://127.0.0.1:${port}`, port, pid, userFolder, log, stop, kill, end, ended };
}

async function waitUntilReady({ url, end, log }: Watched): Promise<void> {
	const deadline = Date.now() + readyWithinMs;
	// The server responds before the database is ready, and the database is ready before the editor's routes.
	for (const path of ['/healthz/readiness', '/rest/settings']) {
		while (!(await isOk(url + path))) {
			const ended = end();
			if (ended || Date.now() > deadline) {
				const what = ended ?? `was not ready within ${readyWithinMs / 1000} s`;
				throw new Error(`n8n ${what}. The end of its log:\n${log().slice(-shownLogCharacters)}`);
			}
			await sleep(100);
		}
	}
}

async function isOk(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}
