// Looked up once: access to a global is slow inside jest, and the seed draws thousands of numbers.
const { floor, imul } = Math;

/** Numbers that look random but are the same in every run (mulberry32). */
export class Randomness {
	#state: number;

	constructor(seed: number) {
		this.#state = seed;
	}

	/** Another one that is made with it goes on as this one does. */
	get state(): number {
		return this.#state;
	}

	/** At least 0, below 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let mixed = imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	/** A whole number. Both ends are included. */
	between(lowest: number, highest: number): number {
		return lowest + floor(this.next() * (highest - lowest + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly T[]): T {
		return choices[floor(this.next() * choices.length)];
	}

	/** An ID in the documented form: prefix, underscore and 26 lower-case letters or digits. */
	id(prefix: string): string {
		let tail = '';
		while (tail.length < 26) {
			tail += floor(this.next() * 36 ** 5)
				.toString(36)
				.padStart(5, '0');
		}
		return `${prefix}_${tail.slice(0, 26)}`;
	}
}
