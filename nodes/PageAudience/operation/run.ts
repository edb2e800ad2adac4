import {
	type IBinaryKeyData,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { startLimit } from '../../api/paginate';
import { type Result, runTasks } from '../../runtime/runTasks';
import { mapYielding, Yielder } from '../../runtime/eventLoop';
import { toErrorItem } from '../../errors';
import { pickFields } from '../../records/shape';
import { openCall, type RunState } from './call';
import { readExecution } from './execution';
import { exportFile, readFileFormat } from './exportFile';
import { fetchRecords } from './fetch';
import { Hints } from './hints';
import type { Operation, Resource } from './operation';
import { shapeRecord } from './output';
import { openOwnWebhooks } from './ownWebhooks';
import { isPlan, openPlanner, type Plan } from './plan';
import { Progress } from './progress';
import { usualOptions } from './sharedParameters';
import { groupMessages, refusedRun, stoppedRun } from './stopRun';
import { summarize } from './summary';
import { WriteMemory } from './writeMemory';
import { WrittenBefore } from './written/writtenBefore';

/**
 * Runs the chosen operation for all input items: the item loop, item links and errors of every operation.
 * Retries, rate limits and pacing are ApiClient's, paging is fetchRecords'.
 * @throws NodeOperationError or NodeApiError, unless On Error is set to continue
 */
export async function runOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const operation = findOperation(context, resources);
	const signal = context.getExecutionCancelSignal();
	const goesOn = context.continueOnFail();
	const execution = readExecution(context);
	const memory = new WriteMemory(context, execution);
	const planItem = openPlanner(context, operation, execution);
	// All are checked, so that an invalid item is found before anything is sent.
	const plans = await mapYielding(
		context.getInputData(),
		({ json }, item) => planItem(json, item),
		signal,
	);
	// Each look at 200,000 plans takes up to 70 ms.
	const yielder = new Yielder();
	// n8n marks an execution as cancelled only if its nodes throw nothing.
	if (signal?.aborted) return [[]];
	if (!goesOn && !plans.every(isPlan)) throw await refusedRun(context, plans);
	const writtenBefore = await WrittenBefore.open(context, plans);

	await yielder.yieldToEventLoop();
	const hints = new Hints();
	const shared: Omit<RunState, 'client'> = {
		hints,
		accepted: startLimit(),
		limits: new Map(),
		shared: new Map(),
		values: (await mapYielding(plans, (plan) => (isPlan(plan) ? [plan.values] : []))).flat(),
		zone: context.getTimezone(),
		webhooks: openOwnWebhooks(context),
		isRetry: context.getMode() === 'retry',
	};
	const progress = new Progress(context.logger, context.getNode().name, plans.length);
	const settings = {
		...(plans.find(isPlan)?.values.options ?? usualOptions),
		signal,
		onAttempt: (heldBackMs: number) => progress.tell(heldBackMs),
	};
	let client: Promise<ApiClient> | undefined;
	// Opened by the first item, so that a credential that cannot be used fails items like anything else they meet.
	const openClient = async () => await (client ??= ApiClient.open(context, settings));
	let superseded: Promise<Set<number>> | undefined;
	/** The files that lists became, by item. */
	const files = new Map<number, IBinaryKeyData>();

	const runItem = async (plan: Plan | Error, item: number) => {
		if (!isPlan(plan)) throw plan;
		const run = { ...shared, client: await openClient() };
		const format = readFileFormat(plan);
		if (format) {
			const { record, binary } = await exportFile(context, run, operation, plan, format);
			files.set(item, binary);
			return [record];
		}
		const fetch = async (what: Plan, mayBeDone?: boolean) => {
			const skipped = writtenBefore?.find(item);
			return skipped ? [skipped] : await fetchRecords(run, operation, what, mayBeDone);
		};
		const { identity } = run.client;
		superseded ??= memory.findSuperseded(plans, identity);
		if (!isWrite(plan)) return await fetch(plan);
		const isSuperseded = (await superseded).has(item);
		const records = await memory.writeOnce(item, plan, identity, fetch, isSuperseded);
		writtenBefore?.confirm(item);
		return records;
	};
	const tasks = await mapYielding(plans, (plan, item) => ({
		keys: isPlan(plan) ? plan.writesTo : [],
		run: async () => await runItem(plan, item).finally(() => progress.noteItem()),
	}));
	const runAll = async (some: typeof tasks) =>
		await runTasks(some, settings.concurrency, () => goesOn && !signal?.aborted);
	const isOver = (results: Array<Result<unknown>>) =>
		signal?.aborted === true || (!goesOn && results.some(({ status }) => status === 'failed'));
	const results = writtenBefore
		? await writtenBefore.runInChunks(tasks, runAll, isOver)
		: await runAll(tasks);
	yielder.restart();
	// A client that could not be opened has failed each item, and must not stop a run that continues.
	const opened = await client?.catch(() => undefined);
	if (opened && operation.review && !isOver(results))
		await reviewRecords({ ...shared, client: opened }, operation, plans, results);
	if (signal?.aborted) return [[]];

	const shape = (record: IDataObject, item: number, plan: Plan) =>
		files.has(item)
			? { json: record, binary: files.get(item), pairedItem: { item } }
			: toItem(record, item, operation, plan, execution.isTool);
	const output = await collectOutput(context, plans, results, shape);
	if (!isRunAgain(context, output)) memory.forget();
	await yielder.yieldToEventLoop();
	if (!execution.isTool && isSummed(operation, plans))
		hints.add('summary', summarize(results, isDryThroughout(plans)));
	for (const limit of writtenBefore?.describeLimits() ?? []) hints.add('remembering', limit);
	for (const doubt of await listDoubts(operation, plans, results, execution.isTool))
		hints.add('doubt', doubt);
	await yielder.yieldToEventLoop();
	hints.add('exposed', describeExposure(opened?.exposedAt));
	hints.add('waiting', describeWaiting(opened?.traffic.heldBackMs));
	if (!operation.readsOnce) hints.add('repetition', describeRepetition(plans));
	hints.show(context);
	return [output];
}

