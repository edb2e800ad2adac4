import {
	ExpressionError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { hideSecret } from '../../api/redact';
import { describeError, listMessages, toErrorItem, toNodeError } from '../../errors';
import { toError } from '../../parameters/problem';
import { runTasks, type Task } from '../../runtime/runTasks';
import type { Operation, Resource } from '../operation/operation';
import { listMissingFields, tellEmptySearches } from './acrossItems';
import { executeItem, type ItemOutput, type ItemResult } from './execute';
import { countedFrom0, groupMessages } from './messages';
import { type PlannedRun, planRun } from './plan';
import { makeReport, summarize } from './report';
import { openSession, type Run, type Session } from './session';

/** A run whose credential may be of no use. Then every item has failed. */
type EndedRun = PlannedRun & Partial<Session>;

/**
 * Runs the chosen operation for all input items: the item loop, item links and errors of every operation.
 * @throws NodeOperationError or NodeApiError, unless On Error is set to continue
 */
export async function runOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const { operation, name } = findOperation(context, resources);
	const planned = await planRun(context, operation, name);
	const { plans, hints, signal } = planned;
	// n8n marks an execution as cancelled only if its nodes throw nothing.
	if (signal?.aborted) return [[]];
	const session = await openSession(planned).catch(toError);
	const run: EndedRun = session instanceof Error ? planned : { ...planned, ...session };
	const { apiKey = '' } = run;
	for (const plan of plans) hideSecret(plan, apiKey);
	const missing = planned.execution.isTool ? [] : listMissingFields(context, operation);
	if (!planned.continueOnFail) refuseInvalid(planned, missing);
	for (const message of missing) hints.add(message);
	const results =
		session instanceof Error
			? plans.map((plan) => fail(plan instanceof Error ? plan : session))
			: await executeItems({ ...planned, ...session });
	if (signal?.aborted) return [[]];
	for (const result of results) if (result.status === 'failed') hideSecret(result.error, apiKey);
	tellEmptySearches(planned, results);
	const output = collectOutput(run, results);
	hints.show(context, results.length, apiKey);
	return [output];
}

function fail(error: Error): ItemResult {
	return { status: 'failed', error };
}

function findOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): { operation: Operation; name: string } {
	const chosen = {
		resource: context.getNodeParameter('resource', 0),
		// A resource that does not exist has no operation at all.
		operation: context.getNodeParameter('operation', 0, ''),
	};
	const operation = resources
		.find(({ option }) => option.value === chosen.resource)
		?.operations.find(({ option }) => option.value === chosen.operation);
	if (operation) return { operation, name: `${String(chosen.resource)}.${chosen.operation}` };
	throw new NodeOperationError(
		context.getNode(),
		`The operation '${chosen.operation}' of the resource '${chosen.resource}' does not exist`,
		{
			description:
				"Choose an operation in the node's panel. If the workflow comes from a newer version of this package, update the package.",
		},
	);
}

/**
 * Stops the run before anything is sent.
 * @throws NodeOperationError that names every invalid field
 */
function refuseInvalid({ context, execution, plans }: PlannedRun, missing: string[]): void {
	const { isTool } = execution;
	const invalid = plans.flatMap((plan, item) => (plan instanceof Error ? [{ plan, item }] : []));
	const [first] = invalid;
	if (!first) return;
	// n8n's own error links to the expression in the editor.
	if (invalid.length === 1 && first.plan instanceof ExpressionError) throw first.plan;
	const failures = invalid.map(({ plan, item }) => ({ messages: listMessages(plan), item }));
	const someAreValid = invalid.length < plans.length;
	const advice = isTool
		? 'Correct this and call the tool again.'
		: someAreValid &&
			`To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab. ${countedFrom0}`;
	const description = ['Nothing was sent.', ...missing, advice].filter(Boolean).join(' ');
	const error = new NodeOperationError(
		context.getNode(),
		groupMessages(failures, plans.length),
		// With several invalid items, the editor would add the number of one of them to the message.
		{ description, itemIndex: invalid.length === 1 ? first.item : undefined },
	);
	throw addressToModel(isTool, error);
}

/** Executes all items, as many at once as Concurrency allows. Writes to one record go in the order of the input. */
async function executeItems(run: Run): Promise<ItemResult[]> {
	const { plans, options, continueOnFail, signal, sync } = run;
	const tasks = plans.map(
		(plan): Task<ItemOutput> => ({
			// In a dry run, too: an item counts on what the ones before it would write.
			locks: plan instanceof Error ? [] : plan.changes,
			run: async () => {
				if (plan instanceof Error) throw plan;
				return await executeItem(run, plan);
			},
		}),
	);
	const mayGoOn = () => continueOnFail && !signal?.aborted;
	return await sync.runInChunks(
		tasks,
		async (some) => await runTasks(some, options.concurrency, mayGoOn),
		(results) => results.some(({ status }) => status === 'failed') && !mayGoOn(),
	);
}

/**
 * The output items of all items, in the order of the input, or the report in place of them. Items that failed still go to
 * the error output, where there is one.
 * @throws the error of the first item that failed, unless On Error is set to continue
 */
function collectOutput(run: EndedRun, results: ItemResult[]): INodeExecutionData[] {
	const { context, continueOnFail, execution, options, journal } = run;
	const node = context.getNode();
	const isReported = options.report && !execution.isTool;
	const showsErrors = !isReported || node.onError === 'continueErrorOutput';
	const output: INodeExecutionData[] = [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed') {
			if (!continueOnFail) throw stopRun(run, results, item, result.error);
			if (showsErrors)
				output.push(toErrorItem(node, result.error, { item, total: results.length }));
		}
		if (isReported || result.status !== 'done') continue;
		const { records, binary } = result.value;
		for (const json of records)
			output.push({ json, ...(binary && { binary }), pairedItem: { item } });
	}
	const summary = summarize(run, results);
	// First, so that Retry On Fail sees a success: what failed is in the report.
	if (isReported) output.unshift(makeReport(run, results, summary));
	// With Retry On Fail, n8n runs the whole node again when its first output item has an error.
	const isRunAgain = node.retryOnFail === true && output[0]?.json.error !== undefined;
	if (!isRunAgain) journal?.forget();
	return output;
}

/** The error that stops the run at an item that failed. It says what was written before. */
function stopRun(run: EndedRun, results: ItemResult[], item: number, error: unknown): Error {
	const { context, execution, operation, options } = run;
	const total = results.length;
	const { message, description, details } = describeError(error, { item, total });
	const isProgress = operation.writes && !options.dryRun && total > 1;
	const progress = isProgress ? `. ${describeProgress(run, results)}` : '';
	const described = {
		message: message + progress,
		description: [description, total > 1 && countedFrom0].filter(Boolean).join(' '),
		details,
	};
	return addressToModel(execution.isTool, toNodeError(context.getNode(), error, described));
}

/** With those that an earlier run of the node in this execution wrote. */
function describeProgress({ journal }: EndedRun, results: ItemResult[]): string {
	const isWritten = (result: ItemResult, item: number) =>
		result.status === 'done'
			? ['created', 'updated', 'written'].includes(result.value.outcome ?? '')
			: journal?.find(item) === 'written';
	return `${results.filter(isWritten).length} of ${results.length} items were written`;
}

/** n8n passes only the message of a tool's error to the agent, so the description is added to it. */
function addressToModel<E extends NodeApiError | NodeOperationError>(isTool: boolean, error: E): E {
	if (isTool) error.message = [error.message, error.description].filter(Boolean).join('. ');
	return error;
}
