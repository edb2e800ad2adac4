import type { IExecuteFunctions } from 'n8n-workflow';
import { withKeyLock } from '../../../runtime/keyLock';
import type { EntryStore } from './writtenRecords';

/** Of this node in this workflow. A copy of the workflow has entries of its own. */
const scope = 'node';

const options = { mode: 'entries' } as const;

/**
 * The entries that n8n keeps in its database for a node, as Remove Duplicates uses them. All processes of an n8n share
 * them, and a Retry sees them as they are now. n8n reads and writes them without a lock, so the executions of one
 * process take turns. Two processes may still overwrite each other's entries.
 */
export class ProcessedEntries implements EntryStore {
	private readonly helpers: IExecuteFunctions['helpers'];

	private readonly key: string;

	constructor(context: IExecuteFunctions) {
		this.helpers = context.helpers;
		this.key = `processed entries of ${context.getWorkflow().id} ${context.getNode().id}`;
	}

	async checkAndRecord(entries: string[]): Promise<Set<string>> {
		const { processed } = await withKeyLock(
			this.key,
			async () => await this.helpers.checkProcessedAndRecord(entries, scope, options),
		);
		return new Set(processed.map(String));
	}

	async remove(entries: string[]): Promise<void> {
		await withKeyLock(
			this.key,
			async () => await this.helpers.removeProcessed(entries, scope, options),
		);
	}

	async clear(): Promise<void> {
		await withKeyLock(
			this.key,
			async () => await this.helpers.clearAllProcessedItems(scope, options),
		);
	}

	async count(): Promise<number> {
		return await withKeyLock(
			this.key,
			async () => await this.helpers.getProcessedDataCount(scope, options),
		);
	}
}
