import { patienceMs, Traffic } from '../../../nodes/api/traffic.ts';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** Sends requests of a fixed duration through a traffic, and records when each starts. */
function watch(traffic: Traffic, takesMs: number) {
	const begin = Date.now();
	const starts: Array<{ name: number; atMs: number }> = [];
	let inFlight = 0;
	let peak = 0;
	return {
		starts,
		names: () => starts.map(({ name }) => name),
		times: () => starts.map(({ atMs }) => atMs),
		peak: () => peak,
		resetPeak: () => (peak = inFlight),
		send: async (name: number) =>
			await traffic.pass(async () => {
				starts.push({ name, atMs: Date.now() - begin });
				peak = Math.max(peak, ++inFlight);
				await new Promise((resolve) => setTimeout(resolve, takesMs));
				inFlight--;
				return name;
			}),
	};
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('sends no more than `concurrency` at once, first come, first served', async () => {
	const traffic = new Traffic({ concurrency: 3, requestsPerSecond: 0 });
	const watched = watch(traffic, 100);
	const all = Promise.all(numbers(10).map(watched.send));
	await jest.advanceTimersByTimeAsync(400);
	expect(await all).toEqual(numbers(10));
	expect(watched.names()).toEqual(numbers(10));
	expect(watched.peak()).toBe(3);
	expect(watched.times()).toEqual([0, 0, 0, 100, 100, 100, 200, 200, 200, 300]);
});

test('frees the place of a request that throws', async () => {
	const traffic = new Traffic({ concurrency: 1, requestsPerSecond: 0 });
	const failing = traffic.pass(async () => await Promise.reject(new Error('gone')));
	const next = traffic.pass(async () => await Promise.resolve('next'));
	await expect(failing).rejects.toThrow('gone');
	await expect(next).resolves.toBe('next');
});

test('keeps to requestsPerSecond in any second', async () => {
	const traffic = new Traffic({ concurrency: 100, requestsPerSecond: 4 });
	const watched = watch(traffic, 10);
	const all = Promise.all(numbers(12).map(watched.send));
	await jest.advanceTimersByTimeAsync(5000);
	await all;
	const times = watched.times();
	expect(watched.names()).toEqual(numbers(12));
	for (const start of times) {
		const within = times.filter((atMs) => atMs >= start && atMs < start + 1000);
		expect(within.length).toBeLessThanOrEqual(4);
	}
	expect(times.at(-1)).toBeLessThanOrEqual(3000);
});

test('keeps to less than one request per second', async () => {
	const traffic = new Traffic({ concurrency: 5, requestsPerSecond: 0.5 });
	const watched = watch(traffic, 1);
	const all = Promise.all(numbers(3).map(watched.send));
	await jest.advanceTimersByTimeAsync(5000);
	await all;
	expect(watched.times()).toEqual([0, 2000, 4000]);
});

describe('a pause for the rate limit', () => {
	test('stops all requests, then halves the concurrency', async () => {
		const traffic = new Traffic({ concurrency: 8, requestsPerSecond: 0 });
		const watched = watch(traffic, 10);
		expect(traffic.holdBack(3000)).toBe(true);
		const all = Promise.all(numbers(20).map(watched.send));
		await jest.advanceTimersByTimeAsync(2999);
		expect(watched.starts).toEqual([]);
		await jest.advanceTimersByTimeAsync(2000);
		await all;
		expect(watched.peak()).toBe(4);
		expect(watched.times()[0]).toBe(3000);
		expect(traffic.heldBackMs).toBe(3000);
	});

	test('halves the concurrency once per busy moment, and never below one', async () => {
		const traffic = new Traffic({ concurrency: 8, requestsPerSecond: 0 });
		const peakNow = async () => {
			const watched = watch(traffic, 10);
			const all = Promise.all(numbers(20).map(watched.send));
			await jest.advanceTimersByTimeAsync(3000);
			await all;
			return watched.peak();
		};
		for (let i = 0; i < 8; i++) traffic.holdBack(100);
		expect(await peakNow()).toBe(4);
		for (const expected of [2, 1]) {
			traffic.noteTaken();
			traffic.holdBack(100);
			expect(await peakNow()).toBe(expected);
		}
		for (let i = 0; i < 20; i++) {
			traffic.noteTaken();
			traffic.holdBack(100);
		}
		expect(await peakNow()).toBeGreaterThanOrEqual(1);
	});

	test('halves the concurrency again as soon as a pause is over', async () => {
		const traffic = new Traffic({ concurrency: 8, requestsPerSecond: 0 });
		traffic.holdBack(1000);
		await jest.advanceTimersByTimeAsync(1000);
		traffic.holdBack(1000);
		const watched = watch(traffic, 10);
		const all = Promise.all(numbers(20).map(watched.send));
		await jest.advanceTimersByTimeAsync(3000);
		await all;
		expect(watched.peak()).toBe(2);
	});

	test('raises the concurrency again as requests succeed', async () => {
		const traffic = new Traffic({ concurrency: 4, requestsPerSecond: 0 });
		traffic.holdBack(10);
		const peakAfter = async (successes: number) => {
			for (let i = 0; i < successes; i++) traffic.noteTaken();
			const watched = watch(traffic, 10);
			const all = Promise.all(numbers(12).map(watched.send));
			await jest.advanceTimersByTimeAsync(1000);
			await all;
			return watched.peak();
		};
		expect(await peakAfter(0)).toBe(2);
		expect(await peakAfter(2)).toBe(3);
		expect(await peakAfter(3)).toBe(4);
		expect(await peakAfter(50)).toBe(4);
	});

	test('counts overlapping pauses once, and only while a request waits', async () => {
		const traffic = new Traffic({ concurrency: 4, requestsPerSecond: 0 });
		const watched = watch(traffic, 10);
		traffic.holdBack(1000);
		traffic.holdBack(1000);
		const all = Promise.all(numbers(3).map(watched.send));
		await jest.advanceTimersByTimeAsync(500);
		traffic.holdBack(1000);
		traffic.holdBack(100);
		await jest.advanceTimersByTimeAsync(2000);
		await all;
		expect(traffic.heldBackMs).toBe(1500);
		traffic.holdBack(1000);
		await jest.advanceTimersByTimeAsync(2000);
		expect(traffic.heldBackMs).toBe(1500);
	});

	test('ends after five minutes without another response, counted from the last one', async () => {
		const traffic = new Traffic({ concurrency: 4, requestsPerSecond: 0 });
		await jest.advanceTimersByTimeAsync(patienceMs - 60_000);
		expect(traffic.holdBack(60_000)).toBe(true);
		await jest.advanceTimersByTimeAsync(1);
		expect(traffic.holdBack(60_000)).toBe(false);
		traffic.noteTaken();
		expect(traffic.holdBack(60_000)).toBe(true);
	});
});

describe('an announced limit', () => {
	/** When three requests start, after announcements of how many are left and for how long. */
	async function timesAfter(...announced: Array<[remaining: number, resetMs: number]>) {
		const traffic = new Traffic({ concurrency: 1, requestsPerSecond: 0 });
		for (const [remaining, resetMs] of announced) traffic.noteAllowance({ remaining, resetMs });
		const watched = watch(traffic, 1);
		const all = Promise.all(numbers(3).map(watched.send));
		await jest.advanceTimersByTimeAsync(60_000);
		await all;
		return watched.times();
	}

	test('lets so many requests pass, and the others when it ends', async () => {
		// One more than announced, because the response that announces is no longer in flight here.
		expect(await timesAfter([1, 10_000])).toEqual([0, 1, 10_000]);
	});

	test('is the lowest of one period, whose end is told to the second', async () => {
		expect(await timesAfter([0, 10_000], [50, 11_000])).toEqual([0, 10_000, 10_001]);
		expect(await timesAfter([50, 10_000], [0, 9_500])).toEqual([0, 10_000, 10_001]);
	});

	test('holds for a period of its own that starts when one has ended', async () => {
		const traffic = new Traffic({ concurrency: 1, requestsPerSecond: 0 });
		const watched = watch(traffic, 1);
		traffic.noteAllowance({ remaining: 1, resetMs: 2000 });
		await jest.advanceTimersByTimeAsync(2000);
		traffic.noteAllowance({ remaining: 0, resetMs: 500 });
		const all = Promise.all(numbers(2).map(watched.send));
		await jest.advanceTimersByTimeAsync(60_000);
		await all;
		expect(watched.times()).toEqual([2000, 2500]);
	});

	test('may be raised by a response that is under way', async () => {
		const traffic = new Traffic({ concurrency: 2, requestsPerSecond: 0 });
		const first = traffic.pass(async () => {
			traffic.noteAllowance({ remaining: 0, resetMs: 10_000 });
			await new Promise((resolve) => setTimeout(resolve, 500));
			traffic.noteAllowance({ remaining: 50, resetMs: 20_000 });
		});
		const watched = watch(traffic, 1);
		const second = watched.send(0);
		await jest.advanceTimersByTimeAsync(60_000);
		await Promise.all([first, second]);
		expect(watched.times()).toEqual([500]);
		expect(traffic.heldBackMs).toBe(0);
	});

	test('is not believed again after two periods with nothing left', async () => {
		const traffic = new Traffic({ concurrency: 1, requestsPerSecond: 0 });
		const watched = watch(traffic, 1);
		const timesAfterNext = async (...announced: Array<[remaining: number, resetMs: number]>) => {
			for (const [remaining, resetMs] of announced) {
				traffic.noteAllowance({ remaining, resetMs });
			}
			// One more than announced, as above.
			const all = Promise.all(numbers(2).map(watched.send));
			await jest.advanceTimersByTimeAsync(60_000);
			await all;
			return watched.times().slice(-2);
		};
		expect(await timesAfterNext([0, 10_000])).toEqual([0, 10_000]);
		expect(await timesAfterNext([0, 10_000])).toEqual([60_000, 60_001]);
		expect(await timesAfterNext([3, 10_000], [0, 10_000])).toEqual([120_000, 120_001]);
	});

	test('starts anew with a period that ends later', async () => {
		expect(await timesAfter([0, 10_000], [50, 11_001])).toEqual([0, 1, 2]);
	});
});

describe('a cancelled execution', () => {
	test('ends every wait: for a place, for a pause, for the rate', async () => {
		for (const hold of [true, false]) {
			const controller = new AbortController();
			const { signal } = controller;
			const traffic = new Traffic({ concurrency: 1, requestsPerSecond: hold ? 0 : 0.01, signal });
			if (hold) traffic.holdBack(60_000);
			const send = jest.fn(async () => await Promise.resolve());
			const all = numbers(5).map(async () => await traffic.pass(send));
			const settled = Promise.allSettled(all);
			await jest.advanceTimersByTimeAsync(1000);
			const sentBefore = send.mock.calls.length;
			controller.abort(new Error('cancelled'));
			await jest.advanceTimersByTimeAsync(0);
			const outcomes = await settled;
			expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(hold ? 5 : 4);
			expect(send.mock.calls.length).toBe(sentBefore);
		}
	});

	test('ends a wait between retries', async () => {
		const controller = new AbortController();
		const traffic = new Traffic({
			concurrency: 1,
			requestsPerSecond: 0,
			signal: controller.signal,
		});
		const waiting = expect(traffic.wait(60_000)).rejects.toBeDefined();
		controller.abort();
		await waiting;
	});
});
