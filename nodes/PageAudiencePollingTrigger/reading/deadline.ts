import { sleep } from 'n8n-workflow';

/** When a poll, or one list's turn in it, has to end, whatever is under way. */
export class Deadline {
	/** How long the work may take. It ends by a timer, because clocks jump. */
	readonly budgetMs: number;

	private readonly begunAt = performance.now();

	private readonly end = new AbortController();

	/** Ends waits and unsent requests. */
	readonly signal = this.end.signal;

	private readonly clock = new AbortController();

	private readonly passed: Promise<never>;

	constructor(budgetMs: number) {
		this.budgetMs = budgetMs;
		this.passed = new Promise((_, reject) => {
			this.signal.addEventListener('abort', () => reject(this.signal.reason as Error));
		});
		this.passed.catch(() => undefined);
		sleep(budgetMs, this.clock.signal).then(
			() => this.end.abort(new Error('The time of this poll is over')),
			() => undefined,
		);
	}

	/** The time that is left. */
	get restMs(): number {
		return Math.max(0, this.budgetMs - (performance.now() - this.begunAt));
	}

	/** @returns an earlier end, or this one where there is less time */
	within(ms: number): Deadline {
		return ms < this.restMs ? new Deadline(ms) : this;
	}

	/**
	 * Waits for the work, but no longer than the poll has: a request under way cannot be taken back, and its own timeout
	 * starts anew with every byte.
	 */
	async keep<T>(work: Promise<T>): Promise<T> {
		return await Promise.race([work, this.passed]);
	}

	/** Waits for the work no longer than half of a poll. @returns undefined when it takes longer */
	async keepHalf<T>(work: Promise<T>): Promise<T | undefined> {
		const clock = new AbortController();
		const half = sleep(this.budgetMs / 2, clock.signal).then(() => undefined);
		return await this.keep(Promise.race([work, half])).finally(() => clock.abort());
	}

	/** Whether this deadline made the work fail. */
	isCause(error: unknown): boolean {
		return error === this.signal.reason;
	}

	/** The poll is over: nothing has to be ended any more. */
	close(): void {
		this.clock.abort();
	}
}
