import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { PathSegmentError } from '../../api/path';
import { type ApiRequest, isObject, isRepeatable } from '../../api/request';
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

/** An item that is not sent, because an earlier run has written its record. */
export interface Skip {
	/** What is returned in place of the record. */
	skipped: IDataObject;
}

export type PlanOrSkip = Plan | Skip;

export function isPlan(plan: PlanOrSkip | Error): plan is Plan {
	return !isRefused(plan) && !isSkip(plan);
}

/** Whether the item is invalid. */
export function isRefused(plan: PlanOrSkip | Error): plan is Error {
	return plan instanceof Error;
}

export function isSkip(plan: PlanOrSkip | Error): plan is Skip {
	return 'skipped' in plan;
}

/**
 * One input item. n8n takes about a millisecond for each expression, and some have another value each time, such as
 * `$now`. So no parameter is read twice, and none that is not needed.
 */
export class InputItem {
	private readonly context: IExecuteFunctions;

	private readonly operation: Operation;

	private readonly execution: Execution;

	private readonly json: IDataObject;

	private readonly index: number;

	/** The parameters that `identify` has read, until the item is read whole. */
	private known?: Record<string, unknown>;

	private planned?: Plan | Error;

	constructor(
		context: IExecuteFunctions,
		operation: Operation,
		execution: Execution,
		json: IDataObject,
		index: number,
	) {
		this.context = context;
		this.operation = operation;
		this.execution = execution;
		this.json = json;
		this.index = index;
	}

	/** Whether the item was read whole. */
	get isPlanned(): boolean {
		return this.planned !== undefined;
	}

	/** What the item writes, where it is only sent if no earlier run has written it. Reads no more than that takes. */
	identify(): SentOnce | undefined {
		if (!this.operation.sendsOnce) return undefined;
		const early = this.isPlanned ? undefined : this.identifyEarly(this.operation.sendsOnce);
		if (early) return early;
		const plan = this.plan();
		return isPlan(plan) && !plan.isDryRun ? plan.sentOnce : undefined;
	}

	/** @returns the error that reading the item threw, if it is invalid */
	plan(): Plan | Error {
		this.planned ??= this.readWhole();
		this.known = undefined;
		return this.planned;
	}

	/** undefined where it takes the whole item to tell, and for an invalid one: reading it whole finds every problem. */
	private identifyEarly({
		parameters,
		identify,
	}: NonNullable<Operation['sendsOnce']>): SentOnce | undefined {
		this.known = {};
		try {
			const { properties } = this.operation;
			const values = this.read(properties.filter(({ name }) => parameters.includes(name)));
			const { options } = values as Partial<CommonValues>;
			return options?.dryRun ? undefined : identify(values);
		} catch {
			return undefined;
		}
	}

	private read(properties: INodeProperties[]): Record<string, unknown> {
		const { context, operation, execution, index, known } = this;
		const get = (name: string): unknown =>
			context.getNodeParameter(name, index, null, { skipValidation: true });
		return readValues(properties, operation.checks, {
			get: known ? (name) => (name in known ? known[name] : (known[name] = get(name))) : get,
			zone: context.getTimezone(),
			isTool: execution.isTool,
		});
	}

	private readWhole(): Plan | Error {
		const { context, operation, execution, json, index } = this;
		let values: Record<string, unknown> = {};
		const zone = context.getTimezone();
		try {
			values = this.read(operation.properties);
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
				sentOnce: operation.sendsOnce?.identify(values, request),
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
