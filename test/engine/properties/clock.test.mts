import { AsleepError, runOnFakeClock, startOfTime, TooLongError } from './clock.mts';

const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

test('hours pass at once, and are told', async () => {
	const started = performance.now();
	const { value, elapsedMs } = await runOnFakeClock(
		async () => {
			await sleep(3_600_000);
			return Date.now();
		},
		{ mostMs: 7_200_000 },
	);
	expect([value, elapsedMs]).toEqual([startOfTime + 3_600_000, 3_600_000]);
	expect(performance.now() - started).toBeLessThan(1000);
	expect(Date.now()).toBeGreaterThan(startOfTime);
});

test('a run that waits for ever is ended', async () => {
	const waiting = async (): Promise<never> => {
		for (;;) await sleep(1000);
	};
	await expect(runOnFakeClock(waiting, { mostMs: 60_000 })).rejects.toThrow(TooLongError);
});

test('a run that nothing can wake is ended', async () => {
	const asleep = async () => await new Promise<never>(() => undefined);
	await expect(runOnFakeClock(asleep, { mostMs: 60_000 })).rejects.toThrow(AsleepError);
});

test('the clock stands still while something real is under way', async () => {
	let isBusy = true;
	const { elapsedMs } = await runOnFakeClock(
		async () => {
			const pause = sleep(60_000);
			await new Promise((resolve) => setImmediate(resolve));
			const before = Date.now();
			isBusy = false;
			expect(before).toBe(startOfTime);
			await pause;
		},
		{ mostMs: 120_000, isBusy: () => isBusy },
	);
	expect(elapsedMs).toBe(60_000);
});
