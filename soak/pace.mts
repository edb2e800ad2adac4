import { setTimeout as sleep } from 'node:timers/promises';
import type { Strand } from './strands/strand.mts';

/** So far a strand may be ahead of the average. */
const mostAhead = 0.02;

/** Keeps the strands together. Otherwise times could not be compared: the work beside them would end before they do. */
export class Pace {
	readonly #strands = new Set<Strand>();

	/** Before the first of them runs. */
	add(strand: Strand): void {
		this.#strands.add(strand);
	}

	/** It goes on no more. */
	remove(strand: Strand): void {
		this.#strands.delete(strand);
	}

	/** How much of all work is done, from 0 to 1. */
	progress(): number {
		const all = [...this.#strands];
		return all.reduce((sum, strand) => sum + strand.progress(), 0) / Math.max(all.length, 1);
	}

	/** Waits while a strand is ahead of the others. */
	async keep(strand: Pick<Strand, 'progress'>): Promise<void> {
		while (strand.progress() > this.progress() + mostAhead) await sleep(50);
	}
}
