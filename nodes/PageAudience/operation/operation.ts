import type { IDataObject, INodeProperties, IParameterBuilderHint } from 'n8n-workflow';
import type { Paging } from '../../api/paginate';
import type { ApiRequest, ApiResponse } from '../../api/request';
import type { Checks } from '../../parameters/read';
import type { ValuesOf } from '../../parameters/values';
import type { RecordShape } from '../../records/shapes';
import type { Call } from './call';
import {
	dryRun,
	listChecks,
	listOptions,
	listParameters,
	outputParameters,
	recordOptions,
	report,
} from './sharedParameters';

/*
 * An operation is one object. Its functions are methods, so that the compiler accepts those that take values of a more
 * exact type: readValues builds these from the literals in `properties`.
 */

/** What a request may be built from besides the parameters' values. */
export interface InputSource {
	/** The input item. */
	json: IDataObject;
	/** The workflow's time zone. */
	zone: string;
	/**
	 * A key that stays the same when n8n runs this item of this execution again, and differs for every other item.
	 * @param of what the request writes to, which the item alone may not tell
	 */
	makeKey: (of: unknown) => string;
}

/** An entry of a select; `builderHint` is for models that build workflows. */
interface Entry {
	name: string;
	value: string;
	builderHint?: IParameterBuilderHint;
}

/** A field of the output, as JSON Schema describes it. */
export interface FieldSchema {
	type: string | string[];
	items?: FieldSchema;
	properties?: Record<string, FieldSchema>;
}

/** A field that the node adds to each record. It never replaces one of the API's, and Simplify keeps it. */
export interface AddedField<V = object> extends FieldSchema {
	/** The label of the parameter that it takes; without one, every record has it. */
	with?: string;
	/** Its value, where that is the same for all records of an item. undefined adds nothing. */
	from?(values: V, request: ApiRequest): string | boolean | undefined;
}

/** What an operation returns. */
export interface OutputGroup<V = object> {
	/** The record's fields. With `simplified`, the operation offers Simplify. */
	shape?: RecordShape;
	/** The fields that the node adds, with their types. Simplify keeps them. */
	adds?: Record<string, AddedField<V>>;
	/** Whether `adds` has all fields, because the output is no record of the API. */
	isOwn?: boolean;
	/** The fields that a model gets, because it reads the whole output. By default all. */
	forTools?: readonly string[];
}

/** A write that is sent once, and remembered from run to run. */
export interface SyncedRecord {
	/** Its idempotency key, which is the same in every execution. */
	key: string;
	/** What is returned in place of the record when it is skipped. */
	output: IDataObject;
}

/** What an operation changes in the service. It offers Dry Run and Report. */
export interface WritesGroup<V = object> {
	/** The field of the record's ID. A response without it does not say that the work is done. */
	id: string;
	/** The records that a request changes: those of one record go out one after another, in input order. */
	changes?(values: V): string[];
	/** For a write that is not sent when an earlier run, of any execution, has sent it and saw it succeed. */
	synced?(values: V, request: ApiRequest): SyncedRecord | undefined;
	/**
	 * The output when the service rejects a repeat with 409, for a request with an idempotency key: the first response,
	 * which had the record, is lost.
	 */
	alreadyStored?(values: V): IDataObject;
}

interface DescribedOperation<V> {
	/** Its entry in the Operation list. */
	option: Entry & { action: string; description: string };
	/** Its own fields, as literals, which type the values of all functions here. */
	properties: INodeProperties[];
	/** Beyond what a parameter's type says: bounds, patterns, trimming. */
	checks?: Checks;
	/**
	 * A pure function from one item's values to one request.
	 * @throws {ItemRefusedError} for values that contradict each other
	 */
	request(values: V, source: InputSource): ApiRequest;
	/** What it returns, if not just what the API sent. */
	output?: OutputGroup<V>;
}

/**
 * The members that only some kinds of operations have. Each kind takes its own out of this, so that one that has a member
 * of another kind does not compile.
 */
interface NoKind {
	writes?: never;
	records?: never;
	hint?: never;
	paging?: never;
	completion?: never;
	read?: never;
	uses?: never;
	readsOnce?: never;
	ensure?: never;
}

/** One request. */
export interface SingleRequest<V = object>
	extends DescribedOperation<V>,
		Omit<NoKind, 'writes' | 'records' | 'hint'> {
	/** What it changes in the service. Adds Dry Run and Report. */
	writes?: WritesGroup<V>;
	/** The records of a response; by default the response is the one record that was written. */
	records?(response: ApiResponse, values: V): IDataObject[];
	/** An execution hint about the response. */
	hint?(response: ApiResponse, values: V): string | undefined;
}

