import { PerformanceObserver } from 'node:perf_hooks';

type Span = { start: number; end: number };
type Hold = Span & { workedMs: number };
type WithThreadUsage = { threadCpuUsage(): NodeJS.CpuUsage };

const tickMs = 5;

/** Processor time of this thread, which no other program on the machine can prolong. */
function readWorkedMs(): number {
	const { user, system } = (process as unknown as WithThreadUsage).threadCpuUsage();
	return (user + system) / 1000;
}

/**
 * Watches how long work holds the event loop at a time, which is how long the process can do nothing else.
 * Garbage collections are left out: V8 decides when they come and how long they take.
 */
export class LoopWatch {
	readonly #startedAt = performance.now();
	readonly #holds: Hold[] = [];
	readonly #collections: Span[] = [];
	readonly #observer = new PerformanceObserver((list) => {
		for (const { startTime, duration } of list.getEntries())
			this.#collections.push({ start: startTime, end: startTime + duration });
	});
	readonly #timer = setInterval(() => this.#tick(), tickMs);
	#lastTick = this.#startedAt;
	#lastWorkedMs = readWorkedMs();

	constructor() {
		this.#observer.observe({ entryTypes: ['gc'] });
	}

	/** In milliseconds, since it was made. */
	stop(): { ms: number; longestHoldMs: number } {
		this.#tick();
		clearInterval(this.#timer);
		for (const { startTime, duration } of this.#observer.takeRecords())
			this.#collections.push({ start: startTime, end: startTime + duration });
		this.#observer.disconnect();
		const holds = this.#holds.map((hold) => hold.workedMs - this.#collectedMs(hold));
		return { ms: this.#lastTick - this.#startedAt, longestHoldMs: Math.max(0, ...holds) };
	}

	#tick(): void {
		const now = performance.now();
		const worked = readWorkedMs();
		const workedMs = worked - this.#lastWorkedMs;
		if (workedMs > 2 * tickMs) this.#holds.push({ start: this.#lastTick, end: now, workedMs });
		this.#lastTick = now;
		this.#lastWorkedMs = worked;
	}

	#collectedMs({ start, end }: Span): number {
		let total = 0;
		for (const each of this.#collections)
			total += Math.max(0, Math.min(end, each.end) - Math.max(start, each.start));
		return total;
	}
}
