import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiClient } from '../../api/client';
import type { ReadPage } from '../../api/paginate';
import type { ApiRequest } from '../../api/request';
import type { FormatSettings } from '../../files/listFile';
import type { LeftOut } from '../../parameters/problem';
import type { Result } from '../../runtime/runTasks';
import type { ExecutionStore, WritingRun } from '../ledger/ledger';
import type { NodeStore } from '../ledger/nodeStore';
import type { Operation, RunContext, SyncedRecord, WriteOutcome } from '../operation/operation';
import type { OutputChoice } from '../operation/output';
import type { usualOptions } from '../operation/sharedParameters';
import type { Hints } from './messages';

/*
 * What the stages of a run hand to each other: plan.ts makes the plans, openRun.ts opens what sends them, execute.ts makes
 * a result of each, and run.ts the output of all.
 */

/** One run of the node. No stage changes it, but for the hints and the ledger, which have methods for that. */
export interface Run {
	context: IExecuteFunctions;
	operation: Operation;
	/** Names the operation, e.g. `person.create`. */
	name: string;
	execution: Execution;
	options: RunOptions;
	/** Fewer than there are items when the execution is cancelled. */
	plans: Plan[];
	hints: Hints;
	/** An item that fails becomes an error item. Otherwise, it ends the run. */
	continueOnFail: boolean;
	signal?: AbortSignal;
	/** Missing while nothing was sent, and for good if the credential cannot be used: then every item has failed. */
	opened?: OpenedRun;
}

export interface Execution extends WritingRun {
	/**
	 * An idempotency key for one item. It stays the same when n8n runs the item again, and differs for every other item
	 * and execution.
	 * @param of what the key stands for: two executions may start in one millisecond with equal items
	 */
	keyFor: (json: IDataObject, item: number, of: unknown) => string;
}

/** The options that hold for a whole run, read once. */
export type RunOptions = typeof usualOptions & { pageSize?: number };

/** What an input item becomes: a plan, or what is wrong with it. */
export type Plan = PlannedItem | Error;

export interface PlannedItem {
	item: number;
	values: CommonValues;
	request: ApiRequest;
	json: IDataObject;
	/** The records that it changes, read when somebody asks: what is skipped needs none. */
	changes: () => readonly string[];
	/** Present when it is sent only if no earlier run has written it. */
	synced?: SyncedRecord;
	/** Values that cannot be read, which it goes out without. */
	leftOut: readonly LeftOut[];
}

/** The parameters that operations share, besides the options of the run. */
export type CommonValues = OutputChoice & {
	returnAll?: boolean;
	limit?: number;
	options: {
		/** Not there in an AI tool. */
		file?: { value?: FileValues };
		keepEmpty?: boolean;
	};
};

export interface FileValues extends FormatSettings {
	binaryPropertyName: string;
}

/** What a run works with once its credential is read. */
export interface OpenedRun {
	client: ApiClient;
	/** What runs of the node have written. `node` is there where that is remembered from execution to execution. */
	ledger: { execution: ExecutionStore; node?: NodeStore };
	/** The run as operations see it. */
	runContext: RunContext;
	/** To call when all items are done. */
	close: () => void;
}

export interface ItemOutput {
	records: IDataObject[];
	/** Of a list that comes in pages: whether it has more records, and how many it has, where the service says so. */
	list?: Pick<ReadPage, 'more' | 'totalCount'>;
	binary?: IBinaryKeyData;
	/** Of an item that writes. */
	outcome?: WriteOutcome;
}

export type ItemResult = Result<ItemOutput>;
