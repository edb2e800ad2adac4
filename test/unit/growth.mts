/** The time of the fastest of several runs, so that pauses of the machine do not count. */
function measure(work: () => void): number {
	const times = Array.from({ length: 5 }, () => {
		const started = performance.now();
		work();
		return performance.now() - started;
	});
	return Math.min(...times);
}

/**
 * Checks that work on an input eight times as long takes about eight times as long, and not 64 times, on any machine.
 * @param make the work on an input of a length
 */
export function expectLinear(make: (length: number) => () => void, length: number): void {
	const short = measure(make(length));
	const long = measure(make(8 * length));
	// The clock is too coarse below a tenth of a millisecond.
	expect(long).toBeLessThan(24 * Math.max(short, 0.1));
}