/**
 * The output items of all items, in the order of the input.
 * @throws the error of the first item that failed, unless On Error is set to continue
 */
async function collectOutput(
	context: IExecuteFunctions,
	plans: Array<Plan | Error>,
	results: Array<Result<IDataObject[]>>,
	shape: (record: IDataObject, item: number, plan: Plan) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	const goesOn = context.continueOnFail();
	const output: INodeExecutionData[] = [];
	const yielder = new Yielder();
	for (const [item, result] of results.entries()) {
		await yielder.yieldToEventLoop();
		const plan = plans[item];
		if (result.status === 'failed') {
			if (!goesOn) throw stoppedRun(context, result.error, item, results, plans.some(isWrite));
			output.push(toErrorItem(context.getNode(), result.error, item));
		}
		if (result.status !== 'done' || !isPlan(plan)) continue;
		for (const record of result.value) {
			await yielder.yieldToEventLoop();
			output.push(shape(record, item, plan));
		}
	}
	return output;
}

/** With Retry On Fail, n8n runs the whole node again when its first output item has an error. */
function isRunAgain(context: IExecuteFunctions, [first]: INodeExecutionData[]): boolean {
	return context.getNode().retryOnFail === true && first?.json.error !== undefined;
}

function toItem(
	record: IDataObject,
	item: number,
	{ shape, adds = {}, completion, forTools }: Operation,
	{ values, isDryRun: isPreview }: Plan,
	isTool: boolean,
): INodeExecutionData {
	const added = completion?.isWanted(values) ? completion.fields : Object.keys(adds);
	const shaped = isPreview ? record : shapeRecord(record, shape, values, added);
	const isCut = isTool && forTools && !isPreview;
	return { json: isCut ? pickFields(shaped, forTools) : shaped, pairedItem: { item } };
}

