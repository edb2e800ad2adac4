import { groupRecords, type RecordGroup } from './recordGroup';

/** Remembers texts from one run to the next. */
export interface EntryStore {
	/**
	 * Records the entries that are new. All are recorded in one step, or none, and always in the order given.
	 * @returns the entries that were there before
	 */
	checkAndRecord(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
	clear(): Promise<void>;
	count(): Promise<number>;
}

/**
 * n8n reads and writes all entries of a node in every call. Measured in n8n with SQLite, in milliseconds of CPU that one
 * call holds the event loop:
 *
 * | entries | record 1,000 | remove 1 | remove 100 of the latest |
 * |---|---|---|---|
 * | 10,000 | 7 | 3 | 9 |
 * | 50,000 | 35 | 14 | 43 |
 * | 100,000 | 70 | 22 | 70 |
 * | 150,000 | 70 | 13 | 58 |
 * | 200,000 | 115 | 18 | 80 |
 */
export const mostRecords = 100_000;

/** How many entries the store may hold for each record of the bound: some are outdated, and groups have entries too. */
const limits = {
	/** After a run that knows most of the records. */
	whole: 1.25,
	/** After another one. */
	part: 1.5,
	/** Before a run. A run that was killed leaves all its entries behind, on top of those before. */
	start: 2.75,
};

/**
 * Entries removed in one call of a store that has as many as records may be remembered, and more of a smaller one: n8n
 * searches for each of them from the oldest on.
 */
const mostRemoved = 80;

/** Entries recorded in one call when the store is filled again. n8n hashes each of them. */
const mostRecorded = 5_000;

/**
 * The records that earlier runs have written, each known by a text. None counts as written that was not confirmed,
 * wherever n8n is killed.
 *
 * The store cannot look an entry up without recording it. With one entry per record, n8n killed after the look-up would
 * leave behind a record that looks written and was never sent. So each record has two: "done", recorded when it is
 * looked up, and "in doubt", recorded in the same step and removed when the record is confirmed. Only a record that is
 * done and was not in doubt is written. Because both are recorded in one step, whatever undoes that step (another
 * process that puts back the entries it read before) undoes both, and the record is sent again.
 *
 * Both entries of a record are removed in one step too. Otherwise the store could keep "done" alone.
 *
 * Removing is slow, and a record that did not change would take one "in doubt" each night. So records that follow each
 * other have a name together, which is looked up first, in the same way. It is confirmed when all of them are, and then
 * stands for all of them.
 *
 * The store may fail in any call. Then records are sent that were written before, and none is skipped.
 */
export class WrittenRecords {
	/** Whether this run has more records than can be remembered. */
	readonly tooMany: boolean;

	/** What the store said, when it failed in both attempts of a call. */
	failure?: unknown;

	private readonly store: EntryStore;

	private readonly bound: number;

	/** How many entries a call may pass while it searches for those that it removes. */
	private readonly mostPassed: number;

	private isStarted = false;

	/** Confirmed by this run or an earlier one. */
	private readonly written = new Set<string>();

	/** Looked up by an earlier run, which confirmed nothing. */
	private readonly doubtful = new Set<string>();

	/** Entries that the store still has, by the record that was confirmed or refused. */
	private readonly obsolete = new Map<string, string[]>();

	/** Groups looked up since the last save, of which some records may be written. */
	private openGroups: RecordGroup[] = [];

	/** About how many entries the store has. */
	private size = 0;

	/** @param total how many records the whole run has */
	constructor(store: EntryStore, total: number, bound = mostRecords, removed = mostRemoved) {
		this.store = store;
		this.bound = bound;
		this.mostPassed = removed * bound;
		this.tooMany = total > bound;
	}

	/** Whether the record was confirmed, as far as this run has looked it up. */
	has(record: string): boolean {
		return this.written.has(record);
	}

	/** Whether an earlier run may have sent the record, without a confirmation. */
	isDoubtful(record: string): boolean {
		return this.doubtful.has(record);
	}

	/** Looks up the records that are sent next. Those that are not written must then be sent, and confirmed. */
	async lookUp(records: string[]): Promise<void> {
		const open = [...new Set(records)].filter((record) => !this.has(record));
		if (this.tooMany || open.length === 0) return;
		await this.start();
		const groups = groupRecords(open);
		await this.find(groups.map(({ name }) => name));
		for (const group of groups) {
			if (!this.has(group.name)) this.openGroups.push(group);
			else for (const record of group.records) this.written.add(record);
		}
		await this.find(open.filter((record) => !this.has(record)));
	}

