import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The first run on a fake clock begins at this moment. */
export const startOfTime = Date.parse('2026-01-05T09:00:00.000Z');

// Kept from the time before the timers are faked.
const { setImmediate: nextTurn } = globalThis;
const turn = async () => await new Promise((resolve) => nextTurn(resolve));
const abortInRealTime = AbortSignal.timeout;

/** Turns of the event loop after which nothing in this process can go on without a timer. */
const quietTurns = 20;
/** The same while a request is under way: its server may itself wait for a timer, or decompress in another thread. */
const quietRequest = { turns: 2_000, ms: 100 };
/** Turns without a timer after which nothing will wake the run. */
const turnsUntilAsleep = 200;

export interface ClockSettings {
	/** Fake milliseconds after which the run counts as endless. */
	mostMs: number;
	/** How many runs were before this one: it draws other numbers, and begins a day later. */
	number?: number;
}

/**
 * Runs `work` without sockets, with jest's fake timers and dates: n8n's waits, and the nodes' own, pass at once.
 * @returns what came of it, and how long it would have taken
 * @throws for a run that never ends, and whatever `work` throws
 */
export async function runOnFakeClock<T>(
	work: () => Promise<T>,
	{ mostMs, number = 0 }: ClockSettings,
): Promise<{ value: T; elapsedMs: number }> {
	jest.useFakeTimers({
		now: startOfTime + number * 86_400_000,
		doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'],
	});
	const random = jest.spyOn(Math, 'random').mockImplementation(drawNumbers(number));
	// A run may set the clock, but not this one.
	const start = performance.now();
	try {
		let isSettled = false;
		const running = work().finally(() => (isSettled = true));
		// It is awaited below; until then a rejection is nobody's.
		running.catch(() => undefined);
		for (let quiet = 0; ; quiet++) {
			await turn();
			if (isSettled) break;
			if (performance.now() - start > mostMs) throw new Error(`Not over after ${mostMs} ms`);
			if (quiet > turnsUntilAsleep) throw new Error('Not over, and nothing can wake it');
			if (jest.getTimerCount() === 0) continue;
			quiet = 0;
			jest.advanceTimersToNextTimer();
		}
		return { value: await running, elapsedMs: performance.now() - start };
	} finally {
		jest.clearAllTimers();
		jest.useRealTimers();
		random.mockRestore();
	}
}

/** The same numbers in each run of a number, so that a seed brings the same run again. */
function drawNumbers(number: number): () => number {
	let state = 1 + number;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

/**
 * Lets waits pass at once, in their order, and requests over sockets take the time that they take. For tests whose
 * servers are all in this process.
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

function abortAfter(ms: number): AbortSignal {
	const controller = new AbortController();
	setTimeout(() => controller.abort(new DOMException('Too late', 'TimeoutError')), ms);
	return controller.signal;
}
