import { PerformanceObserver } from 'node:perf_hooks';

type Span = { start: number; end: number };

const tickMs = 5;

/**
 * Watches how long the event loop is held at a time, which is how long the process can do nothing else.
 * Garbage collections are left out: V8 decides when they come and how long they take.
 */
export class LoopWatch {
	readonly #startedAt = performance.now();
	readonly #holds: Span[] = [];
	readonly #collections: Span[] = [];
	readonly #observer = new PerformanceObserver((list) => {
		for (const { startTime, duration } of list.getEntries())
			this.#collections.push({ start: startTime, end: startTime + duration });
	});
	readonly #timer = setInterval(() => this.#tick(), tickMs);
	#lastTick = this.#startedAt;

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
		const holds = this.#holds.map((hold) => hold.end - hold.start - this.#collectedMs(hold));
		return { ms: this.#lastTick - this.#startedAt, longestHoldMs: Math.max(0, ...holds) };
	}

	#tick(): void {
		const now = performance.now();
		if (now - this.#lastTick > 4 * tickMs) this.#holds.push({ start: this.#lastTick, end: now });
		this.#lastTick = now;
	}

	#collectedMs({ start, end }: Span): number {
		let total = 0;
		for (const each of this.#collections)
			total += Math.max(0, Math.min(end, each.end) - Math.max(start, each.start));
		return total;
	}
}