/** What a list reads for each of its records, where that is wanted. */
export interface Completion<V = object> {
	/** The names of the fields that records get with these values. Without any, nothing is read. */
	fields(values: V): string[];
	/** The record with the named fields. */
	complete(record: IDataObject, fields: string[], call: Call): Promise<IDataObject>;
}

/** A list that comes in pages. */
export interface PagedList<V = object>
	extends DescribedOperation<V>,
		Omit<NoKind, 'paging' | 'completion'> {
	/** `cursor` or `offset`. Adds Return All, Limit, Page Size and Output As. */
	paging: Paging;
	/** What further requests add to each record. */
	completion?: Completion<V>;
}

/** What an operation of several reads starts from. */
export interface ReadSource extends Pick<InputSource, 'json'> {
	/** What `request` returned. */
	request: ApiRequest;
}

/** Several reads. */
export interface SeveralReads<V = object>
	extends DescribedOperation<V>,
		Omit<NoKind, 'read' | 'uses' | 'readsOnce'> {
	/** The records of one item, in place of what `request` returns. */
	read(values: V, call: Call<V>, source: ReadSource): Promise<IDataObject[]>;
	/** The endpoints, as `GET /v0/persons`, where there are others than that of `request`. */
	uses?: readonly string[];
	/** Whether items that ask for the same share one reading. */
	readsOnce?: boolean;
}

/** Finds the records of all items of one call of the node. */
export interface RecordFinder<V = object> {
	/**
	 * @returns undefined when there is none
	 * @throws {SeveralRecordsError}
	 */
	find(values: V): Promise<IDataObject | undefined>;
	/** Looks anew, after an attempt to create that may have succeeded, or that a record stands against. */
	findAgain(values: V): Promise<IDataObject | undefined>;
	/** Whether there is no record if looking anew finds none. A search alone does not show that. */
	provesAbsence(values: V): boolean;
	/** Notes a record that was written or, in a dry run, would be, for the items that follow. */
	remember(record: IDataObject, values: V): void;
}

/** Looks whether a record exists, and writes only what is missing. */
export interface EnsureGroup<V = object> {
	/** Opens what finds the records of all items. */
	openFinder(call: Call<V>): RecordFinder<V>;
	/** What changes a record that exists; undefined if it is as wanted. Without it, such a record stays unchanged. */
	update?(record: IDataObject, values: V): ApiRequest | undefined;
	/** The status with which the service returns a record that exists in place of creating one. */
	existingStatus?: number;
	/**
	 * Refuses a record that the service returned in place of the asked one.
	 * @throws {LookupError}
	 */
	check?(record: IDataObject, values: V): void;
}

/** Looks, then writes. Its `request` creates the record. */
export interface LookThenWrite<V = object>
	extends DescribedOperation<V>,
		Omit<NoKind, 'writes' | 'uses' | 'ensure'> {
	/** How it finds the record, and what it changes in one that exists. */
	ensure: EnsureGroup<V>;
	/** What it changes in the service. Adds Dry Run and Report. */
	writes: Pick<WritesGroup<V>, 'id' | 'changes'>;
	/** The endpoints, as `GET /v0/persons`. */
	uses: readonly string[];
}

export type Operation<V = object> =
	| SingleRequest<V>
	| PagedList<V>
	| SeveralReads<V>
	| LookThenWrite<V>;

/** @param definition `values` of its functions is typed by the literals in `properties` */
export function defineOperation<const P extends INodeProperties[]>(
	definition: Operation<ValuesOf<P>> & { properties: P },
): Operation {
	const { paging, output } = definition;
	const checks = { ...(paging ? listChecks : {}), ...definition.checks };
	const given: INodeProperties[] = definition.properties;
	const own = given.filter(({ name }) => name !== 'options');
	const ownOptions = given.find(({ name }) => name === 'options');
	const collectionsFrom = own.findIndex(
		({ type }) => type === 'collection' || type === 'fixedCollection',
	);
	const listAt = collectionsFrom < 0 ? own.length : collectionsFrom;
	const properties = [
		...own.slice(0, listAt),
		...(paging ? listParameters : []),
		...own.slice(listAt),
		...(output?.shape?.simplified ? outputParameters(output.shape, paging !== undefined) : []),
		withOptions(
			paging ? listOptions : recordOptions,
			...(ownOptions?.options ?? []),
			...(definition.writes ? [dryRun, report] : []),
		),
	];
	return { ...definition, checks, properties };
}

/** The options that operations share together with those of one operation, by label as n8n shows them. */
function withOptions(
	shared: INodeProperties,
	...own: NonNullable<INodeProperties['options']>
): INodeProperties {
	const options = [...(shared.options ?? []), ...own] as INodeProperties[];
	return {
		...shared,
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** One entry of the Resource select, with its operations. */
export interface Resource {
	option: Entry;
	/** What the API cannot do, said where one looks for it. */
	notice?: string;
	operations: Operation[];
}
