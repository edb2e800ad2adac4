import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { startLimit } from '../../api/paginate';
import { runTasks } from '../../api/schedule';
import { toErrorItem } from '../../errors';
import { readExecution } from './execution';
import { fetchRecords } from './fetch';
import { Hints } from './hints';
import type { Operation, Resource } from './operation';
import { shapeRecord } from './output';
import { isPlan, type Plan, planItems } from './plan';
import { usualOptions } from './sharedParameters';
import { groupMessages, refuseRun, stopRun } from './stopRun';
import { WriteMemory } from './writeMemory';

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
	const plans = await planItems(context, operation, execution);
	// n8n marks an execution as cancelled only if its nodes throw nothing.
	if (signal?.aborted) return [[]];
	if (!goesOn && !plans.every(isPlan)) refuseRun(context, plans);

	const hints = new Hints();
	const memory = new WriteMemory(context, execution);
	const accepted = startLimit();
	const settings = { ...(plans.find(isPlan)?.values.options ?? usualOptions), signal };
	let client: Promise<ApiClient> | undefined;
	// Opened by the first item, so that a credential that cannot be used fails items like anything else they meet.
	const openClient = async () => await (client ??= ApiClient.open(context, settings));
	let superseded: Set<number> | undefined;

	const tasks = plans.map((plan, item) => ({
		keys: isPlan(plan) ? plan.writesTo : [],
		run: async () => {
			if (!isPlan(plan)) throw plan;
			const run = { client: await openClient(), hints, accepted };
			const fetch = async (what: Plan, mayBeDone?: boolean) =>
				await fetchRecords(run, operation, what, mayBeDone);
			const { identity } = run.client;
			superseded ??= memory.findSuperseded(plans, identity);
			const records = isWrite(plan)
				? await memory.writeOnce(item, plan, identity, fetch, superseded.has(item))
				: await fetch(plan);
			return records.map(
				(record): INodeExecutionData => ({
					json: shapeRecord(record, operation.shape, plan.values),
					pairedItem: { item },
				}),
			);
		},
	}));
	const results = await runTasks(tasks, settings.concurrency, () => goesOn && !signal?.aborted);
	if (signal?.aborted) return [[]];

	const output: INodeExecutionData[] = [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed' && !goesOn)
			stopRun(context, result.error, item, results, plans.some(isWrite));
		if (result.status === 'failed') output.push(toErrorItem(result.error, item));
		if (result.status === 'done') for (const record of result.value) output.push(record);
	}
	if (!isRunAgain(context, output)) memory.forget();
	// A client that could not be opened has failed each item, and must not stop a run that continues.
	const opened = await client?.catch(() => undefined);
	for (const doubt of listDoubts(operation, plans, execution.isTool)) hints.add('doubt', doubt);
	hints.add('exposed', describeExposure(opened?.exposedAt));
	hints.add('waiting', describeWaiting(opened?.traffic.heldBackMs));
	hints.add('repetition', describeRepetition(plans));
	hints.show(context);
	return [output];
}

/** With Retry On Fail, n8n runs the whole node again when its first output item has an error. */
function isRunAgain(context: IExecuteFunctions, [first]: INodeExecutionData[]): boolean {
	return context.getNode().retryOnFail === true && first?.json.error !== undefined;
}

function isWrite(plan: Plan | Error): boolean {
	return isPlan(plan) && plan.request.method !== 'GET';
}

function listDoubts(operation: Operation, plans: Array<Plan | Error>, isTool: boolean): string[] {
	const told = plans.map((plan, item) => ({
		messages: (isPlan(plan) && operation.doubts?.(plan.values)) || [],
		item,
	}));
	return groupMessages(told, isTool ? 0 : plans.length).map(
		(message) => `${message}. Check it: it was sent unchanged.`,
	);
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
	if (new Set(asked.map((request) => JSON.stringify(request))).size > 1) return undefined;
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
