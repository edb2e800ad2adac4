import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.mts';
import { Deliveries, type MadeDelivery } from './deliveries.mts';
import { Faults } from './faults.mts';
import { defaultGuesses, type Guesses } from './guesses.mts';
import { Recorder, type RecordedRequest } from './recorder.mts';
import type { SandboxParts } from './parts.mts';
import type { EventKind } from './records.mts';
import { Store } from './store/store.mts';

export { makeExampleData } from './deliveries.mts';
export { guessChoices } from './guesses.mts';
export { moveToRecentWeeks } from './recent.mts';
export * from './records.mts';
export { Store, type Guesses, type RecordedRequest };

export interface SandboxOptions {
	/** Default 0: any free port. */
	port?: number;
	/** Default '127.0.0.1'. */
	host?: string;
	/** Default 'sandbox-key'. */
	apiKey?: string;
	/** How long each request under /v0 waits before it is processed, in milliseconds. Default 0. */
	latencyMs?: number;
	/** Default true. It slows down long lists, so benchmarks turn it off. */
	validateResponses?: boolean;
	/** Guesses to switch. */
	guesses?: Partial<Guesses>;
}

export interface Sandbox {
	/** The base URL, without /v0 and without a trailing slash. */
	readonly url: string;
	readonly apiKey: string;
	/** Every request under /v0 in order of arrival, including rejected and faulted ones. */
	readonly requests: RecordedRequest[];
	/** Every delivery attempted. */
	readonly deliveries: MadeDelivery[];
	readonly store: Store;
	readonly faults: Pick<Faults, 'add' | 'clear'>;
	/** Change them while it runs, e.g. `sandbox.guesses.personSearch = 'names'`. */
	readonly guesses: Guesses;
	latencyMs: number;
	/** The most requests that ran at the same time. Set it to 0 to start a new measurement. */
	peakInFlight: number;
	/** Delivers an event to every active subscription that wants its kind. */
	emit(kind: EventKind, data: Record<string, unknown>): Promise<MadeDelivery[]>;
	/** Restores the seed, the guesses and the latency, and clears requests, deliveries and faults. */
	reset(): void;
	/** Closes open connections too. */
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = '127.0.0.1', port = 0 } = options;
	const parts = makeParts(options);
	const { apiKey, store, guesses, faults, recorder, deliveries, settings, reset } = parts;
	const server = createServer(createApp(parts));
	const url = await listen(server, host, port);
	return {
		url,
		apiKey,
		requests: recorder.requests,
		deliveries: deliveries.made,
		store,
		faults,
		guesses,
		get latencyMs() {
			return settings.latencyMs;
		},
		set latencyMs(ms) {
			settings.latencyMs = ms;
		},
		get peakInFlight() {
			return recorder.peakInFlight;
		},
		set peakInFlight(count) {
			recorder.peakInFlight = count;
		},
		emit: (kind, data) => deliveries.emit(kind, data),
		reset,
		close: () => close(server),
	};
}

function makeParts(options: SandboxOptions): SandboxParts {
	const { apiKey = 'sandbox-key', latencyMs = 0, validateResponses = true } = options;
	const guessesAtStart: Guesses = { ...defaultGuesses, ...options.guesses };
	const guesses = { ...guessesAtStart };
	const store = new Store();
	const faults = new Faults();
	const recorder = new Recorder();
	const deliveries = new Deliveries(store, guesses);
	const settings = { latencyMs };
	const reset = () => {
		store.reset();
		faults.clear();
		recorder.clear();
		deliveries.made.length = 0;
		settings.latencyMs = latencyMs;
		Object.assign(guesses, guessesAtStart);
	};
	const parts = { apiKey, store, guesses, faults, recorder, deliveries, settings };
	return { ...parts, validateResponses, reset };
}

function listen(server: Server, host: string, port: number): Promise<string> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			const { address, family, port: opened } = server.address() as AddressInfo;
			resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${opened}`);
		});
	});
}

function close(server: Server): Promise<void> {
	return new Promise((resolve, reject) => {
		server.close((error) => (error ? reject(error) : resolve()));
		server.closeAllConnections();
	});
}
