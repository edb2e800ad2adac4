import type { IDataObject, INodeProperties, IParameterBuilderHint } from 'n8n-workflow';
import type { Paging } from '../../api/paginate';
import type { ApiResponse, ApiRequest } from '../../api/request';
import { readRecord } from '../../api/response';
import type { Checks } from '../../parameters/read';
import type { ValuesOf } from '../../parameters/values';
import type { RecordShape } from '../../records/shape';
import type { Call } from './call';
import type { Decision, Situation } from './settle';
import {
	dryRun,
	listChecks,
	listOptions,
	listParameters,
	outputParameters,
	recordOptions,
} from './sharedParameters';

/** What a request may be built from besides the parameters' values. */
export interface InputSource {
	/** The input item. */
	json: IDataObject;
	/** The workflow's time zone. */
	zone: string;
	/** A key that stays the same when n8n runs this item of this execution again, and differs for every other item. */
	makeKey: () => string;
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

/** What an operation of several reads starts from. */
export interface Planned {
	/** The input item. */
	json: IDataObject;
	/** What `request` returned. */
	request: ApiRequest;
}

/** What a list reads for each of its records, where that is wanted. */
export interface Completion<V = object> {
	/** The parameter's label, for the documentation. */
	label: string;
	/** The fields that it adds. They are in the output with Simplify, too. */
	fields: readonly string[];
	isWanted: (values: V) => boolean;
	complete: (record: IDataObject, call: Call) => Promise<IDataObject>;
}

/** The record of one item, after everything was written. */
export interface Written<V = object> {
	values: V;
	record: IDataObject;
}

/** A write that is sent once and remembered from run to run. */
export interface SentOnce {
	/** Its idempotency key, which is the same in every execution. */
	key: string;
	/** What is returned in place of the record when it is skipped. */
	output: IDataObject;
}

/** An operation as its file defines it; `values` is typed by the literals in `properties`. */
export interface Definition<P extends INodeProperties[]> {
	option: Entry & { action: string; description: string };
	properties: P;
	/** Beyond what a parameter's type says: bounds, patterns, trimming. */
	checks?: Checks;
	/**
	 * A pure function from one item's values to one request.
	 * @throws {ItemRefusedError} for values that contradict each other
	 */
	request: (values: ValuesOf<P>, source: InputSource) => ApiRequest;
	/** Whether the operation changes anything in the service. Adds Dry Run. */
	writes?: boolean;
	/**
	 * For a write that first looks whether it is needed: what to send for one item, in place of `request`. That one is what
	 * is sent when there is nothing yet.
	 */
	decide?: (
		values: ValuesOf<P>,
		call: Call<ValuesOf<P>>,
		situation: Situation,
	) => Promise<Decision>;
	/** Looks at the records of all items once they are written, and may add to them. */
	review?: (records: ReadonlyArray<Written<ValuesOf<P>>>, call: Call<ValuesOf<P>>) => Promise<void>;
	/** For an operation of several reads: the records of one item, in place of what `request` returns. */
	read?: (values: ValuesOf<P>, call: Call<ValuesOf<P>>, planned: Planned) => Promise<IDataObject[]>;
	/** Whether items that ask for the same share one reading. */
	readsOnce?: boolean;
	/** The endpoints that an operation of several requests uses, as `GET /v0/persons`. */
	uses?: readonly string[];
	/** Fields that it adds to the records, with their types. They are in the output with Simplify, too. */
	adds?: Record<string, string>;
	/** Fields of the output, with their types, where it is no record of the API. */
	returns?: Record<string, FieldSchema>;
	/** Fields of the records of a list that need a further request for each. */
	completion?: Completion<ValuesOf<P>>;
	/** For a list that comes in pages. */
	paging?: Paging;
	/** The records of a response; by default the response is one record. */
	records?: (response: ApiResponse, values: ValuesOf<P>) => IDataObject[];
	/** Fields that the node adds to each record; they never replace one of the API's. */
	additions?: (values: ValuesOf<P>, request: ApiRequest) => IDataObject;
	/** An execution hint about the response. */
	describeResponse?: (response: ApiResponse, values: ValuesOf<P>) => string | undefined;
	/**
	 * The output when the service rejects a repeat with 409, for a request with an idempotency key: the first response,
	 * which had the record, is lost.
	 */
	alreadyDone?: (request: ApiRequest) => IDataObject;
	/** For a write that is not sent when an earlier run, of any execution, has sent it and saw it succeed. */
	sendsOnce?: (values: ValuesOf<P>, request: ApiRequest) => SentOnce | undefined;
	/** The record's fields. With `simplified`, the operation offers Simplify. */
	shape?: RecordShape;
	/** The fields that a model gets, because it reads the whole output. By default all. */
	forTools?: readonly string[];
	/** What looks wrong about values that the API may accept: told with their items, and sent as given. */
	doubts?: (values: ValuesOf<P>) => string[];
	/** The records that a request writes to: writes to the same one go out one after another, in input order. */
	writesTo?: (values: ValuesOf<P>) => string[];
	/**
	 * Whether the write replaces what an earlier one wrote, so that sending an earlier one later would undo it.
	 * Default: true for requests that can be repeated and have no idempotency key.
	 */
	replacesState?: boolean;
}

/**
 * An operation as the executor runs it. Its functions are methods, so that the compiler accepts those that take
 * values of a more exact type: readValues builds these from the same literals.
 */
export interface Operation {
	option: Definition<INodeProperties[]>['option'];
	properties: INodeProperties[];
	checks: Checks;
	request(values: object, source: InputSource): ApiRequest;
	writes?: boolean;
	decide?(values: object, call: Call, situation: Situation): Promise<Decision>;
	review?(records: readonly Written[], call: Call): Promise<void>;
	read?(values: object, call: Call, planned: Planned): Promise<IDataObject[]>;
	readsOnce?: boolean;
	uses?: readonly string[];
	adds?: Record<string, string>;
	returns?: Record<string, FieldSchema>;
	completion?: Pick<Completion, 'label' | 'fields' | 'complete'> & {
		isWanted(values: object): boolean;
	};
	paging?: Paging;
	records(response: ApiResponse, values: object): IDataObject[];
	additions?(values: object, request: ApiRequest): IDataObject;
	describeResponse?(response: ApiResponse, values: object): string | undefined;
	alreadyDone?(request: ApiRequest): IDataObject;
	sendsOnce?(values: object, request: ApiRequest): SentOnce | undefined;
	shape?: RecordShape;
	forTools?: readonly string[];
	doubts?(values: object): string[];
	writesTo?(values: object): string[];
	replacesState?: boolean;
}

export function defineOperation<const P extends INodeProperties[]>(
	definition: Definition<P>,
): Operation {
	const { paging, shape, records = (response) => [readRecord(response)] } = definition;
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
		...(shape?.simplified ? outputParameters(shape, paging !== undefined) : []),
		withOptions(
			paging ? listOptions : recordOptions,
			...(ownOptions?.options ?? []),
			...(definition.writes ? [dryRun] : []),
		),
	];
	return { ...definition, checks, records, properties };
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

export function defineResource(resource: Resource): Resource {
	return resource;
}
