import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mts';
import { isAlive } from '../setup/process.mjs';

/** What one start leaves for the next. */
export const keptFolder = join(root, '.cache/start');
const statePath = join(keptFolder, 'state.json');

export type Ports = { editorPort: number; sandboxPort: number };
export type KeptState = Ports & {
	/** The process that runs it; kept after its end, when nothing answers at the address any more. */
	pid: number;
	startedAt: number;
};

// Not n8n's own 5678, where the person's own n8n may live.
const firstPorts: Ports = { editorPort: 4020, sandboxPort: 4010 };
const startsWithinMs = 180_000;

/** The ports of the last start, to be taken again if they are free. */
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

/** The start that runs now, if one does. */
export async function findRunning(): Promise<KeptState | undefined> {
	const state = readState();
	if (!state || !isAlive(state.pid)) return undefined;
	// The process ID may belong to somebody else by now.
	const starting = Date.now() - state.startedAt < startsWithinMs;
	return starting || (await answers(state.editorPort)) ? state : undefined;
}

function readState(): KeptState | undefined {
	try {
		return JSON.parse(readFileSync(statePath, 'utf8')) as KeptState;
	} catch {
		return undefined;
	}
}

async function answers(port: number): Promise<boolean> {
	try {
		return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
	} catch {
		return false;
	}
}
