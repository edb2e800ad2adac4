import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { PathSegmentError } from '../../api/path';
import { type ApiRequest, isObject, isRepeatable } from '../../api/request';
import type { FileFormat } from '../../files/listFile';
import { compileParameter } from '../../parameters/mapping';
import { ItemRefusedError, refuseItem } from '../../parameters/problem';
import { readValues } from '../../parameters/read';
import type { Execution } from './execution';
import type { InputSource, Operation, SentOnce } from './operation';
import type { OutputChoice } from './output';
import { completeOptions, type Options } from './sharedParameters';

/** The parameters that operations share. */
export type CommonValues = OutputChoice & {
	/** Not there in an AI tool. */
	outputAs?: 'items' | FileFormat;
	returnAll?: boolean;
	limit?: number;
	/** For files. */
	binaryPropertyName?: string;
	options: Options;
};

/** What one item asks for, read and checked, with nothing sent yet. */
export interface Plan {
	values: CommonValues;
	request: ApiRequest;
	/** The input item. */
	json: IDataObject;
	/** The idempotency key that the node made for the request. */
	madeKey?: string;
	/** The same with another key in place of that one. */
	withKey: (key: string | undefined) => Plan;
	writesTo: string[];
	/** Present when it is sent only if no earlier run has written it. */
	sentOnce?: SentOnce;
	/** Whether sending it later than another item's write to the same record would undo that one. */
	replacesState: boolean;
	/** It looks before it writes, so that it can be sent again. */
	looksFirst: boolean;
	isDryRun: boolean;
}

export function isPlan(plan: Plan | Error): plan is Plan {
	return !(plan instanceof Error);
}

/** @returns the error that reading the item threw, if it is invalid */
export type Planner = (json: IDataObject, item: number) => Plan | Error;

/** Reads and checks the items of one run, and sends nothing. */
export function openPlanner(
	context: IExecuteFunctions,
	operation: Operation,
	execution: Execution,
): Planner {
	const { properties, checks } = operation;
	const { isTool } = execution;
	const zone = context.getTimezone();
	const read = openParameters(context, properties, isTool);
	return (json, item) => {
		let values: Record<string, unknown> = {};
		try {
			values = readValues(properties, checks, {
				get: (name) => read(name, json, item),
				zone,
				isTool,
			});
			return makePlan(operation, values, {
				json,
				zone,
				makeKey: () => execution.makeKey(json, item),
			});
		} catch (error) {
			if (error instanceof PathSegmentError) {
				const parameter = properties.find(({ name }) => values[name] === error.value);
				return new ItemRefusedError([
					{ parameter: parameter?.displayName ?? 'ID', message: error.message },
				]);
			}
			return error instanceof Error ? error : new Error(String(error));
		}
	};
}

/** Reads a parameter for an item. n8n does it for a tool, whose values a model provides. */
function openParameters(
	context: IExecuteFunctions,
	properties: INodeProperties[],
	isTool: boolean,
): (name: string, json: IDataObject, item: number) => unknown {
	const saved = isTool ? {} : context.getNode().parameters;
	const readers = new Map(
		properties
			.filter(({ name }) => name in saved)
			.map(({ name }) => [name, compileParameter(saved[name], name)]),
	);
	return (name, json, item) => {
		const evaluate = (path: string): unknown =>
			context.getNodeParameter(path, item, null, { skipValidation: true });
		return (readers.get(name) ?? ((_, evaluateWhole) => evaluateWhole(name)))(json, evaluate);
	};
}

function makePlan(
	operation: Operation,
	values: Record<string, unknown>,
	source: InputSource,
): Plan {
	let madeKey: string | undefined;
	const makeKey = () => (madeKey = source.makeKey());
	const request = operation.request(values, { ...source, makeKey });
	checkQuery(operation, request);
	// readValues builds them from the shared parameters, which every operation has.
	const common = values as Partial<CommonValues>;
	const plan: Plan = {
		values: { ...common, options: completeOptions(common.options) },
		request,
		json: source.json,
		madeKey,
		withKey: (key = '') => ({
			...plan,
			request: operation.request(values, { ...source, makeKey: () => key }),
		}),
		writesTo: operation.writesTo?.(values) ?? [],
		sentOnce: operation.sendsOnce?.(values, request),
		replacesState: operation.replacesState ?? replacesState(request),
		looksFirst: operation.decide !== undefined,
		isDryRun: operation.writes === true && common.options?.dryRun === true,
	};
	return plan;
}

/** Whether a request leaves a record in a state that the next such request replaces. */
export function replacesState(request: ApiRequest): boolean {
	return isRepeatable(request) && !(isObject(request.body) && 'idempotencyKey' in request.body);
}

/** Half of a surrogate pair cannot stand in a URL: encodeURIComponent would throw a URIError that names nothing. */
function checkQuery({ properties }: Operation, { query = {} }: ApiRequest): void {
	for (const [name, value] of Object.entries(query)) {
		if (typeof value !== 'string' || value.isWellFormed()) continue;
		const parameter = properties.find((property) => property.name === name);
		refuseItem(parameter?.displayName ?? name, 'is not valid Unicode');
	}
}
