import type { IDataObject, INodeProperties, IParameterBuilderHint } from 'n8n-workflow';
import type { Paging } from '../../api/paginate';
import type { ApiResponse, ApiRequest } from '../../api/request';
import { readRecord } from '../../api/response';
import type { Checks } from '../../parameters/read';
import type { ValuesOf } from '../../parameters/values';
import type { RecordShape } from './output';
import { listOptions, listParameters, outputParameters, recordOptions } from './sharedParameters';

/** What a request may be built from besides the parameters' values. */
export interface InputSource {
	/** The input item. */
	json: IDataObject;
	/** A key that stays the same when n8n runs this item of this execution again, and differs for every other item. */
	makeKey: () => string;
}

/** An entry of a select; `builderHint` is for models that build workflows. */
interface Entry {
	name: string;
	value: string;
	builderHint?: IParameterBuilderHint;
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
	/** For a list that comes in pages. */
	paging?: Paging;
	/** The records of an response; by default the response is one record. */
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
	/** The record's fields, for an operation that offers Simplify. */
	shape?: RecordShape;
	/** What looks wrong about values that the API may accept: told with their items, and sent as given. */
	doubts?: (values: ValuesOf<P>) => string[];
	/** The records that a request writes to: writes to the same one go out one after another, in input order. */
	writesTo?: (values: ValuesOf<P>) => string[];
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
	paging?: Paging;
	records(response: ApiResponse, values: object): IDataObject[];
	additions?(values: object, request: ApiRequest): IDataObject;
	describeResponse?(response: ApiResponse, values: object): string | undefined;
	alreadyDone?(request: ApiRequest): IDataObject;
	shape?: RecordShape;
	doubts?(values: object): string[];
	writesTo?(values: object): string[];
}

export function defineOperation<const P extends INodeProperties[]>(
	definition: Definition<P>,
): Operation {
	const { paging, shape, checks = {}, records = (response) => [readRecord(response)] } = definition;
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
		...(shape ? outputParameters(shape) : []),
		withOptions(paging ? listOptions : recordOptions, ownOptions),
	];
	return { ...definition, checks, records, properties };
}

/** The options that operations share together with those of one operation, by label as n8n shows them. */
function withOptions(shared: INodeProperties, own?: INodeProperties): INodeProperties {
	const options = [...(shared.options ?? []), ...(own?.options ?? [])] as INodeProperties[];
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
