import { sleep } from 'n8n-workflow';
import type { Allowance } from './rateLimit';

/** Waits for rate limits end after this long without any other response in the run. */
export const patienceMs = 5 * 60_000;

export interface TrafficSettings {
	/** Requests in flight at once. */
	concurrency: number;
	/** 0: no limit. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

/** Periods in a row in which the service announced nothing but "0 left", until it is no longer believed. */
const mostStalls = 2;

/** The traffic of one run of the node: who may send now. First come, first served. */
export class Traffic {
	/** Milliseconds that requests have waited for rate limits, for the person who wonders where the time went. */
	heldBackMs = 0;

	private readonly settings: TrafficSettings;
	private inFlight = 0;
	/** How many may be in flight: halved when the service is busy, one more after as many that it took. */
	private width: number;
	/** Since the width last changed. */
	private taken = 0;
	private line: Promise<unknown> = Promise.resolve();
	private wake: () => void = () => {};
	private nextStart = 0;
	private heldUntil = 0;
	private lastSign = performance.now();
	/** What the service announced last: requests left until a time. */
	private allowance = { left: Infinity, until: 0 };
	private stalls = 0;
	/** The most requests that were announced as left since the last wait for it. */
	private mostLeft = 0;

	constructor(settings: TrafficSettings) {
		this.settings = settings;
		this.width = settings.concurrency;
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

	/** The service took a request, whatever it made of it: patience starts anew, and the run widens step by step. */
	noteTaken(): void {
		this.lastSign = performance.now();
		this.taken++;
		if (this.width < this.settings.concurrency && this.taken >= this.width) {
			this.width++;
			this.taken = 0;
		}
	}

	/** Keeps to a limit that a response announces. The other requests in flight may not be counted in it yet. */
	noteAllowance({ remaining, resetMs }: Allowance): void {
		if (this.stalls >= mostStalls) return;
		const now = performance.now();
		this.mostLeft = Math.max(this.mostLeft, remaining);
		const left = Math.max(0, remaining - (this.inFlight - 1));
		const until = now + resetMs;
		// Responses overtake each other: within one period the lowest number counts.
		const isSamePeriod = now < this.allowance.until && until <= this.allowance.until + 1000;
		this.allowance = isSamePeriod
			? { left: Math.min(left, this.allowance.left), until: this.allowance.until }
			: { left, until };
	}

	/**
	 * Pauses all requests, and sends fewer at once afterwards.
	 * @returns false when the run would then have waited too long without any other response
	 */
	holdBack(waitMs: number): boolean {
		const now = performance.now();
		if (now + waitMs - this.lastSign > patienceMs) return false;
		// All requests in flight get 429 in the same busy moment. Only the first of them narrows the run.
		if (now >= this.heldUntil) {
			this.width = Math.max(1, Math.floor(this.width / 2));
			this.taken = 0;
		}
		this.holdUntil(now + waitMs);
		return true;
	}

	/** @throws the abort's reason when the execution is cancelled meanwhile */
	async wait(ms: number): Promise<void> {
		const { signal } = this.settings;
		await sleep(ms, signal);
		// n8n versions before 2 have a sleep that does not know signals.
		signal?.throwIfAborted();
	}

	private holdUntil(until: number): void {
		this.heldUntil = Math.max(this.heldUntil, until);
	}

	private async waitForRoom(isNeeded: () => boolean): Promise<boolean> {
		for (;;) {
			this.settings.signal?.throwIfAborted();
			if (!isNeeded()) return false;
			const now = performance.now();
			const waitMs = Math.max(this.nextStart, this.heldUntil) - now;
			const isSpent = this.allowance.left <= 0 && now < this.allowance.until;
			if (waitMs > 0) {
				const heldBackMs = Math.max(0, this.heldUntil - now);
				await this.wait(waitMs);
				// One request at a time waits here, and a run that ends before its turn has not waited.
				this.heldBackMs += heldBackMs;
			} else if (this.inFlight >= this.width || (isSpent && this.inFlight > 0))
				await new Promise<void>((resolve) => (this.wake = resolve));
			else if (isSpent) this.stall();
			else break;
		}
		this.inFlight++;
		this.allowance.left--;
		const { requestsPerSecond } = this.settings;
		this.nextStart = performance.now() + (requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0);
		return true;
	}

	/** Waits for the next period, unless the service announces "0 left" whatever it takes. */
	private stall(): void {
		this.stalls = this.mostLeft === 0 ? this.stalls + 1 : 0;
		this.mostLeft = 0;
		if (this.stalls < mostStalls) this.holdUntil(this.allowance.until);
		else this.allowance = { left: Infinity, until: 0 };
	}
}
