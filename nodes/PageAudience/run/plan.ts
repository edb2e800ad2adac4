import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { PathSegmentError } from '../../api/path';
import type { ApiRequest } from '../../api/request';
import type { FileFormat } from '../../files/listFile';
import { ItemRefusedError, toError } from '../../parameters/problem';
import { readValues } from '../../parameters/read';
import { Yielder } from '../../runtime/eventLoop';
import type { InputSource, Operation, SyncedRecord } from '../operation/operation';
import type { OutputChoice } from '../operation/output';
import { type RunOptions, usualOptions } from '../operation/sharedParameters';
import { SharedKeys } from './acrossItems';
import type { Execution } from './execution';
import type { Hints } from './messages';
import { checkDryRun, openParameters, readRunOptions, withoutRunOptions } from './parameters';

/** The parameters that operations share, besides the options of the run. */
export type CommonValues = OutputChoice & {
	/** Not there in an AI tool. */
	outputAs?: 'items' | FileFormat;
	returnAll?: boolean;
	limit?: number;
	binaryPropertyName?: string;
	options: { byteOrderMark?: boolean; delimiter?: string; escapeFormulas?: boolean };
};

/** An input item, read and checked, with nothing sent yet. */
export interface PlannedItem {
	item: number;
	values: CommonValues;
	request: ApiRequest;
	json: IDataObject;
	changes: string[];
	/** Present when it is sent only if no earlier run has written it. */
	synced?: SyncedRecord;
}

/** What an input item becomes: a plan, or what is wrong with it. */
export type Plan = PlannedItem | Error;

/** What is known of all items before anything is sent. */
interface Planned {
	options: RunOptions;
	/** Fewer than there are items when the execution is cancelled. */
	plans: Plan[];
}

export interface Run extends Planned {
	context: IExecuteFunctions;
	operation: Operation;
	/** Names the operation, e.g. `person.create`. */
	name: string;
	execution: Execution;
	hints: Hints;
	/** An item that fails becomes an error item. Otherwise, it ends the run. */
	continueOnFail: boolean;
	/** Fires when the execution is cancelled. */
	signal?: AbortSignal;
}

/** Reads and checks all items, so that an invalid one is found before anything is sent. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	{ isTool, makeKey }: Execution,
	hints: Hints,
): Promise<Planned> {
	const signal = context.getExecutionCancelSignal();
	const items = context.getInputData();
	const zone = context.getTimezone();
	const read = openParameters(context, operation.properties, isTool);
	const sourceOf = (json: IDataObject, item: number) => ({
		get: (name: string) => read(name, json, item),
		zone,
		isTool,
	});
	const options = readOptions(operation, sourceOf(items[0]?.json ?? {}, 0));
	if (options instanceof Error) return { options: usualOptions, plans: items.map(() => options) };
	const properties = operation.properties.map(withoutRunOptions);
	const yielder = new Yielder();
	const plans: Plan[] = [];
	const keys = new SharedKeys();
	for (const [item, { json }] of items.entries()) {
		// Expressions take time.
		await yielder.yieldToEventLoop();
		if (signal?.aborted) break;
		const values: Record<string, unknown> = {};
		try {
			const source = sourceOf(json, item);
			Object.assign(values, readValues(properties, operation.checks ?? {}, source));
			checkDryRun(values.options, options.dryRun);
			const input = { json, zone, makeKey: (of: unknown) => makeKey(json, item, of) };
			const plan = planItem(operation, item, values, input);
			keys.note(plan);
			plans.push(plan);
		} catch (error) {
			plans.push(describeInvalid(error, operation, values));
		}
	}
	keys.settle(plans, hints);
	return { options, plans };
}

function readOptions(
	{ properties }: Operation,
	source: Parameters<typeof readRunOptions>[1],
): RunOptions | Error {
	try {
		return readRunOptions(properties, source);
	} catch (error) {
		return toError(error);
	}
}

function planItem(
	operation: Operation,
	item: number,
	values: Record<string, unknown>,
	source: InputSource,
): PlannedItem {
	const request = operation.request(values, source);
	const { writes } = operation;
	// readValues builds them from the shared parameters, which every operation has.
	const common = { options: {}, ...values } as CommonValues;
	const changes = writes?.changes?.(values) ?? [];
	const synced = writes?.synced?.(values, request);
	return { item, values: common, request, json: source.json, changes, synced };
}

function describeInvalid(
	error: unknown,
	{ properties }: Operation,
	values: Record<string, unknown>,
): Error {
	if (!(error instanceof PathSegmentError)) return toError(error);
	const parameter = properties.find(({ name }) => values[name] === error.value);
	return new ItemRefusedError([
		{ parameter: parameter?.displayName ?? 'ID', message: error.message },
	]);
}
