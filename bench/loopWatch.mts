import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

type Span = { start: number; end: number };
type WithThreadUsage = { threadCpuUsage(): NodeJS.CpuUsage };

const tickMs = 5;

/** Processor time of this thread, which no other program on the machine can prolong. */
function readWorkedMs(): number {
	const { user, system } = (process as unknown as WithThreadUsage).threadCpuUsage();
	return (user + system) / 1000;
}

/**
 * Watches how long work holds the event loop at a time, which is how long the process can do nothing else, and how much
 * memory it adds. Collections of garbage do not count: V8 decides when they come and how long they take.
 */
export class LoopWatch {
	readonly #startedAt = performance.now();
	readonly #rssAtStart = process.memoryUsage.rss();
	readonly #holds: Array<Span & { workedMs: number }> = [];
	readonly #collections: Span[] = [];
	readonly #observer = new PerformanceObserver((list) => this.#note(list.getEntries()));
	readonly #timer = setInterval(() => this.#tick(), tickMs);
	#peakRss = this.#rssAtStart;
	#lastTick = this.#startedAt;
	#lastWorkedMs = readWorkedMs();

	constructor() {
		this.#observer.observe({ entryTypes: ['gc'] });
	}

	stop(): { ms: number; holdMs: number; addedBytes: number } {
		this.#tick();
		clearInterval(this.#timer);
		this.#note(this.#observer.takeRecords());
		this.#observer.disconnect();
		const holds = this.#holds.map((hold) => hold.workedMs - this.#collectedMs(hold));
		return {
			ms: this.#lastTick - this.#startedAt,
			holdMs: Math.max(0, ...holds),
			addedBytes: this.#peakRss - this.#rssAtStart,
		};
	}

	#note(entries: PerformanceEntry[]): void {
		for (const { startTime: start, duration } of entries)
			this.#collections.push({ start, end: start + duration });
	}

	#tick(): void {
		const now = performance.now();
		const worked = readWorkedMs();
		const workedMs = worked - this.#lastWorkedMs;
		if (workedMs > 2 * tickMs) this.#holds.push({ start: this.#lastTick, end: now, workedMs });
		this.#lastTick = now;
		this.#lastWorkedMs = worked;
		this.#peakRss = Math.max(this.#peakRss, process.memoryUsage.rss());
	}

	#collectedMs({ start, end }: Span): number {
		return this.#collections.reduce(
			(sum, each) => sum + Math.max(0, Math.min(end, each.end) - Math.max(start, each.start)),
			0,
		);
	}
}
