/** The members of a record that are text, or null. */
type TextKey<T> = { [K in keyof T]: T[K] extends string | null ? K : never }[keyof T];

/** Records in the order in which they were added. None is ever removed, so the positions in cursors stay valid. */
export class Collection<T> implements Iterable<T> {
	readonly #id: TextKey<T> | undefined;
	readonly #group: TextKey<T> | undefined;
	#records: T[] = [];
	#byId = new Map<string, T>();
	#groups = new Map<string, T[]>();
	#kept = '[]';
	/** Whether what was kept has still to be read: most tests ask for few collections. */
	#isToRead = false;

	/** @param id the member with the ID @param group what records are listed by, as the page of an audience */
	constructor(id?: TextKey<T>, group?: TextKey<T>) {
		this.#id = id;
		this.#group = group;
	}

	/** Keeps the records as they are now. */
	keep(): void {
		this.#kept = JSON.stringify(this.all());
	}

	/** The records are again as they were kept. */
	restore(): void {
		this.clear();
		this.#isToRead = true;
	}

	#read(): void {
		if (!this.#isToRead) return;
		this.#isToRead = false;
		for (const record of JSON.parse(this.#kept) as T[]) this.add(record);
	}

	add(record: T): T {
		this.#read();
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
		this.#read();
		return this.#byId.get(id);
	}

	/** The records of one group in order. Empty for an unknown group. */
	of(group: string): readonly T[] {
		this.#read();
		return this.#groups.get(group) ?? [];
	}

	all(): readonly T[] {
		this.#read();
		return this.#records;
	}

	find(matches: (record: T) => boolean): T | undefined {
		return this.all().find(matches);
	}

	get size(): number {
		return this.all().length;
	}

	clear(): void {
		this.#isToRead = false;
		this.#records = [];
		this.#byId.clear();
		this.#groups.clear();
	}

	[Symbol.iterator](): Iterator<T> {
		return this.all()[Symbol.iterator]();
	}
}
