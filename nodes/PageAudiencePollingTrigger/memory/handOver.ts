import type { StoredState } from '../state/stored';

/** How long n8n may take to store what a poll emits: usually milliseconds, but more on a machine that is busy. */
const handOverMs = 30_000;

/**
 * The states on their way to n8n. It stores a state when a poll emits, but not when it gives nothing, and nothing of the
 * poll at publishing under durable cursors.
 */
export class HandOver {
	/** The latest state that n8n is known to have, or that follows from one without anything emitted. */
	private sure?: StoredState;

	/** What the latest poll with records returned, and when. */
	private emitted?: { state: StoredState; at: number };

	/**
	 * Whether n8n may still be storing what another poll returned. With n8n's scheduler, a poll may begin with the state
	 * from before that one, and would return the same records again.
	 * @param stored what n8n hands out for the scope
	 */
	isUnderWay(stored: StoredState | undefined, scope: string): boolean {
		const { emitted } = this;
		if (emitted?.state.scope !== scope) return false;
		const isStored = (stored?.writtenAt ?? -Infinity) >= emitted.state.writtenAt;
		const age = Date.now() - emitted.at;
		return !isStored && age >= 0 && age < handOverMs;
	}

	/**
	 * The state to go on from. An older one than that known here was followed by nothing but polls without records, or
	 * was put back by an execution that started before it.
	 * @param stored what n8n hands out for the scope
	 */
	findState(stored: StoredState | undefined, scope: string): StoredState | undefined {
		if (this.sure?.scope !== scope) this.sure = undefined;
		if (stored && stored.writtenAt > (this.sure?.writtenAt ?? -Infinity)) this.sure = stored;
		return this.sure;
	}

	/** What n8n has to store together with the execution that the records start. */
	noteEmitted(state: StoredState): void {
		this.emitted = { state, at: Date.now() };
	}

	/**
	 * What follows from a poll without records. After one with records, n8n shows whether it has taken them: it drops
	 * them together with the state when the workflow changed meanwhile, and they must be found again.
	 */
	noteQuiet(state: StoredState): void {
		this.sure = state;
	}
}
