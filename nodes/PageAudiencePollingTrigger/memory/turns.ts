import type { Deadline } from '../reading/deadline';

/** A list gets no less time, so that one response of a slow service comes within it. */
const leastTurnMs = 10_000;

/**
 * Whose turn it is in a poll of several lists. Each gets an equal share of the time that is left, so that none of them
 * takes that of the others. Those for which there is no time are first in the next poll.
 */
export class Turns {
	/** The scope of the list to begin with. */
	private next?: string;

	/**
	 * @param work on one list, until its deadline
	 * @returns what it made of each list that had a turn
	 */
	async take<T extends { scope: string }, R>(
		lists: T[],
		deadline: Deadline,
		work: (list: T, turn: Deadline) => Promise<R>,
	): Promise<Map<T, R>> {
		const results = new Map<T, R>();
		const first = Math.max(
			0,
			lists.findIndex(({ scope }) => scope === this.next),
		);
		for (const list of [...lists.slice(first), ...lists.slice(0, first)]) {
			if (results.size > 0 && deadline.restMs < leastTurnMs) {
				this.next = list.scope;
				break;
			}
			const share = deadline.restMs / (lists.length - results.size);
			const turn = deadline.within(Math.max(share, leastTurnMs));
			results.set(list, await work(list, turn));
			turn.close();
		}
		return results;
	}
}
