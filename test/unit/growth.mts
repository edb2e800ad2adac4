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
	// Again when a busy machine slowed one of the two down: quadratic growth shows every time.
	const ratios: number[] = [];
	while (ratios.length < 5 && !ratios.some((ratio) => ratio < 24)) {
		// The clock is too coarse below a tenth of a millisecond.
		const short = Math.max(measure(make(length)), 0.1);
		ratios.push(measure(make(8 * length)) / short);
	}
	expect(Math.min(...ratios)).toBeLessThan(24);
}
