import { sleep } from 'n8n-workflow';

/** Waits for rate limits end after this long without any other response in the run. */
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
	/** Milliseconds that requests have waited for rate limits, for the person who wonders where the time went. */
	heldBackMs = 0;

	private readonly settings: TrafficSettings;
	private inFlight = 0;
	private line: Promise<unknown> = Promise.resolve();
	private wake: () => void = () => {};
	private nextStart = 0;
	private heldUntil = 0;
	private lastSign = performance.now();

	constructor(settings: TrafficSettings) {
		this.settings = settings;
	}

	/**
	 * Waits for its turn, sends, and makes room for the next one.
	 * @param isNeeded asked until its turn has come
	 * @returns undefined when the request was not sent, because it was not needed any more
	 */
	async pass<T>(send: () => Promise<T>, isNeeded = () => true): Promise<T | undefined> {
		const turn = this.line.then(async () => await this.waitForRoom(isNeeded));
		this.line = turn.catch(() => undefined);
		if (!(await turn)) return undefined;
		try {
			return await send();
		} finally {
			this.inFlight--;
			this.wake();
		}
	}

	/** The service took a request, whatever it made of it: patience starts anew. */
	noteTaken(): void {
		this.lastSign = performance.now();
	}

	/**
	 * Pauses all requests.
	 * @returns false when the run would then have waited too long without any other response
	 */
	holdBack(waitMs: number): boolean {
		const now = performance.now();
		if (now + waitMs - this.lastSign > patienceMs) return false;
		this.heldUntil = Math.max(this.heldUntil, now + waitMs);
		return true;
	}

	/** @throws the abort's reason when the execution is cancelled meanwhile */
	async wait(ms: number): Promise<void> {
		const { signal } = this.settings;
		await sleep(ms, signal);
		// n8n versions before 2 have a sleep that does not know signals.
		signal?.throwIfAborted();
	}

	private async waitForRoom(isNeeded: () => boolean): Promise<boolean> {
		for (;;) {
			this.settings.signal?.throwIfAborted();
			if (!isNeeded()) return false;
			const now = performance.now();
			const waitMs = Math.max(this.nextStart, this.heldUntil) - now;
			if (waitMs > 0) {
				const heldBackMs = Math.max(0, this.heldUntil - now);
				await this.wait(waitMs);
				// One request at a time waits here, and a run that ends before its turn has not waited.
				this.heldBackMs += heldBackMs;
			} else if (this.inFlight >= this.settings.concurrency)
				await new Promise<void>((resolve) => (this.wake = resolve));
			else break;
		}
		this.inFlight++;
		const { requestsPerSecond } = this.settings;
		this.nextStart = performance.now() + (requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0);
		return true;
	}
}
