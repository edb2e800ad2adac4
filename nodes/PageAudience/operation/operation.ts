import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Paging } from '../../api/paginate';
import type { ApiRequest, ApiResponse } from '../../api/request';
import type { LeftOut } from '../../parameters/problem';
import type { Checks } from '../../parameters/read';
import type { ValuesOf } from '../../parameters/values';
import type { Attempt } from '../ledger/ledger';
import type { ProcessStore } from '../ledger/processStore';
import type { OutputGroup } from './output';
import { completeProperties, optionChecks } from './sharedParameters';

/*
 * An operation is one object. Its functions take values of its own type, which the literals in `properties` make, and an
 * `Operation` in a list may be any of them. The compiler accepts that because they are written as methods, whose parameters
 * it does not compare strictly (method bivariance). readValues makes it safe: it builds the values from these literals.
 */

/** What a request may be built from besides the parameters' values. */
export interface InputSource {
	json: IDataObject;
	zone: string;
	/**
	 * A key that stays the same when n8n runs this item of this execution again, and differs for every other item.
	 * @param of what the request writes to, which the item alone may not tell
	 */
	makeIdempotencyKey: (of: unknown) => string;
	/** What could not be read, and is not among the values. */
	leftOut: readonly LeftOut[];
	/** Tells the person beside the output. */
	hint: (message: string) => void;
	/** Options > Send As Is. */
	sendAsIs?: boolean;
}

/** A write that is sent once, and remembered from run to run. */
export interface SyncedRecord {
	key: string;
	/** Its name: of two items with one record, the second one waits, and is skipped. */
	record: string;
	/** What is returned in place of the record when it is skipped. */
	output: IDataObject;
}

/** What becomes of an item that writes, with the words of a summary, in its order. */
export const outcomeWords = {
	created: 'created',
	updated: 'updated',
	wouldCreate: 'would be created',
	wouldUpdate: 'would be updated',
	found: 'found',
	unchanged: 'unchanged',
	written: 'written',
	wouldWrite: 'would be written',
	skipped: 'skipped',
} as const;

export type WriteOutcome = keyof typeof outcomeWords;

interface WritesGroup<V = object> {
	/** The field of the record's ID. A response without it does not say that the work is done. */
	id: string;
	/** The records that a request changes: those of one record go out one after another, in input order. */
	changes?(values: V): string[];
	/** What can become of an item. A report counts them, and the record names its own as `outcome`. By default, it is written. */
	outcomes?: readonly WriteOutcome[];
	/** For a write that is not sent when an earlier run, of any execution, has sent it and saw it succeed. */
	synced?(values: V, request: ApiRequest): SyncedRecord | undefined;
	/** The path of the parameter that identifies the record in its source. A report names failed items by it. */
	identifiedBy?: string;
	/**
	 * The output when the service rejects a repeat with 409, for a request with an idempotency key: the first response,
	 * which had the record, is lost.
	 */
	alreadyStored?(values: V): IDataObject;
}

/** What a list reads for each of its records, where that is wanted. */
interface Completion<V = object> {
	/** The names of the fields that records get with these values. Without any, nothing is read. */
	fields(values: V): string[];
	complete(record: IDataObject, fields: string[], run: ItemContext): Promise<IDataObject>;
}

export interface ListOptions<T> {
	/** The field that identifies a record. */
	id: string;
	/** How many to ask for at once, where the service accepts that. */
	largest?: number;
	/** What to keep of a record, so that a long list takes no memory. */
	pick: (record: IDataObject) => T[];
}

/** What was picked of a list's records. */
export interface Picked<T> {
	found: T[];
	/** Whether none can be missing: the list did not move while it was read, and has all records that the service counts. */
	isWhole: boolean;
}

