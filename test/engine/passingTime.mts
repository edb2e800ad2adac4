import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

// Kept from the time before the timers are faked.
const { setImmediate: nextTurn } = globalThis;
const turn = async () => await new Promise((resolve) => nextTurn(resolve));

const abortInRealTime = AbortSignal.timeout;

function abortAfter(ms: number): AbortSignal {
	const controller = new AbortController();
	setTimeout(() => controller.abort(new DOMException('Too late', 'TimeoutError')), ms);
	return controller.signal;
}

/** Turns of the event loop after which nothing in this process can go on without a timer. */
const quietTurns = 20;
/** The same while a request is under way: its server may itself wait for a timer, or decompress in another thread. */
const quietRequest = { turns: 2_000, ms: 100 };

/**
 * Lets waits pass at once, in their order, and requests take the time that they take. For tests whose servers are all
 * in this process.
 */
export class PassingTime {
	#isOver = true;
	#running: Promise<void> | undefined;
	#begunAt = 0;
	#quiet = 0;
	#quietSince = 0;
	#underWay = 0;

	start(): void {
		jest.useFakeTimers({
			doNotFake: [
				...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
				...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
			],
		});
		// Node's own waits in real time.
		AbortSignal.timeout = abortAfter;
		this.#begunAt = jest.now();
		subscribe('http.client.request.start', this.#watch);
		this.#isOver = false;
		this.#running = this.#run();
	}

	async end(): Promise<void> {
		this.#isOver = true;
		await this.#running;
		unsubscribe('http.client.request.start', this.#watch);
		AbortSignal.timeout = abortInRealTime;
		jest.useRealTimers();
	}

	/** The milliseconds that waits took so far. */
	get ms(): number {
		return jest.now() - this.#begunAt;
	}

	readonly #watch = (message: unknown): void => {
		const { request } = message as { request: ClientRequest };
		this.#note();
		this.#underWay++;
		request.once('close', () => {
			this.#note();
			this.#underWay--;
		});
	};

	async #run(): Promise<void> {
		while (!this.#isOver) {
			await turn();
			this.#quiet++;
			if (!this.#isQuiet || jest.getTimerCount() === 0) continue;
			this.#note();
			jest.advanceTimersToNextTimer();
		}
	}

	get #isQuiet(): boolean {
		if (this.#underWay === 0) return this.#quiet > quietTurns;
		// Both, because this process has few turns where the machine is busy.
		const { turns, ms } = quietRequest;
		return this.#quiet > turns && Date.now() - this.#quietSince > ms;
	}

	/** Something happened. */
	#note(): void {
		this.#quiet = 0;
		this.#quietSince = Date.now();
	}
}
