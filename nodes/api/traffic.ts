import { sleep } from 'n8n-workflow';

/** Waits for rate limits end after this long without any success in the run. */
export const patienceMs = 5 * 60_000;

export interface TrafficSettings {
	/** Requests in flight at once. */
	concurrency: number;
	/** 0: no limit. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

/** The traffic of one run of the node: who may send now. First come, first served. */
export class Traffic {
	/** Milliseconds that the run was held back by rate limits, for the person who wonders where the time went. */
	heldBackMs = 0;

	private readonly concurrency: number;
	private readonly spacingMs: number;
	private readonly signal?: AbortSignal;
	private inFlight = 0;
	/** How many may be in flight: halved when the service is busy, one more after as many successes. */
	private width: number;
	/** Since the width last changed. */
	private successes = 0;
	private line: Promise<unknown> = Promise.resolve();
	private wake: () => void = () => {};
	private nextStart = 0;
	private heldUntil = 0;
	private lastSuccess = Date.now();

	constructor({ concurrency, requestsPerSecond, signal }: TrafficSettings) {
		this.concurrency = concurrency;
		this.width = concurrency;
		this.spacingMs = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
		this.signal = signal;
	}

	/** Waits for its turn, sends, and makes room for the next one. */
	async pass<T>(send: () => Promise<T>): Promise<T> {
		const turn = this.line.then(async () => await this.waitForRoom());
		this.line = turn.catch(() => undefined);
		await turn;
		try {
			return await send();
		} finally {
			this.inFlight--;
			this.wake();
		}
	}

	/** The service took a request: patience starts anew, and the run widens again step by step. */
	noteSuccess(): void {
		this.lastSuccess = Date.now();
		this.successes++;
		if (this.width < this.concurrency && this.successes >= this.width) {
			this.width++;
			this.successes = 0;
		}
	}

	/**
	 * Nothing more is sent for so long, and fewer at once after that.
	 * @returns false when the run would then have waited too long without any success
	 */
	holdBack(waitMs: number): boolean {
		const now = Date.now();
		if (now + waitMs - this.lastSuccess > patienceMs) return false;
		// One busy moment answers all requests in flight with 429; only the first of them narrows the run.
		if (now >= this.heldUntil) {
			this.width = Math.max(1, Math.floor(this.width / 2));
			this.successes = 0;
		}
		const until = now + waitMs;
		if (until > this.heldUntil) {
			this.heldBackMs += until - Math.max(now, this.heldUntil);
			this.heldUntil = until;
		}
		return true;
	}

	/** @throws the abort's reason when the execution is cancelled meanwhile */
	async wait(ms: number): Promise<void> {
		await sleep(ms, this.signal);
		// n8n versions before 2 have a sleep that does not know signals.
		this.signal?.throwIfAborted();
	}

	private async waitForRoom(): Promise<void> {
		for (;;) {
			this.signal?.throwIfAborted();
			const waitMs = Math.max(this.nextStart, this.heldUntil) - Date.now();
			if (waitMs > 0) await this.wait(waitMs);
			else if (this.inFlight >= this.width)
				await new Promise<void>((resolve) => (this.wake = resolve));
			else break;
		}
		this.inFlight++;
		this.nextStart = Date.now() + this.spacingMs;
	}
}
