import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readAccount } from '../../../api/client';
import { isUntouched, leavesDoubt } from '../../../api/response';
import { hashContent } from '../../../runtime/canonical';
import type { Result, Task } from '../../../runtime/runTasks';
import { writeCount } from '../messages';
import type { Run } from '../open';
import type { Plan } from '../plan';
import { ProcessedEntries } from './processedEntries';
import { mostRecords, WrittenRecords } from './writtenRecords';

/**
 * How many records are looked up, sent and remembered together. Fewer repeat less after a kill, and more need fewer calls
 * of the store, which are slower the more it holds. Measured in a model of n8n's store, in seconds of CPU for a night of
 * 50,000 records:
 *
 * | chunk | all new | none changed | 1 in 100 changed |
 * |---|---|---|---|
 * | 250 | 13.4 | 8.4 | 17.3 |
 * | 1,000 | 10.8 | 2.8 | 8.9 |
 * | 4,000 | 9.5 | 1.4 | 4.6 |
 */
function chooseChunkSize(total: number): number {
	return Math.max(250, Math.ceil(total / 25));
}

interface SyncedItem {
	/** What identifies the write, of the service and account that it goes to. */
	record: string;
	/** What is returned when it is skipped. */
	output: IDataObject;
	/** Whether it only shows what it would send. */
	isDryRun: boolean;
}

/** Those items of a run that are not sent if another execution has written them. */
export class Synced {
	/** By their place in the input. */
	private readonly items: Array<SyncedItem | undefined>;

	private readonly records: WrittenRecords;

	/** How many records the run has. */
	private readonly total: number;

	/** What items in a dry run would have sent, for those after them. */
	private readonly shown = new Set<string>();

	private constructor(context: IExecuteFunctions, items: Array<SyncedItem | undefined>) {
		this.items = items;
		this.total = new Set(items.flatMap((item) => item?.record ?? [])).size;
		this.records = new WrittenRecords(new ProcessedEntries(context), this.total);
	}

	/** A credential that cannot be read fails every item, so that none is looked up. */
	static async open({ context }: Run, plans: Plan[]): Promise<Synced> {
		const find = (plan: Plan) =>
			plan.kind === 'preview' || plan.kind === 'send' ? plan.synced : undefined;
		const found = plans.map(find);
		const isNeeded = found.some((each) => each !== undefined);
		const account = isNeeded ? await readAccount(context).catch(() => undefined) : undefined;
		if (account === undefined) return new Synced(context, []);
		const items = plans.map((plan, item) => {
			const { key, output } = found[item] ?? {};
			if (key === undefined || output === undefined) return undefined;
			const record = hashContent([account.identity, key]);
			return { record, output, isDryRun: plan.kind === 'preview' };
		});
		return new Synced(context, items);
	}

	/** What is returned for an item that is skipped, because its record is written. */
	find(item: number): IDataObject[] | undefined {
		const { record, output } = this.items[item] ?? {};
		return record !== undefined && output && this.records.has(record) ? [output] : undefined;
	}

	/** Whether an item in a dry run would be skipped. The items before it count as sent. */
	isWritten(item: number): boolean {
		const record = this.items[item]?.record;
		if (record === undefined) return false;
		const isKnown = this.records.has(record) || this.shown.has(record);
		this.shown.add(record);
		return isKnown;
	}

	/** Whether an earlier execution may have sent the item. */
	isDoubtful(item: number): boolean {
		const record = this.items[item]?.record;
		return record !== undefined && this.isKnown(record);
	}

	confirm(item: number): void {
		for (const entry of listEntries(this.items[item])) this.records.confirm(entry);
	}

	noteFailure(item: number, error: unknown): void {
		if (isUntouched(error)) this.refuse(item);
		// Another item of the run may have the same record.
		else if (leavesDoubt(error))
			for (const entry of listEntries(this.items[item])) this.records.doubt(entry);
	}

	/** Nothing of the item can have been written. */
	private refuse(item: number): void {
		if (this.items[item]?.isDryRun) return;
		for (const entry of listEntries(this.items[item])) this.records.refuse(entry);
	}

	private isKnown(entry: string): boolean {
		return this.records.has(entry) || this.records.isDoubtful(entry);
	}

	/**
	 * Runs the tasks of all items in chunks. So a run that is killed repeats no more than the chunk under way, even if the
	 * service does not recognize repeated keys.
	 * @param isOver whether nothing more is sent after these results
	 */
	async runInChunks<T>(
		tasks: Array<Task<T>>,
		runChunk: (tasks: Array<Task<T>>) => Promise<Array<Result<T>>>,
		isOver: (results: Array<Result<T>>) => boolean,
	): Promise<Array<Result<T>>> {
		if (this.total === 0) return await runChunk(tasks);
		const chunkSize = chooseChunkSize(this.total);
		const results: Array<Result<T>> = [];
		while (results.length < tasks.length && !isOver(results)) {
			const start = results.length;
			const items = this.items.slice(start, start + chunkSize);
			await this.records.lookUp(items.filter((item) => !item?.isDryRun).flatMap(listEntries));
			await this.records.peek(items.filter((item) => item?.isDryRun).flatMap(listEntries));
			// Two items with one record go one after the other, so that the second one is skipped.
			const chunk = tasks.slice(start, start + chunkSize).map(({ locks, run }, i) => {
				const { record, output } = this.items[start + i] ?? {};
				if (record === undefined) return { locks, run };
				// One that is skipped sends nothing, so it waits for nobody.
				const isSkipped = output && this.records.has(record);
				return { locks: isSkipped ? [] : [...locks, `record ${record}`], run };
			});
			for (const [i, result] of (await runChunk(chunk)).entries()) {
				results.push(result);
				if (result.status === 'not started') this.refuse(start + i);
			}
			await this.records.save();
		}
		await this.records.close(!isOver(results));
		while (results.length < tasks.length) results.push({ status: 'not started' });
		return results;
	}

	describeLimits(): string[] {
		const hints: string[] = [];
		if (this.records.tooMany)
			hints.push(
				`All ${writeCount(this.total)} records are sent, with their keys: n8n can remember ${writeCount(mostRecords)} of them for a node. To send only what changed, split the items between several nodes.`,
			);
		if (this.records.failure !== undefined)
			hints.push(
				`n8n failed to look up or remember some records, so they are sent again with the same keys: ${String(this.records.failure)}`,
			);
		return hints;
	}
}

/** What the store holds of an item. */
function listEntries(item: SyncedItem | undefined): string[] {
	return item ? [item.record] : [];
}
