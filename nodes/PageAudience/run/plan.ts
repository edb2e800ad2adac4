import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ItemRefusedError, type LeftOut } from '../../parameters/problem';
import { asIsChecks, type ParameterSource, readValues } from '../../parameters/read';
import { hashContent } from '../../runtime/canonical';
import { openYielder } from '../../runtime/runTasks';
import { toError } from '../../runtime/unknown';
import type { InputSource, Operation } from '../operation/operation';
import { usualOptions } from '../operation/sharedParameters';
import { refuseAcrossItems } from './acrossItems';
import { addressRefusal, findMixUp, withReasonAlone } from './forModels';
import { Hints, tellBlank } from './messages';
import type { CommonValues, Execution, Plan, PlannedItem, Run, RunOptions } from './model';
import {
	blankRule,
	checkRunOptions,
	openParameters,
	readRunOptions,
	withoutRunOptions,
} from './parameters';

/** Reads and checks all items, so that an invalid one is found before anything is sent. */
export async function planRun(
	context: IExecuteFunctions,
	operation: Operation,
	given: Pick<Run, 'name' | 'continueOnFail'>,
): Promise<Run> {
	const execution = readExecution(context);
	const hints = new Hints();
	const signal = context.getExecutionCancelSignal();
	const run = { ...given, context, operation, execution, hints, signal };
	const items = context.getInputData();
	const { isTool } = execution;
	const zone = context.getTimezone();
	const read = openParameters(context, operation.properties, isTool);
	const sourceOf = (json: IDataObject, item: number) => ({
		get: (parameter: string) => read(parameter, json, item),
		zone,
		isTool,
	});
	const options = findMixUp(context) ?? readOptions(operation, items, sourceOf);
	if (options instanceof Error)
		return { ...run, options: usualOptions, plans: items.map(() => options) };
	return { ...run, options, plans: await planItems(run, options, sourceOf) };
}

/** What the first item says whose options can be read: an expression in another option may fail for one item alone. */
function readOptions(
	{ properties }: Operation,
	items: INodeExecutionData[],
	sourceOf: (json: IDataObject, item: number) => ParameterSource,
): RunOptions | Error {
	let failure: Error | undefined;
	for (const [item, { json }] of items.entries())
		try {
			return readRunOptions(properties, sourceOf(json, item));
		} catch (error) {
			failure ??= toError(error);
			if (error instanceof ItemRefusedError) break;
		}
	return failure ?? new Error('There are no input items');
}

async function planItems(
	{ context, operation, execution, hints, signal }: Omit<Run, 'options' | 'plans'>,
	options: RunOptions,
	sourceOf: (json: IDataObject, item: number) => ParameterSource,
): Promise<Plan[]> {
	const properties = operation.properties.map(withoutRunOptions);
	const { sendAsIs } = options;
	const checks = sendAsIs ? asIsChecks(operation.checks) : operation.checks;
	const { parameters } = context.getNode();
	const { isTool } = execution;
	const yieldToEventLoop = openYielder();
	const plans: Plan[] = [];
	for (const [item, { json }] of context.getInputData().entries()) {
		// Expressions take time.
		await yieldToEventLoop();
		if (signal?.aborted) break;
		try {
			const unread: LeftOut[] = [];
			const filters: string[] = [];
			const blank = blankRule(operation, parameters, isTool, filters);
			const source = { ...sourceOf(json, item), leftOut: unread, blank };
			const given = readValues(properties, checks ?? {}, source);
			const values = { ...given, options: { keepEmpty: isTool, ...(given.options as object) } };
			const leftOut = isTool ? unread.map(withReasonAlone) : unread;
			checkRunOptions(values.options, options);
			const makeIdempotencyKey = (of: unknown) => execution.keyFor(json, item, of);
			const { zone } = source;
			const hint = (message: string) => hints.add(message, item);
			const more = { makeIdempotencyKey, leftOut, hint, sendAsIs };
			plans.push(planItem(operation, item, values, { json, zone, ...more }));
			if (filters.length > 0) hints.add(tellBlank(filters), item);
		} catch (error) {
			plans.push(isTool ? addressRefusal(toError(error)) : toError(error));
		}
	}
	refuseAcrossItems(plans);
	return plans;
}

function planItem(
	operation: Operation,
	item: number,
	values: { options: object },
	source: InputSource,
): PlannedItem {
	const request = operation.request(values, source);
	const { writes } = operation;
	// readValues builds them from the shared parameters, which every operation has.
	const common = values as CommonValues;
	let changes: string[] | undefined;
	const readChanges = () => (changes ??= writes?.changes?.(values) ?? []);
	const synced = writes?.synced?.(values, request);
	const { json, leftOut } = source;
	return { item, values: common, request, json, changes: readChanges, synced, leftOut };
}

export function readExecution(context: IExecuteFunctions): Execution {
	const { name, type } = context.getNode();
	// n8n runs a node as an agent's tool under its type's name with "Tool" behind it.
	const isTool = type.endsWith('Tool');
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
	// When the first execution began, of which this one may be a Retry.
	const { establishedAt } = context.getExecutionContext?.() ?? {};
	const workflow = [context.getInstanceId(), context.getWorkflow().id];
	const origin = [...workflow, establishedAt, name, runIndex];
	// The run and the item of a tool's call are always the first.
	const isTraceable = establishedAt !== undefined && !isTool;
	return {
		isTool,
		id: context.getExecutionId(),
		runIndex,
		keyFor: (json, item, of) =>
			isTraceable ? hashContent([...origin, item, json, of]) : randomUUID(),
	};
}
