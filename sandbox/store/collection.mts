import { invalidRequest } from '../api/errors.mts';

interface CollectionOptions<T> {
	/** Absent for records that the API never looks up by ID. */
	idOf?: (record: T) => string;
	/** What records are listed by, e.g. the page of an audience. */
	groupOf?: (record: T) => string | null;
}

/** Records in the order in which they were added. None is ever removed, so the positions in cursors stay valid. */
export class Collection<T> implements Iterable<T> {
	readonly #idOf: CollectionOptions<T>['idOf'];
	readonly #groupOf: CollectionOptions<T>['groupOf'];
	#records: T[] = [];
	#byId = new Map<string, T>();
	#groups = new Map<string, T[]>();

	constructor({ idOf, groupOf }: CollectionOptions<T>) {
		this.#idOf = idOf;
		this.#groupOf = groupOf;
	}

	add(record: T): T {
		this.#records.push(record);
		if (this.#idOf) this.#byId.set(this.#idOf(record), record);
		const group = this.#groupOf?.(record) ?? null;
		if (group !== null) {
			const members = this.#groups.get(group);
			if (members) members.push(record);
			else this.#groups.set(group, [record]);
		}
		return record;
	}

	get(id: string): T | undefined {
		return this.#byId.get(id);
	}

	/** Changes a record in place. It keeps its ID and its group, because cursors depend on both. */
	change(id: string, changes: Partial<T>): T | undefined {
		const record = this.get(id);
		if (!record) return undefined;
		const changed = { ...record, ...changes };
		if (this.#idOf?.(changed) !== id || this.#groupOf?.(changed) !== this.#groupOf?.(record)) {
			throw invalidRequest(`'${id}' must keep its ID, and what it is listed by`);
		}
		return Object.assign(record, changes);
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