	/**
	 * Looks up records that are not sent, and removes what this records. If n8n is killed in between, they are in doubt: the
	 * next run sends them.
	 */
	async peek(records: string[]): Promise<void> {
		const open = [...new Set(records)].filter((record) => !this.has(record));
		if (this.tooMany || open.length === 0) return;
		if (!this.isStarted) this.size = await this.count();
		const known = await this.record(open);
		if (!known) return;
		for (const record of open)
			if (known.has(toDone(record)) && !known.has(toDoubt(record))) this.written.add(record);
		await this.remove(open.map((record) => toBoth(record).filter((entry) => !known.has(entry))));
	}

	/** Notes a record that was written. */
	confirm(record: string): void {
		if (this.has(record)) return;
		this.written.add(record);
		// An item before may have had the same record, and was refused.
		this.obsolete.set(record, [toDoubt(record)]);
	}

	/** Notes a record that may have been written. */
	doubt(record: string): void {
		this.doubtful.add(record);
		// An item before may have had the same record, and was refused.
		this.obsolete.delete(record);
	}

	/** Notes a record that certainly was not written, so that nothing of it stays in the store. */
	refuse(record: string): void {
		if (this.has(record) || this.isDoubtful(record)) return;
		this.obsolete.set(record, toBoth(record));
	}

	/** Remembers what was confirmed or refused. All other records stay in doubt, so that the next run sends them. */
	async save(): Promise<void> {
		for (const { name, records } of this.openGroups)
			if (records.every((record) => this.has(record))) this.confirm(name);
			else this.refuse(name);
		this.openGroups = [];
		const entries = [...this.obsolete.values()];
		this.obsolete.clear();
		if (!this.tooMany) await this.remove(entries);
	}

	/**
	 * Forgets everything but the records of this run when the store has grown too large: records that changed, or no longer
	 * exist, leave their entries behind. A small run, such as one batch of a loop, and one that did not reach all of its
	 * records, would forget many that are still there. So they let the store grow further.
	 * @param isWhole whether the run reached all of its records
	 */
	async close(isWhole: boolean): Promise<void> {
		if (this.tooMany || !this.isStarted) return;
		const keepsMost = isWhole && this.written.size >= this.bound / 4;
		if ((await this.count()) <= this.bound * (keepsMost ? limits.whole : limits.part)) return;
		await this.call(async () => await this.store.clear());
		const doubtful = [...this.doubtful].filter((record) => !this.has(record));
		// "In doubt" comes first: if n8n is killed in between, "done" must not stand alone.
		const entries = [
			...doubtful.map(toDoubt),
			...doubtful.map(toDone),
			...[...this.written].map(toDone),
		];
		for (let start = 0; start < entries.length; start += mostRecorded) {
			const some = entries.slice(start, start + mostRecorded);
			await this.call(async () => await this.store.checkAndRecord(some));
		}
	}

	/** Runs that are always killed never close, and would fill the store without an end. */
	private async start(): Promise<void> {
		if (this.isStarted) return;
		this.isStarted = true;
		this.size = await this.count();
		if (this.size <= this.bound * limits.start) return;
		await this.call(async () => await this.store.clear());
		this.size = 0;
	}

	private async count(): Promise<number> {
		return (await this.call(async () => await this.store.count())) ?? 0;
	}

	/** @returns the entries of these names that were there before */
	private async record(names: string[]): Promise<Set<string> | undefined> {
		if (names.length === 0) return undefined;
		const entries = names.flatMap(toBoth);
		const known = await this.call(async () => await this.store.checkAndRecord(entries));
		this.size += entries.length - (known?.size ?? entries.length);
		return known;
	}

	/** @param names of records or groups */
	private async find(names: string[]): Promise<void> {
		const known = await this.record(names);
		if (!known) return;
		const found = names.filter((name) => known.has(toDone(name)));
		for (const name of found) (known.has(toDoubt(name)) ? this.doubtful : this.written).add(name);
		await this.remove(found.filter((name) => this.has(name)).map((name) => [toDoubt(name)]));
	}

	/** @param entries those of each record, which are removed in one step */
	private async remove(entries: string[][]): Promise<void> {
		let some: string[] = [];
		for (const [index, each] of entries.entries()) {
			some.push(...each);
			const isFull = some.length * this.size >= this.mostPassed;
			if (some.length === 0 || (!isFull && index < entries.length - 1)) continue;
			const removed = some;
			some = [];
			await this.call(async () => await this.store.remove(removed));
			this.size -= removed.length;
		}
	}

	/** Two attempts: of two executions that record a node's first entries at the same moment, one fails. */
	private async call<T>(work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work().catch(work);
		} catch (error) {
			this.failure ??= error;
			return undefined;
		}
	}
}

function toDone(record: string): string {
	return record;
}

function toDoubt(record: string): string {
	return `${record}?`;
}

function toBoth(record: string): string[] {
	return [toDone(record), toDoubt(record)];
}
