const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Numbers that look random and are the same in every run (mulberry32). */
export class Randomness {
	#state: number;

	constructor(seed: number) {
		this.#state = seed;
	}

	/** At least 0, below 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	/** A whole number; both ends can come. */
	between(lowest: number, highest: number): number {
		return lowest + Math.floor(this.next() * (highest - lowest + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly T[]): T {
		return choices[Math.floor(this.next() * choices.length)];
	}

	/** An ID in the documented form: the prefix, an underscore and 26 lower-case letters or digits. */
	id(prefix: string): string {
		let tail = '';
		for (let position = 0; position < 26; position++) {
			tail += idAlphabet[Math.floor(this.next() * idAlphabet.length)];
		}
		return `${prefix}_${tail}`;
	}
}
