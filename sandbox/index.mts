import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConsole } from './console/index.mts';
import { createControl } from './control.mts';
import { Deliveries, type Delivery } from './deliveries.mts';
import { createDemo } from './demo/index.mts';
import { Faults, type Fault } from './faults.mts';
import { defaultGuesses, type Guesses } from './guesses.mts';
import { Recorder, type RecordedRequest } from './recording.mts';
import type { EventKind } from './records.mts';
import { createApp } from './server.mts';
import { Store } from './store.mts';

export type { Delivery, EventKind, Fault, Guesses, RecordedRequest, Store };
export { eventKinds } from './records.mts';

export interface SandboxOptions {
	/** Default 0: a free one. */
	port?: number;
	/** Default '127.0.0.1'. */
	host?: string;
	/** Default 'sandbox-key'. */
	apiKey?: string;
	/** How long each request below /v0 waits before anything is done; default 0. */
	latencyMs?: number;
	/** Default true. Costs time on long lists, so that a benchmark may switch it off. */
	validateResponses?: boolean;
	/** Guesses to be made otherwise. */
	guesses?: Partial<Guesses>;
}

export interface Sandbox {
	/** The base URL, without /v0 and without a slash at its end. */
	readonly url: string;
	readonly apiKey: string;
	/** Every request below /v0 in order of arrival, also refused and faulted ones. */
	readonly requests: RecordedRequest[];
	/** Every event delivery tried. */
	readonly deliveries: Delivery[];
	readonly store: Store;
	readonly faults: Pick<Faults, 'add' | 'clear'>;
	latencyMs: number;
	/** The most requests that were under way at once; set it to 0 to measure anew. */
	peakInFlight: number;
	/** Delivers an event now to every active subscription that wants its kind. */
	emit(kind: EventKind, data?: Record<string, unknown>): Promise<Delivery[]>;
	/** Back to the seed: no requests, deliveries, faults or latency. */
	reset(): void;
	/** Ends open connections too. */
	close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { apiKey = 'sandbox-key', host = '127.0.0.1', port = 0 } = options;
	const guesses: Guesses = { ...defaultGuesses, ...options.guesses };
	const store = new Store();
	const faults = new Faults();
	const recorder = new Recorder();
	const deliveries = new Deliveries(store, guesses);
	const settings = { latencyMs: options.latencyMs ?? 0 };
	const reset = () => {
		store.reset();
		faults.clear();
		recorder.clear();
		deliveries.made.length = 0;
		settings.latencyMs = options.latencyMs ?? 0;
	};
	const validateResponses = options.validateResponses ?? true;
	const app = createApp(
		{ apiKey, store, guesses, faults, recorder, settings, validateResponses },
		{
			'/sandbox': createControl({ store, faults, recorder, deliveries, settings, reset }),
			'/demo': createDemo(store, deliveries),
			'/console': createConsole({ apiKey, store, recorder, deliveries }),
		},
	);
	const server = createServer(app);
	const url = await listen(server, host, port);
	return {
		url,
		apiKey,
		requests: recorder.requests,
		deliveries: deliveries.made,
		store,
		faults,
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
