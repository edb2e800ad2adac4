import { sleep } from 'n8n-workflow';
import { Slots } from '../runtime/runTasks';

export interface PaceSettings {
	concurrency: number;
	/** 0: no limit. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

/** Decides when each request of a run starts: so many at once, so many per second, and none in a pause. */
export class Pace {
	private readonly settings: PaceSettings;
	private readonly slots: Slots;
	private nextStart = 0;
	private pausedMs = 0;
	private pausedUntil = 0;
	private isReleased = false;

	constructor(settings: PaceSettings) {
		this.settings = settings;
		this.slots = new Slots(settings.concurrency);
	}

	/** First come, first served: a free place, then the end of a pause, then the next start. */
	async inTurn<T>(send: () => Promise<T>): Promise<T> {
		const { requestsPerSecond, signal } = this.settings;
		await this.slots.take();
		try {
			for (;;) {
				signal?.throwIfAborted();
				const ms = Math.max(this.nextStart, this.pausedUntil) - performance.now();
				if (ms <= 0 || this.isReleased) break;
				await wait(Math.ceil(ms), signal);
			}
			this.nextStart = performance.now() + (requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0);
			return await send();
		} finally {
			this.slots.give();
		}
	}

	/** Nothing starts for so long. A pause that lasts longer anyway is not shortened. */
	pause(ms: number): void {
		const now = performance.now();
		const begins = Math.max(this.pausedUntil, now);
		this.pausedUntil = Math.max(begins, now + ms);
		this.pausedMs += this.pausedUntil - begins;
	}

	/** How long pauses have lasted until now. */
	get heldBackMs(): number {
		return this.pausedMs - Math.max(0, this.pausedUntil - performance.now());
	}

	/** From now on no request waits, because nothing is sent any more. */
	release(): void {
		this.isReleased = true;
	}
}

/** @throws the signal's reason when it aborts during the wait */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	await sleep(ms, signal);
	// n8n versions before 2 have a sleep that does not know signals.
	signal?.throwIfAborted();
}
