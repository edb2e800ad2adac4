import type { IExecuteFunctions } from 'n8n-workflow';
import { withKeyLock } from '../../runtime/keyLock';
import { findScope } from './syncScope';

/** Looked up, sent and remembered together: a run that is killed repeats no more than these. */
const chunkSize = 1_000;

/** Removed in one call: n8n searches for each of them from the oldest entry on, and nothing else runs during the call. */
const mostRemoved = 100;

/** n8n reads and writes all entries of a node in every call, so that more of them hold its event loop too long. */
export const mostEntries = 200_000;

/** Where n8n keeps the entries: of this node in this workflow. A copy of the workflow has entries of its own. */
const scope = 'node';
const options = { mode: 'entries' } as const;

/** The numbers of some items that follow each other. */
type Range = [start: number, end: number];

/**
 * The records that earlier runs have written, in the entries that n8n keeps for a node, as Remove Duplicates does.
 *
 * n8n cannot look an entry up without recording it. So each record has two: "done", and "in doubt", which is removed when
 * the record is confirmed. Only a record that is done and not in doubt is skipped. Both are recorded in one step and
 * removed in one step: wherever n8n is killed, the record is sent again, with the same idempotency key.
 */
export class Sync {
	/** What n8n's store said, when it failed: then records are sent that were written before. */
	failure?: unknown;

	/** Whether the node remembered too many records, and has forgotten all of them. */
	isFull = false;

	private readonly helpers: IExecuteFunctions['helpers'];

	private readonly lockKey: string;

	/** The entry of each item, by its number; undefined for an item that is always sent. */
	private entries: Array<string | undefined>;

	/** What is known of the entries that were looked up. A record that was refused has no state. */
	private readonly states = new Map<string, 'written' | 'in doubt'>();

	/** @param keys of the items' records, by the number of the item */
	constructor(context: IExecuteFunctions, keys: Array<string | undefined>) {
		this.helpers = context.helpers;
		this.lockKey = `processed entries of ${context.getWorkflow().id} ${context.getNode().id}`;
		this.entries = keys;
	}

	/**
	 * From here on, the records are those of the key's tenant.
	 * @param identity of the connection
	 */
	async enter(identity: string, readTenant: () => Promise<string>): Promise<void> {
		if (this.entries.every((entry) => entry === undefined)) return;
		const store = {
			record: async (all: string[]) => await this.record(all),
			remove: async (all: string[]) => await this.remove(all),
		};
		const scope = await findScope(store, identity, readTenant);
		this.entries = this.entries.map((key) => key && `${key} ${scope}`);
	}

	stateOf(item: number): 'written' | 'in doubt' | undefined {
		const entry = this.entries[item];
		return entry === undefined ? undefined : this.states.get(entry);
	}

	/** Notes what became of an item. An item that was refused is not noted. */
	note(item: number, state: 'written' | 'in doubt'): void {
		const entry = this.entries[item];
		if (entry !== undefined) this.states.set(entry, state);
	}

	/** The numbers of the items that are sent together. If no item is to be remembered, all are sent together. */
	*listChunks(): Iterable<Range> {
		const { length: total } = this.entries;
		const size = this.entries.some((entry) => entry !== undefined) ? chunkSize : Infinity;
		for (let start = 0; start < total; start += size) yield [start, Math.min(start + size, total)];
	}

	/** Learns which records of a chunk earlier runs have written, and records all of them, in doubt. */
	async lookUp(range: Range): Promise<void> {
		const unknown = this.listEntries(range).filter((entry) => !this.states.has(entry));
		if (unknown.length === 0) return;
		const earlier = await this.record(unknown.flatMap((entry) => [entry, toDoubt(entry)]));
		for (const entry of unknown)
			if (earlier.has(entry))
				this.states.set(entry, earlier.has(toDoubt(entry)) ? 'in doubt' : 'written');
	}

	/**
	 * Removes what the results of a chunk have made obsolete. A record in doubt keeps both entries. A record that was
	 * refused, or not sent at all, loses both.
	 */
	async settle(range: Range): Promise<void> {
		const asked = this.listEntries(range);
		for (let start = 0; start < asked.length; start += mostRemoved) {
			const obsolete = asked.slice(start, start + mostRemoved).flatMap((entry) => {
				const state = this.states.get(entry);
				if (state === 'in doubt') return [];
				return state === 'written' ? [toDoubt(entry)] : [entry, toDoubt(entry)];
			});
			if (obsolete.length > 0) await this.remove(obsolete);
		}
	}

	/**
	 * Forgets all entries if there are too many, because records that changed leave their old entries behind. Every record
	 * is then sent once more.
	 */
	async shrink(): Promise<void> {
		if (this.entries.every((entry) => entry === undefined)) return;
		const count = await this.inTurn(
			async () => await this.helpers.getProcessedDataCount(scope, options),
		);
		this.isFull = (count ?? 0) > mostEntries;
		if (this.isFull)
			await this.inTurn(async () => await this.helpers.clearAllProcessedItems(scope, options));
	}

	/** @returns the entries that were there before, or an empty set if the store fails */
	private async record(entries: string[]): Promise<ReadonlySet<string>> {
		const result = await this.inTurn(
			async () => await this.helpers.checkProcessedAndRecord(entries, scope, options),
		);
		return new Set(result?.processed.map(String));
	}

	private async remove(entries: string[]): Promise<void> {
		await this.inTurn(async () => await this.helpers.removeProcessed(entries, scope, options));
	}

	private listEntries(range: Range): string[] {
		const entries = this.entries.slice(...range);
		return [...new Set(entries.filter((entry) => entry !== undefined))];
	}

	/**
	 * n8n reads and writes the entries without a lock, so the executions of one process take turns. Of two processes that
	 * record a node's first entries at the same moment, one fails, and tries again.
	 */
	private async inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
		const tryOnce = async () => await withKeyLock(this.lockKey, work);
		try {
			return await tryOnce().catch(tryOnce);
		} catch (error) {
			this.failure ??= error;
			return undefined;
		}
	}
}

function toDoubt(entry: string): string {
	return `${entry}?`;
}
