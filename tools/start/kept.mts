import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';
import { isAlive } from '../setup/process.mjs';

/** What one start leaves for the next. */
export const keptFolder = join(root, '.cache/start');
const statePath = join(keptFolder, 'state.json');

export type Ports = { editorPort: number; sandboxPort: number };
export type KeptState = Ports & {
	/** The process that wrote this. It stays here when that process has ended. */
	pid: number;
	startedAt: number;
};

// Not n8n's default 5678, where your own n8n may run.
const firstPorts: Ports = { editorPort: 4020, sandboxPort: 4010 };
const startsWithinMs = 180_000;

/** The ports of the last start, so that addresses stay the same where possible. */
export function readPorts(): Ports {
	return readState() ?? firstPorts;
}

export function writeState(ports: Ports): void {
	mkdirSync(keptFolder, { recursive: true });
	const state: KeptState = { pid: process.pid, startedAt: Date.now(), ...ports };
	writeFileSync(statePath, JSON.stringify(state));
}

export function forgetEverything(): void {
	rmSync(keptFolder, { recursive: true, force: true });
}

/** The start that is running now, if any. */
export async function findRunning(): Promise<KeptState | undefined> {
	const state = readState();
	if (!state || !isAlive(state.pid)) return undefined;
	// The process ID may belong to another process by now.
	const starting = Date.now() - state.startedAt < startsWithinMs;
	return starting || (await isUp(state.editorPort)) ? state : undefined;
}

function readState(): KeptState | undefined {
	try {
		return JSON.parse(readFileSync(statePath, 'utf8')) as KeptState;
	} catch {
		return undefined;
	}
}

async function isUp(port: number): Promise<boolean> {
	try {
		return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
	} catch {
		return false;
	}
}
