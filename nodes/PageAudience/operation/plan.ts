import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { PathSegmentError } from '../../api/path';
import { type ApiRequest, isObject, isRepeatable } from '../../api/request';
import { Turn } from '../../api/turn';
import type { FileFormat } from '../../files/listFile';
import { ItemRefusedError, refuseItem } from '../../parameters/problem';
import { readValues } from '../../parameters/read';
import type { Execution } from './execution';
import type { Operation, SentOnce } from './operation';
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

/**
 * Reads and checks all items, so that an invalid one is found before anything is sent.
 * @returns for each item its plan, or the error that reading it threw; fewer when the execution is cancelled
 */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	execution: Execution,
): Promise<Array<Plan | Error>> {
	const signal = context.getExecutionCancelSignal();
	const plans: Array<Plan | Error> = [];
	// n8n evaluates the item's expressions, which takes milliseconds.
	const turn = new Turn();
	for (const [index, { json }] of context.getInputData().entries()) {
		await turn.pass();
		if (signal?.aborted) break;
		plans.push(planItem(context, operation, execution, json, index));
	}
	return plans;
}

function planItem(
	context: IExecuteFunctions,
	operation: Operation,
	execution: Execution,
	json: IDataObject,
	index: number,
): Plan | Error {
	let values: Record<string, unknown> = {};
	const zone = context.getTimezone();
	try {
		values = readValues(operation.properties, operation.checks, {
			get: (name) => context.getNodeParameter(name, index, null, { skipValidation: true }),
			zone,
			isTool: execution.isTool,
		});
		let madeKey: string | undefined;
		const makeKey = () => (madeKey = execution.makeKey(json, index));
		const request = operation.request(values, { json, zone, makeKey });
		checkQuery(operation, request);
		// readValues builds them from the shared parameters, which every operation has.
		const common = values as Partial<CommonValues>;
		const plan: Plan = {
			values: { ...common, options: completeOptions(common.options) },
			request,
			json,
			madeKey,
			withKey: (key = '') => ({
				...plan,
				request: operation.request(values, { json, zone, makeKey: () => key }),
			}),
			writesTo: operation.writesTo?.(values) ?? [],
			sentOnce: operation.sendsOnce?.(values, request),
			replacesState: operation.replacesState ?? replacesState(request),
			looksFirst: operation.decide !== undefined,
			isDryRun: operation.writes === true && common.options?.dryRun === true,
		};
		return plan;
	} catch (error) {
		if (error instanceof PathSegmentError) {
			const parameter = operation.properties.find(({ name }) => values[name] === error.value);
			return new ItemRefusedError([
				{ parameter: parameter?.displayName ?? 'ID', message: error.message },
			]);
		}
		return error instanceof Error ? error : new Error(String(error));
	}
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
