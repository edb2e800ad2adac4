import type { IPollFunctions } from 'n8n-workflow';
import { type AcceptedLimit, startLimit } from '../../api/paginate';
import { readState, type StoredState } from '../state/stored';

/** How long n8n may take to store what a poll emits: usually milliseconds, but more on a machine that is busy. */
const handoverMs = 30_000;

/**
 * What this process remembers of one trigger. n8n stores a state when a poll emits, but not when it gives nothing, and
 * nothing of the poll at publishing under durable cursors.
 */
export class TriggerMemory {
	/** The page size that the service accepts. */
	readonly accepted: AcceptedLimit = startLimit();

	/** The scopes of polls that were not refused. */
	readonly polled = new Set<string>();

	/** The failure that lasts since a poll that succeeded, and what a person was told of it. */
	outage?: { told?: 'passing' | 'lasting' };

	/** Why publishing was refused. */
	refusal?: { about: string; error: Error; at: number };

	private turn?: { endsAt: number };

	/** The latest state that n8n is known to have, or that follows from one without anything emitted. */
	private sure?: StoredState;

	/** What the latest poll with records returned, and when. */
	private emitted?: { state: StoredState; at: number };

	/**
	 * Polls overlap: three at once were seen on one state. So the others give way, unless one hangs.
	 * @returns a function that tells whether it is still this poll's turn, or undefined
	 */
	begin(lengthMs: number): { isCurrent: () => boolean; end: () => void } | undefined {
		const now = Date.now();
		if (this.turn && now < this.turn.endsAt) return undefined;
		const turn = { endsAt: now + lengthMs };
		this.turn = turn;
		return {
			isCurrent: () => this.turn === turn,
			end: () => {
				if (this.turn === turn) this.turn = undefined;
			},
		};
	}

	/**
	 * The state to go on from. An older one than that known here was followed by nothing but polls without records, or
	 * was put back by an execution that started before it.
	 * @param given by n8n
	 */
	findState(given: unknown, scope: string): StoredState | undefined {
		const stored = readState(given, scope);
		if (this.sure?.scope !== scope) this.sure = undefined;
		if (stored && stored.writtenAt > (this.sure?.writtenAt ?? -Infinity)) this.sure = stored;
		return this.sure;
	}

	/**
	 * Whether n8n may still be storing what another poll returned. With n8n's scheduler, a poll may begin with the state
	 * from before that one, and would return the same records again.
	 * @param given by n8n
	 */
	isHandingOver(given: unknown, scope: string): boolean {
		const { emitted } = this;
		if (emitted?.state.scope !== scope) return false;
		const isStored = (readState(given, scope)?.writtenAt ?? -Infinity) >= emitted.state.writtenAt;
		const age = Date.now() - emitted.at;
		return !isStored && age >= 0 && age < handoverMs;
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

/** One entry per trigger that polls in this process. */
const memories = new Map<string, TriggerMemory>();

/** By the node's name too, as n8n's states are: after a rename both begin anew. */
export function memoryOf(context: IPollFunctions): TriggerMemory {
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	const memory = memories.get(key) ?? new TriggerMemory();
	memories.set(key, memory);
	return memory;
}
