import { gates } from '../../nodes/api/pace.ts';

/** The first run on a fake clock begins at this moment. */
export const startOfTime = Date.parse('2026-01-05T09:00:00.000Z');

// Kept from the time before the timers are faked.
const { setImmediate: nextTurn } = globalThis;
const turn = async () => await new Promise((resolve) => nextTurn(resolve));

/** Jest's fake timers and dates, without the pauses of an earlier clock. */
function fakeTime(now?: number): void {
	const doNotFake = ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
	jest.useFakeTimers({ now, doNotFake: [...doNotFake] });
	gates.clear();
}

/** Turns of the event loop after which nothing in this process can go on without a timer. */
const quietTurns = 20;
/** Turns without a timer after which nothing will wake the run. */
const turnsUntilAsleep = 200;

/** Until nothing goes on that waits for no timer. */
export async function rest(): Promise<void> {
	for (let turns = 0; turns < quietTurns; turns++) await turn();
}

interface ClockSettings {
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
	fakeTime(startOfTime + number * 86_400_000);
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

/** Lets waits pass at once, in their order, for tests whose requests do not leave this process. */
export class PassingTime {
	#isOver = false;
	readonly #running: Promise<void>;

	constructor(now?: number) {
		fakeTime(now);
		this.#running = this.#run();
	}

	async end(): Promise<void> {
		this.#isOver = true;
		await this.#running;
		jest.useRealTimers();
	}

	async #run(): Promise<void> {
		for (let quiet = 0; !this.#isOver; quiet++) {
			await turn();
			if (quiet < quietTurns || jest.getTimerCount() === 0) continue;
			quiet = 0;
			jest.advanceTimersToNextTimer();
		}
	}
}
