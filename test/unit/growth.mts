/** The milliseconds that the processor worked on the fastest of several runs: a busy machine's pauses do not count. */
export function measure(work: () => void, runs = 5): number {
	const times = Array.from({ length: runs }, () => {
		const started = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(started);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}

/** Linear work takes 8 times as long, quadratic work 64 times. Memory makes long inputs somewhat slower. */
export const mostGrowth = 40;

/**
 * Checks that work on an input eight times as long takes about eight times as long, and not 64 times, on any machine.
 * @param make the work on an input of a length
 */
export function expectLinear(make: (length: number) => () => void, length: number): void {
	// Again when one of the two was slowed down after all: quadratic growth shows every time.
	const ratios: number[] = [];
	while (ratios.length < 5 && !ratios.some((ratio) => ratio < mostGrowth)) {
		// The clock is too coarse below a tenth of a millisecond.
		const short = Math.max(measure(make(length)), 0.1);
		ratios.push(measure(make(8 * length)) / short);
	}
	expect(Math.min(...ratios)).toBeLessThan(mostGrowth);
}