/** The second look of an operation that creates only what is missing. */
async function reviewRecords(
	run: RunState,
	operation: Operation,
	plans: Array<Plan | Error>,
	results: Array<Result<IDataObject[]>>,
): Promise<void> {
	const written = results.flatMap((result, item) => {
		const plan = plans[item];
		if (result.status !== 'done' || !isPlan(plan) || plan.isDryRun) return [];
		return result.value.map((record) => ({ values: plan.values, record }));
	});
	const { options } = plans.find(isPlan)?.values ?? { options: usualOptions };
	await operation.review?.(written, openCall(run, options));
}

function isDryRun(plan: Plan | Error): boolean {
	return isPlan(plan) && plan.isDryRun;
}

/** Whether nothing was changed because of Dry Run. */
function isDryThroughout(plans: Array<Plan | Error>): boolean {
	return plans.some(isDryRun) && plans.every((plan) => !isPlan(plan) || isDryRun(plan));
}

function isWrite(plan: Plan | Error): boolean {
	return isPlan(plan) && plan.request.method !== 'GET' && !plan.isDryRun;
}

/** Whether a summary of all items says more than the output. */
function isSummed({ decide }: Operation, plans: Array<Plan | Error>): boolean {
	const sendsOnce = plans.some((plan) => isPlan(plan) && plan.sentOnce !== undefined);
	return decide !== undefined || sendsOnce || plans.some(isDryRun);
}

async function listDoubts(
	operation: Operation,
	plans: Array<Plan | Error>,
	results: Array<Result<IDataObject[]>>,
	isTool: boolean,
): Promise<string[]> {
	if (!operation.doubts) return [];
	const failures = await mapYielding(plans, (plan, item) => ({
		messages: (isPlan(plan) && !isSkipped(results[item]) && operation.doubts?.(plan.values)) || [],
		item,
	}));
	return groupMessages(failures, isTool ? 0 : plans.length).map(
		(message) =>
			`${message}. Check it: it ${plans.some(isDryRun) ? 'would be' : 'was'} sent unchanged.`,
	);
}

/** Whether nothing was sent for the item, because an earlier run has written its record. */
function isSkipped(result: Result<IDataObject[]>): boolean {
	return result.status === 'done' && result.value.some(({ alreadyWritten }) => alreadyWritten);
}

function describeExposure(origin: string | undefined): string | undefined {
	return (
		origin &&
		`The API key was sent to ${origin} without encryption. Use https:// in the Base URL of the credential.`
	);
}

function describeWaiting(heldBackMs = 0): string | undefined {
	if (heldBackMs === 0) return undefined;
	const seconds = Math.ceil(heldBackMs / 1000);
	return `Waited ${seconds} ${seconds === 1 ? 'second' : 'seconds'} for the rate limit`;
}

function describeRepetition(plans: Array<Plan | Error>): string | undefined {
	const asked = plans.filter(isPlan).map(({ request }) => request);
	if (asked.length < 2 || asked.some(({ method }) => method !== 'GET')) return undefined;
	const first = JSON.stringify(asked[0]);
	if (asked.some((request) => JSON.stringify(request) !== first)) return undefined;
	return `The same was read ${asked.length} times, once per item. To read it once, turn on Execute Once in the node's settings.`;
}

function findOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const chosen = {
		resource: context.getNodeParameter('resource', 0),
		// A resource that does not exist has no operation at all.
		operation: context.getNodeParameter('operation', 0, ''),
	};
	const operation = resources
		.find(({ option }) => option.value === chosen.resource)
		?.operations.find(({ option }) => option.value === chosen.operation);
	if (!operation) {
		throw new NodeOperationError(
			context.getNode(),
			`The operation '${chosen.operation}' of the resource '${chosen.resource}' does not exist`,
			{
				description: "Choose a resource and an operation in the node's panel.",
			},
		);
	}
	return operation;
}
