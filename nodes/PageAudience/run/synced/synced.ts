import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readIdentity } from '../../../api/client';
import { hashContent } from '../../../runtime/canonical';
import type { Result, Task } from '../../../runtime/runTasks';
import { mapYielding } from '../../../runtime/eventLoop';
import type { SyncedRecord } from '../../operation/operation';
import type { Plan } from '../plan';
import { ProcessedEntries } from './processedEntries';
import { mostRecords, WrittenRecords } from './writtenRecords';

/**
 * Records looked up, sent and remembered together. Fewer repeat less after a kill, and more need fewer calls of the
 * store. Measured in n8n with SQLite and 10,000 entries, for 5,000 unchanged records: chunks of 50, 100, 250, 500, 1,000
 * and 5,000 cost 0.8, 0.5, 0.35, 0.27, 0.25 and 0.2 s of CPU, and one call blocks n8n for up to 15, 15, 25, 25, 50 and
 * 190 ms. More than 250 gain less than a tenth of a second.
 */
const chunkSize = 250;

interface SyncedItem {
	/** Of its key, and of the service and account that it goes to. */
	record: string;
	/** What is returned when it is skipped. */
	output: IDataObject;
}

/** Those items of a run that are only sent if no earlier run, of any execution, has written them. */
export class Synced {
	/** By their place in the input. */
	private readonly items: Array<SyncedItem | undefined>;

	private readonly records: WrittenRecords;

	/** How many records the run has. */
	private readonly total: number;

	private constructor(context: IExecuteFunctions, items: Array<SyncedItem | undefined>) {
		this.items = items;
		this.total = new Set(items.flatMap((item) => item?.record ?? [])).size;
		this.records = new WrittenRecords(new ProcessedEntries(context), this.total);
	}

	/** A credential that cannot be read fails every item, so that none is looked up. */
	static async open(context: IExecuteFunctions, plans: Plan[]): Promise<Synced> {
		const isNeeded = plans.some((plan) => findSynced(plan) !== undefined);
		const identity = isNeeded ? await readIdentity(context).catch(() => undefined) : undefined;
		if (identity === undefined) return new Synced(context, []);
		const items = await mapYielding(plans, (plan) => {
			const synced = findSynced(plan);
			return synced && { record: hashContent([identity, synced.key]), output: synced.output };
		});
		return new Synced(context, items);
	}

	/** What is returned for an item that is skipped, because its record is written. */
	find(item: number): IDataObject[] | undefined {
		const { record, output } = this.items[item] ?? {};
		return record !== undefined && output && this.records.has(record) ? [output] : undefined;
	}

	confirm(item: number): void {
		const record = this.items[item]?.record;
		if (record !== undefined) this.records.confirm(record);
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
		const results: Array<Result<T>> = [];
		while (results.length < tasks.length && !isOver(results)) {
			const start = results.length;
			const records = this.items.slice(start, start + chunkSize).map((item) => item?.record);
			await this.records.lookUp(records.filter((record) => record !== undefined));
			// Two items with one record go one after the other, so that the second one is skipped.
			const chunk = tasks.slice(start, start + chunkSize).map(({ keys, run }, i) => {
				const record = this.items[start + i]?.record;
				if (record === undefined) return { keys, run };
				// One that is skipped sends nothing, so it waits for nobody.
				return { keys: this.records.has(record) ? [] : [...keys, `record ${record}`], run };
			});
			for (const result of await runChunk(chunk)) results.push(result);
			await this.records.save();
		}
		await this.records.close(results.length === tasks.length && !isOver(results));
		while (results.length < tasks.length) results.push({ status: 'not started' });
		return results;
	}

	describeLimits(): string[] {
		const hints: string[] = [];
		if (this.records.tooMany)
			hints.push(
				`All ${this.total.toLocaleString('en-US')} records were sent, with their keys: n8n can remember ${mostRecords.toLocaleString('en-US')} of them for a node. To send only what changed, split the items between several nodes.`,
			);
		if (this.records.failure !== undefined)
			hints.push(
				`n8n failed to look up or remember some records, so they are sent again with the same keys: ${String(this.records.failure)}`,
			);
		return hints;
	}
}

/** In a dry run, nothing is looked up. */
function findSynced(plan: Plan): SyncedRecord | undefined {
	return plan.kind === 'send' ? plan.synced : undefined;
}
