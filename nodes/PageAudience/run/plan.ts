import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiRequest } from '../../api/request';
import type { FileFormat } from '../../files/listFile';
import { toError } from '../../parameters/problem';
import { type ParameterSource, readValues } from '../../parameters/read';
import { hashContent } from '../../runtime/canonical';
import { Yielder } from '../../runtime/runTasks';
import type { InputSource, Operation, SyncedRecord } from '../operation/operation';
import type { OutputChoice } from '../operation/output';
import { type RunOptions, usualOptions } from '../operation/sharedParameters';
import { refuseSharedKeys } from './acrossItems';
import { Hints } from './messages';
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

/** What is known of a run before anything is sent. */
export interface PlannedRun {
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
}

/** Reads and checks all items, so that an invalid one is found before anything is sent. */
export async function planRun(
	context: IExecuteFunctions,
	operation: Operation,
	name: string,
): Promise<PlannedRun> {
	const execution = readExecution(context);
	const hints = new Hints();
	const signal = context.getExecutionCancelSignal();
	const continueOnFail = context.continueOnFail();
	const run = { context, operation, name, execution, hints, continueOnFail, signal };
	const items = context.getInputData();
	const { isTool } = execution;
	const zone = context.getTimezone();
	const read = openParameters(context, operation.properties, isTool);
	const sourceOf = (json: IDataObject, item: number) => ({
		get: (parameter: string) => read(parameter, json, item),
		zone,
		isTool,
	});
	const options = readOptions(operation, sourceOf(items[0]?.json ?? {}, 0));
	if (options instanceof Error)
		return { ...run, options: usualOptions, plans: items.map(() => options) };
	return { ...run, options, plans: await planItems(run, options, sourceOf) };
}

function readOptions({ properties }: Operation, source: ParameterSource): RunOptions | Error {
	try {
		return readRunOptions(properties, source);
	} catch (error) {
		return toError(error);
	}
}

async function planItems(
	{ context, operation, execution, hints, signal }: Omit<PlannedRun, 'options' | 'plans'>,
	{ dryRun }: RunOptions,
	sourceOf: (json: IDataObject, item: number) => ParameterSource,
): Promise<Plan[]> {
	const properties = operation.properties.map(withoutRunOptions);
	const yielder = new Yielder();
	const plans: Plan[] = [];
	for (const [item, { json }] of context.getInputData().entries()) {
		// Expressions take time.
		await yielder.yieldToEventLoop();
		if (signal?.aborted) break;
		try {
			const source = sourceOf(json, item);
			const values = readValues(properties, operation.checks ?? {}, source);
			checkDryRun(values.options, dryRun);
			const makeKey = (of: unknown) => execution.keyFor(json, item, of);
			plans.push(planItem(operation, item, values, { json, zone: source.zone, makeKey }));
		} catch (error) {
			plans.push(toError(error));
		}
	}
	refuseSharedKeys(plans, hints);
	return plans;
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

export interface Execution {
	isTool: boolean;
	/** Another one after n8n's Retry, the same one after Retry On Fail. */
	id: string;
	/** Which time the node runs in this execution. */
	runIndex: number;
	/**
	 * An idempotency key for one item. It stays the same when n8n runs the item again, and differs for every other item
	 * and execution. Every call gets a new key as an AI tool, because its run and item are always the first, and where n8n
	 * does not provide the start of the execution.
	 * @param of what the key stands for: two executions may start in one millisecond with equal items
	 */
	keyFor: (json: IDataObject, item: number, of: unknown) => string;
}

export function readExecution(context: IExecuteFunctions): Execution {
	const { name, type } = context.getNode();
	// n8n runs a node as an agent's tool under its type's name with "Tool" behind it.
	const isTool = type.endsWith('Tool');
	const establishedAt = context.getExecutionContext?.()?.establishedAt;
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
	const { id: workflowId } = context.getWorkflow();
	const origin = [context.getInstanceId(), workflowId, establishedAt, name, runIndex];
	const isTraceable = !isTool && establishedAt !== undefined;
	return {
		isTool,
		id: context.getExecutionId(),
		runIndex,
		keyFor: (json, item, of) =>
			isTraceable ? hashContent([...origin, item, json, of]) : randomUUID(),
	};
}
