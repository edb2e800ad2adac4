/** The run went on past the time that it may take. */
export class TooLongError extends Error {
	constructor(mostMs: number) {
		super(`The run has not ended after ${mostMs / 1000} seconds of fake time`);
	}
}

/** Nothing is left that could wake the run. */
export class AsleepError extends Error {
	constructor() {
		super('The run has not ended, and no timer and no request is under way that could end it');
	}
}

export interface ClockSettings {
	/** Fake milliseconds after which the run counts as endless. */
	mostMs: number;
	/** While true the clock stands still: something real is under way, such as a request over a socket. */
	isBusy?: () => boolean;
	/** How many runs were before this one: it draws other numbers, and begins a day later. */
	number?: number;
}

/** The first run starts at this moment. The same numbers are drawn each time, so that a seed brings the same run again. */
export const startOfTime = Date.parse('2026-01-05T09:00:00.000Z');

/** Turns of the real event loop without any progress after which a run counts as asleep. */
const turnsUntilAsleep = 200;

// Kept from the time before the timers are faked.
const { setImmediate: nextTurn } = globalThis;
const turn = async () => await new Promise((resolve) => nextTurn(resolve));

/**
 * Runs `work` with jest's fake timers and dates, and moves the clock to the next timer whenever nothing else can
 * happen: n8n's waits, and ours, pass at once.
 * @returns what came of it, and how long it would have taken
 * @throws {TooLongError | AsleepError} and whatever `work` throws
 */
export async function runOnFakeClock<T>(
	work: () => Promise<T>,
	{ mostMs, isBusy = () => false, number = 0 }: ClockSettings,
): Promise<{ value: T; elapsedMs: number }> {
	jest.useFakeTimers({
		now: startOfTime + number * 86_400_000,
		doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'],
	});
	// A run may set the clock, but not this one.
	const start = performance.now();
	const random = jest.spyOn(Math, 'random').mockImplementation(drawNumbers(number));
	try {
		let isSettled = false;
		const running = work().finally(() => (isSettled = true));
		// It is awaited below; until then a rejection is nobody's.
		running.catch(() => undefined);
		let quietTurns = 0;
		for (;;) {
			await turn();
			if (isSettled) break;
			if (performance.now() - start > mostMs) throw new TooLongError(mostMs);
			if (isBusy()) quietTurns = 0;
			else if (jest.getTimerCount() > 0) {
				quietTurns = 0;
				jest.advanceTimersToNextTimer();
			} else if (++quietTurns > turnsUntilAsleep) throw new AsleepError();
		}
		return { value: await running, elapsedMs: performance.now() - start };
	} finally {
		jest.clearAllTimers();
		jest.useRealTimers();
		random.mockRestore();
	}
}

/** A linear congruential generator: enough for the jitter of waits. */
function drawNumbers(number: number): () => number {
	let state = 1 + number;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
