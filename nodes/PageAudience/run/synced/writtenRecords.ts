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

/** n8n reads and writes all entries of a node in every call, so that each call takes longer the more there are. */
export const mostRecords = 10_000;

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
 * The store may fail in any call. Then records are sent that were written before, and none is skipped.
 */
export class WrittenRecords {
	/** Whether this run has more records than can be remembered. */
	readonly tooMany: boolean;

	/** What the store said, when it failed in both attempts of a call. */
	failure?: unknown;

	private readonly store: EntryStore;

	private readonly bound: number;

	private isStarted = false;

	/** Confirmed by this run or an earlier one. */
	private readonly written = new Set<string>();

	/** Looked up by an earlier run, which confirmed nothing. */
	private readonly doubtful = new Set<string>();

	/** Entries that the store still has, of records that were confirmed or refused. */
	private readonly obsolete = new Set<string>();

	/** @param total how many records the whole run has */
	constructor(store: EntryStore, total: number, bound = mostRecords) {
		this.store = store;
		this.bound = bound;
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
		const entries = [...open.map(toDone), ...open.map(toDoubt)];
		const known = await this.call(async () => await this.store.checkAndRecord(entries));
		if (!known) return;
		const found = open.filter((record) => known.has(toDone(record)));
		for (const record of found)
			(known.has(toDoubt(record)) ? this.doubtful : this.written).add(record);
		await this.remove(found.filter((record) => this.has(record)).map(toDoubt));
	}

	/** Notes a record that was written. */
	confirm(record: string): void {
		if (this.has(record)) return;
		this.written.add(record);
		// An item before may have had the same record, and was refused.
		this.obsolete.delete(toDone(record));
		this.obsolete.add(toDoubt(record));
	}

	/** Notes a record that may have been written. */
	doubt(record: string): void {
		if (this.has(record)) return;
		this.doubtful.add(record);
		// An item before may have had the same record, and was refused.
		for (const entry of [toDone(record), toDoubt(record)]) this.obsolete.delete(entry);
	}

	/** Notes a record that certainly was not written, so that nothing of it stays in the store. */
	refuse(record: string): void {
		if (this.has(record) || this.isDoubtful(record)) return;
		this.obsolete.add(toDone(record)).add(toDoubt(record));
	}

	/** Remembers what was confirmed or refused. All other records stay in doubt, so that the next run sends them. */
	async save(): Promise<void> {
		const entries = [...this.obsolete];
		this.obsolete.clear();
		if (!this.tooMany) await this.remove(entries);
	}

	/**
	 * Forgets everything but the records of this run when the store has grown beyond the bound: records that changed, or
	 * no longer exist, leave their entries behind. A small run, such as one batch of a loop, and one that did not reach
	 * all of its records, would forget many that are still there. So they let the store grow to twice the bound.
	 * @param isWhole whether the run reached all of its records
	 */
	async close(isWhole: boolean): Promise<void> {
		if (this.tooMany || !this.isStarted) return;
		const keepsMost = isWhole && this.written.size >= this.bound / 4;
		const count = (await this.call(async () => await this.store.count())) ?? 0;
		if (count <= (keepsMost ? this.bound : 2 * this.bound)) return;
		await this.call(async () => await this.store.clear());
		if (this.written.size === 0) return;
		await this.call(async () => await this.store.checkAndRecord([...this.written].map(toDone)));
	}

	/** Runs that are always killed never close, and would fill the store without an end. */
	private async start(): Promise<void> {
		if (this.isStarted) return;
		this.isStarted = true;
		const count = (await this.call(async () => await this.store.count())) ?? 0;
		if (count > 3 * this.bound) await this.call(async () => await this.store.clear());
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.call(async () => await this.store.remove(entries));
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
