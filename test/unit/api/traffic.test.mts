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
	test('stops all requests, and lets as many go as before', async () => {
		const traffic = new Traffic({ concurrency: 8, requestsPerSecond: 0 });
		const watched = watch(traffic, 10);
		expect(traffic.holdBack(3000)).toBe(true);
		const all = Promise.all(numbers(20).map(watched.send));
		await jest.advanceTimersByTimeAsync(2999);
		expect(watched.starts).toEqual([]);
		await jest.advanceTimersByTimeAsync(2000);
		await all;
		expect(watched.peak()).toBe(8);
		expect(watched.times()[0]).toBe(3000);
		expect(traffic.heldBackMs).toBe(3000);
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
