import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { LeftOut } from '../../parameters/problem';
import { type ParameterSource, readValues } from '../../parameters/read';
import { hashContent } from '../../runtime/canonical';
import { Yielder } from '../../runtime/runTasks';
import { toError } from '../../runtime/unknown';
import { type InputSource, type Operation, outcomeWords } from '../operation/operation';
import { usualOptions } from '../operation/sharedParameters';
import {
	lastValueWins,
	listContradictions,
	listSharedKeys,
	refuseContradiction,
	refuseSharedKey,
	skippedVersion,
} from './acrossItems';
import {
	addressProblems,
	addressRefusal,
	type Arguments,
	findMixUp,
	listArguments,
} from './forModels';
import { Hints, tellBlank } from './messages';
import type { CommonValues, Execution, Plan, PlannedItem, Run, RunOptions } from './model';
import {
	blankRule,
	checkDryRun,
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
	const options = findMixUp(context) ?? readOptions(operation, sourceOf(items[0]?.json ?? {}, 0));
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
	{ context, operation, execution, hints, signal }: Omit<Run, 'options' | 'plans'>,
	{ dryRun }: RunOptions,
	sourceOf: (json: IDataObject, item: number) => ParameterSource,
): Promise<Plan[]> {
	const properties = operation.properties.map(withoutRunOptions);
	const { parameters } = context.getNode();
	const { isTool } = execution;
	const args: Arguments = isTool ? listArguments(operation.properties, parameters) : new Map();
	const yielder = new Yielder();
	const plans: Plan[] = [];
	for (const [item, { json }] of context.getInputData().entries()) {
		// Expressions take time.
		await yielder.yieldToEventLoop();
		if (signal?.aborted) break;
		try {
			const unread: LeftOut[] = [];
			const filters: string[] = [];
			const blank = blankRule(operation, parameters, isTool, filters);
			const source = { ...sourceOf(json, item), leftOut: unread, blank };
			const given = readValues(properties, operation.checks ?? {}, source);
			const values = { ...given, options: { keepEmpty: isTool, ...(given.options as object) } };
			const leftOut = isTool ? addressProblems(unread, args) : unread;
			checkDryRun(values.options, dryRun);
			const makeIdempotencyKey = (of: unknown) => execution.keyFor(json, item, of);
			const { zone } = source;
			const hint = (message: string) => hints.add(message, item);
			plans.push(
				planItem(operation, item, values, { json, zone, makeIdempotencyKey, leftOut, hint }),
			);
			const named = filters.map((label) => args.get(`Filters > ${label}`) ?? label);
			if (named.length > 0) hints.add(tellBlank(named), item);
		} catch (error) {
			plans.push(isTool ? addressRefusal(toError(error), args) : toError(error));
		}
	}
	checkAcrossItems(plans, hints);
	return plans;
}

/** Finds what is wrong among items that are each valid. */
function checkAcrossItems(plans: Plan[], hints: Hints): void {
	for (const { key, plan, isSkipped } of listSharedKeys(plans)) {
		if (isSkipped) hints.add(skippedVersion, plan.item);
		else plans[plan.item] = refuseSharedKey(key, plan);
	}
	for (const each of listContradictions(plans))
		for (const item of each.items) {
			if (each.isWhole) plans[item] = refuseContradiction(each, plans[item]);
			else hints.add(lastValueWins, item);
		}
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
	const changes = writes?.changes?.(values) ?? [];
	const synced = writes?.synced?.(values, request);
	const { json, leftOut } = source;
	return { item, values: common, request, json, changes, synced, leftOut };
}

const dayMs = 86_400_000;

export function readExecution(context: IExecuteFunctions): Execution {
	const { name, type } = context.getNode();
	// n8n runs a node as an agent's tool under its type's name with "Tool" behind it.
	const isTool = type.endsWith('Tool');
	const { establishedAt, triggerNode } = context.getExecutionContext?.() ?? {};
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
	const { id: workflowId } = context.getWorkflow();
	const isTraceable = !isTool && establishedAt !== undefined;
	const readOrigin = () => {
		const run = countRun(context, runIndex);
		const node = context.getContext('node');
		// n8n 1, which names no trigger here, begins an execution again when its worker has died, at another time. The day
		// counts, too, because another database counts executions anew.
		const day = Math.floor(Number(establishedAt) / dayMs);
		const execution = triggerNode
			? establishedAt
			: (node.execution ??= `${day}/${context.getExecutionId()}`);
		return [context.getInstanceId(), workflowId, execution, name, run];
	};
	// Read once, and only where a key is made: it counts the run.
	let origin: unknown[] | undefined;
	return {
		isTool,
		id: context.getExecutionId(),
		runIndex,
		keyFor: (json, item, of) =>
			isTraceable
				? hashContent([...(origin ??= readOrigin()), item, lastingOf(json), of])
				: randomUUID(),
	};
}

/**
 * Which time the node runs in this execution. n8n's own count goes on after a crash, although a Retry begins with the first
 * run again.
 */
function countRun(context: IExecuteFunctions, runIndex: number): number {
	const node = context.getContext('node');
	const last = node.run as { index: number; count: number } | undefined;
	// Retry, and Retry On Fail, repeat a run that failed.
	const count = last ? last.count + (last.index === runIndex ? 0 : 1) : 0;
	node.run = { index: runIndex, count };
	return count;
}

/** Of a record that a node of this package found or wrote, what is the same when a retry finds it again. */
function lastingOf(json: IDataObject): IDataObject {
	const { outcome, ...record } = json;
	const isEntry = ['personLogId', 'alreadyStored', 'alreadyWritten'].some((name) => name in json);
	// Of a log entry, its key: the service may return less of one that it has already.
	if (isEntry && json.idempotencyKey) return { idempotencyKey: json.idempotencyKey };
	if (!Object.hasOwn(outcomeWords, String(outcome))) return json;
	const changes = ([name, value]: [string, unknown]) =>
		typeof value === 'object' || /(At|Count)$/.test(name);
	return Object.fromEntries(Object.entries(record).filter((entry) => !changes(entry)));
}