/** One run of the node, as the operations with a `run` of their own see it. */
export interface RunContext<V = object> {
	n8n: IExecuteFunctions;
	/** What was lately written, for operations that look first. */
	processStore: ProcessStore;
	/** The values of all valid items. */
	all: readonly V[];
	/** 0 sends every request once. */
	maxRetries: number;
	isDryRun: boolean;
	/**
	 * @param repeated whether an earlier attempt may have done the same
	 * @throws {RequestFailedError} when the request does not succeed
	 * @throws the abort's reason when the execution was cancelled
	 */
	send: (request: ApiRequest, repeated?: boolean) => Promise<ApiResponse>;
	/** Reads a list that comes in pages by cursor. */
	list: <T>(request: ApiRequest, options: ListOptions<T>) => Promise<Picked<T>>;
	/**
	 * Sends all requests, as many at once as Max Concurrent Requests allows. The first that fails ends the rest.
	 * @throws as `send` does
	 */
	sendAll: (requests: ApiRequest[]) => Promise<ApiResponse[]>;
	/** What `make` returns for the first item that asks for it. */
	once: <T>(name: string, make: () => T) => T;
	/** @throws the abort's reason when the execution is cancelled during the wait */
	wait: (ms: number) => Promise<void>;
}

export interface ItemContext<V = object> extends RunContext<V> {
	/** What the operation's `request` returned for this item. */
	request: ApiRequest;
	/** The records that it changes, as `writes.changes` names them. */
	changes: () => readonly string[];
	json: IDataObject;
	/** What it writes is sent through this. */
	attempt: Attempt;
	/** Tells the person beside the output. */
	hint: (message: string) => void;
}

/** One entry of the Operation list. Without `paging` and `run`, it sends its request and returns the record. */
export interface Operation<V = object> {
	name: string;
	value: string;
	/** What n8n's list of nodes calls it. */
	action: string;
	description: string;
	/** When a model that builds workflows should choose it, and what it has to know. */
	forModels?: string;
	/** Its own fields, as literals, which type the values of all functions here. */
	properties: INodeProperties[];
	/** Beyond what a parameter's type says: bounds, patterns, trimming. */
	checks?: Checks;
	/**
	 * A pure function from one item's values to one request, so that all items are checked before anything is sent.
	 * @throws {ItemRefusedError} for values that contradict each other
	 */
	request(values: V, source: InputSource): ApiRequest;
	/**
	 * The records of a response. By default the response is the one record.
	 * @param hint tells the person beside the output
	 */
	records?(response: ApiResponse, values: V, hint: (message: string) => void): IDataObject[];
	/**
	 * The parameters that say whose records are read, and what a model does in place of leaving one blank. If it is empty
	 * in the panel, all records are read. If an expression is blank for an item, the item is refused.
	 */
	narrowedBy?: Readonly<Record<string, string>>;
	/**
	 * Parameters that mean something else when an expression leaves them, or a member of them, blank, by their paths, e.g.
	 * `updateFields.metadata`.
	 */
	keepsWhole?: readonly string[];
	/** How its list comes in pages. Adds Return All, Limit and Output as File. */
	paging?: Paging;
	/** What further requests add to each record of its list. */
	completion?: Completion<V>;
	/** What it does where one request is not enough, in place of sending `request`. Where it writes, it looks first. */
	run?(values: V, run: ItemContext<V>): Promise<IDataObject[]>;
	/** For the documentation: the endpoints, as `GET /v0/persons`, where there are more than the one of `request`. */
	uses?: readonly string[];
	writes?: WritesGroup<V>;
	/** What it returns, if not just what the API sent. */
	output?: OutputGroup<V>;
}

/** Whether it looks what is there before it writes. Its record then names what became of it, as `outcome`. */
export function looksFirst({ writes, run }: Operation): boolean {
	return writes !== undefined && run !== undefined;
}

/** @param definition `values` of its functions is typed by the literals in `properties` */
export function defineOperation<const P extends INodeProperties[]>(
	definition: Operation<ValuesOf<P>> & { properties: P },
): Operation {
	const { checks: own = {} } = definition;
	const checks = { ...own, options: { ...optionChecks, ...(own.options as Checks | undefined) } };
	return { ...definition, checks, properties: completeProperties({ ...definition, checks }) };
}

/** One entry of the Resource select, with its operations. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}
