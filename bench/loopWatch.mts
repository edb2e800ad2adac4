import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

type Span = { start: number; end: number };
type Collection = PerformanceEntry & { detail?: { kind?: number } };
type Hold = Span & { workedMs: number };
type WithThreadUsage = { threadCpuUsage(): NodeJS.CpuUsage };

const tickMs = 5;

/** Processor time of this thread, which no other program on the machine can prolong. */
function readWorkedMs(): number {
	const { user, system } = (process as unknown as WithThreadUsage).threadCpuUsage();
	return (user + system) / 1000;
}

/** How long work held the event loop at a time, in milliseconds of processor time. */
export type Holds = {
	/** Without garbage collections: V8 decides when they come and how long they take. */
	longestMs: number;
	/**
	 * While V8 marked old garbage. It does so in many small steps between those of the work, which it does not report, so
	 * they are in this number.
	 */
	longestMarkingMs: number;
};

/** Watches how long work holds the event loop at a time, which is how long the process can do nothing else. */
export class LoopWatch {
	readonly #startedAt = performance.now();
	readonly #holds: Hold[] = [];
	readonly #collections: Span[] = [];
	/** From the begin of each marking to the end of the collection that it prepares. */
	readonly #markings: Span[] = [];
	readonly #observer = new PerformanceObserver((list) => this.#note(list.getEntries()));
	readonly #timer = setInterval(() => this.#tick(), tickMs);
	#lastTick = this.#startedAt;
	#lastWorkedMs = readWorkedMs();

	constructor() {
		this.#observer.observe({ entryTypes: ['gc'] });
	}

	/** In milliseconds, since it was made. */
	stop(): { ms: number; holds: Holds } {
		this.#tick();
		clearInterval(this.#timer);
		this.#note(this.#observer.takeRecords());
		this.#observer.disconnect();
		const isMarked = (hold: Hold): boolean =>
			this.#markings.some(({ start, end }) => start < hold.end && end > hold.start);
		const longest = (holds: Hold[]): number =>
			Math.max(0, ...holds.map((hold) => hold.workedMs - this.#collectedMs(hold)));
		return {
			ms: this.#lastTick - this.#startedAt,
			holds: {
				longestMs: longest(this.#holds.filter((hold) => !isMarked(hold))),
				longestMarkingMs: longest(this.#holds.filter(isMarked)),
			},
		};
	}

	#note(entries: PerformanceEntry[]): void {
		for (const { startTime: start, duration, detail } of entries as Collection[]) {
			const end = start + duration;
			this.#collections.push({ start, end });
			if (detail?.kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL)
				this.#markings.push({ start, end: Infinity });
			const marking = this.#markings.at(-1);
			if (detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR && marking?.end === Infinity)
				marking.end = end;
		}
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
