/** The members of a record that are text, or null. */
type TextKey<T> = { [K in keyof T]: T[K] extends string | null ? K : never }[keyof T];

/** Records in the order in which they were added. None is ever removed, so the positions in cursors stay valid. */
export class Collection<T> implements Iterable<T> {
	readonly #id: TextKey<T> | undefined;
	readonly #group: TextKey<T> | undefined;
	#records: T[] = [];
	#byId = new Map<string, T>();
	#groups = new Map<string, T[]>();

	/** @param id the member with the ID @param group what records are listed by, as the page of an audience */
	constructor(id?: TextKey<T>, group?: TextKey<T>) {
		this.#id = id;
		this.#group = group;
	}

	add(record: T): T {
		this.#records.push(record);
		if (this.#id !== undefined) this.#byId.set(String(record[this.#id]), record);
		const group = this.#group === undefined ? null : record[this.#group];
		if (typeof group !== 'string') return record;
		const members = this.#groups.get(group);
		if (members) members.push(record);
		else this.#groups.set(group, [record]);
		return record;
	}

	get(id: string): T | undefined {
		return this.#byId.get(id);
	}

	/** The records of one group in order. Empty for an unknown group. */
	of(group: string): readonly T[] {
		return this.#groups.get(group) ?? [];
	}

	all(): readonly T[] {
		return this.#records;
	}

	find(matches: (record: T) => boolean): T | undefined {
		return this.#records.find(matches);
	}

	get size(): number {
		return this.#records.length;
	}

	clear(): void {
		this.#records = [];
		this.#byId.clear();
		this.#groups.clear();
	}

	[Symbol.iterator](): Iterator<T> {
		return this.#records[Symbol.iterator]();
	}
}
