import {
	type EntryStore,
	WrittenRecords,
} from '../../../../nodes/PageAudience/run/synced/writtenRecords.ts';

/** What the service does with a key that it has seen before. */
export type Repeats = 'honoured' | 'refused' | 'ignored';

/** One execution of the node, of which n8n may be killed. */
export interface Execution {
	records: string[];
	/** The service rejects these. */
	rejected?: string[];
	/** The responses to these are lost, after the service has stored them. */
	unanswered?: string[];
	/** Ends at the first failure, as with On Error: Stop Workflow. */
	stops?: boolean;
	/** n8n is killed at this step: a step is whatever n8n, its database or the service does. */
	killedAt?: number;
	/** Only looks its records up. */
	isDryRun?: boolean;
	/** Calls of the store that fail, before or after they have had their effect. */
	storeFails?: Array<{ call: number; when: 'before' | 'after' }>;
}

interface Settings {
	repeats: Repeats;
	chunkSize: number;
	bound: number;
	/** The most entries removed in one call of a store that is as large as the bound. */
	mostRemoved?: number;
	/** Lets the executions that run at the same moment take turns, in some order. */
	takeTurn?: () => Promise<unknown>;
}

/** A service, n8n's database, and the executions that write to both. */
export class World {
	/** How often the service stored each record. */
	readonly stored = new Map<string, number>();

	/** Records skipped that no execution had confirmed. */
	readonly lost: string[] = [];

	/** How often the node sent a record. */
	sent = 0;

	/** How many entries the node removed. */
	removed = 0;

	/** In how many calls it did so. */
	removals = 0;

	/** The most entries that the database has held. */
	mostEntries = 0;

	/** As n8n keeps them: no row before the first entry. */
	entries?: string[];

	private readonly confirmed = new Set<string>();

	private readonly settings: Settings;

	constructor(settings: Settings) {
		this.settings = settings;
	}

	get doubles(): number {
		return [...this.stored.values()].reduce((sum, times) => sum + times - 1, 0);
	}

	/** Runs an execution to its end, or until n8n is killed. */
	async run(execution: Execution): Promise<WrittenRecords | undefined> {
		const process = new Process(execution.killedAt, this.settings.takeTurn);
		const running = this.work(execution, process);
		return await Promise.race([running, process.killed]);
	}

	private async work(execution: Execution, process: Process): Promise<WrittenRecords> {
		const { chunkSize, bound, mostRemoved } = this.settings;
		const { records } = execution;
		const store = this.openStore(process, execution.storeFails);
		const written = new WrittenRecords(store, new Set(records).size, bound, mostRemoved);
		let isWhole = true;
		for (let start = 0; start < records.length && isWhole; start += chunkSize) {
			const chunk = records.slice(start, start + chunkSize);
			if (execution.isDryRun) await written.peek(chunk);
			else await written.lookUp(chunk);
			this.noteLost(chunk.filter((record) => written.has(record)));
			if (execution.isDryRun) continue;
			const open = chunk.filter((record) => !written.has(record));
			const results = await Promise.all(
				[...new Set(open)].map(async (record) => await this.send(record, execution, process)),
			);
			const done = results.filter((record) => record !== undefined);
			for (const record of done) written.confirm(record);
			for (const record of execution.unanswered ?? [])
				if (open.includes(record)) written.doubt(record);
			await written.save();
			if (execution.stops && done.length < results.length) isWhole = false;
		}
		await written.close(isWhole);
		return written;
	}

	/** @param skipped records that are not sent */
	private noteLost(skipped: string[]): void {
		this.lost.push(...skipped.filter((record) => !this.confirmed.has(record)));
	}

	private async send(
		record: string,
		{ rejected = [], unanswered = [] }: Execution,
		process: Process,
	): Promise<string | undefined> {
		await process.step();
		this.sent++;
		if (rejected.includes(record)) return undefined;
		const before = this.stored.get(record) ?? 0;
		this.stored.set(record, this.settings.repeats === 'ignored' ? before + 1 : 1);
		await process.step();
		if (unanswered.includes(record)) return undefined;
		this.confirmed.add(record);
		return record;
	}

	/** As n8n does it: each call reads all entries, and then writes them back. */
	private openStore(process: Process, failures: Execution['storeFails'] = []): EntryStore {
		let calls = 0;
		const change = async <T,>(
			apply: (entries: string[] | undefined) => [string[] | undefined, T],
		) => {
			const call = calls++;
			const fail = (when: string) => {
				if (failures.some((failure) => failure.call === call && failure.when === when))
					throw new Error('The database is locked');
			};
			await process.step();
			fail('before');
			const isFirst = this.entries === undefined;
			const [next, result] = apply(this.entries && [...this.entries]);
			await process.step();
			if (isFirst && next && this.entries !== undefined)
				throw new Error('UNIQUE constraint failed');
			this.entries = next;
			this.mostEntries = Math.max(this.mostEntries, next?.length ?? 0);
			await process.step();
			fail('after');
			return result;
		};
		return {
			checkAndRecord: async (entries) =>
				await change((known) => {
					const before = new Set(known);
					const fresh = entries.filter((entry) => !before.has(entry));
					return [
						[...(known ?? []), ...fresh],
						new Set(entries.filter((entry) => before.has(entry))),
					];
				}),
			remove: async (entries) => {
				this.removed += entries.length;
				this.removals++;
				await change((known) => [known?.filter((entry) => !entries.includes(entry)), undefined]);
			},
			clear: async () => await change(() => [undefined, undefined]),
			count: async () => {
				await process.step();
				return this.entries?.length ?? 0;
			},
		};
	}
}

/** A process of n8n, which ends without a word when it is killed. */
class Process {
	readonly killed: Promise<undefined>;

	private steps = 0;

	private readonly killedAt: number;

	private readonly takeTurn: () => Promise<unknown>;

	private die: () => void = () => undefined;

	constructor(killedAt = Infinity, takeTurn: () => Promise<unknown> = async () => undefined) {
		this.killedAt = killedAt;
		this.takeTurn = takeTurn;
		this.killed = new Promise((resolve) => (this.die = () => resolve(undefined)));
	}

	async step(): Promise<void> {
		await this.takeTurn();
		if (this.steps++ < this.killedAt) return;
		this.die();
		await new Promise(() => undefined);
	}
}
