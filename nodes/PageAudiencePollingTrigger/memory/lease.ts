import { type IPollFunctions, sleep } from 'n8n-workflow';
import { Deadline } from '../reading/deadline';

/** n8n versions without a budget let a poll take its time, but the next one comes at its own. */
const usualBudgetMs = 5 * 60_000;
/** On n8n's older engine, publishing waits for the first poll, and at a start all other workflows do. */
const firstBudgetMs = 30_000;
/** A person who tests waits. */
const testBudgetMs = 60_000;
/** A poll that is not over by then hangs. */
const graceMs = 15_000;

/** How long a poll may take. */
export function readBudget(context: IPollFunctions, isFirst: boolean): number {
	if (context.getMode() === 'manual') return testBudgetMs;
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudgetMs;
	return isFirst ? Math.min(budgetMs, firstBudgetMs) : budgetMs;
}

/** The turn of a poll. */
export interface Lease {
	deadline: Deadline;
	/** Whether no other poll has taken over. */
	isCurrent: () => boolean;
	end: () => void;
}

/** Polls overlap: three at once were seen on one state. So the others give way, unless one hangs. */
export class Leases {
	private current?: Lease;

	/** @returns undefined while it is another poll's turn */
	take(budgetMs: number): Lease | undefined {
		if (this.current) return undefined;
		const deadline = new Deadline(budgetMs);
		const clock = new AbortController();
		const release = () => {
			if (this.current === lease) this.current = undefined;
		};
		const lease: Lease = {
			deadline,
			isCurrent: () => this.current === lease,
			end: () => {
				deadline.close();
				clock.abort();
				release();
			},
		};
		this.current = lease;
		// By a timer: a clock that is set back would keep the others away for ever.
		sleep(budgetMs + graceMs, clock.signal).then(release, () => undefined);
		return lease;
	}
}
