import {
	ExpressionError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { readApiKey, readConnection } from '../../api/connection';
import { hideSecret } from '../../api/redact';
import { describeError, listMessages, toErrorItem, toNodeError } from '../../nodeErrors';
import { runTasks } from '../../runtime/runTasks';
import { toError } from '../../runtime/unknown';
import { isWritten, nameInNode } from '../ledger/ledger';
import type { Operation, Resource } from '../operation/operation';
import { executeItem } from './execute';
import { countedFrom0, groupMessages } from './messages';
import type { ItemResult, OpenedRun, PlannedItem, Run } from './model';
import { openRun } from './openRun';
import { planRun } from './plan';
import { describeRun, type ItemFailure, makeReport, summarize, type Summary } from './report';

/**
 * Runs the chosen operation for all input items: the item loop, item links and errors of every operation.
 * @throws NodeOperationError or NodeApiError, unless On Error is set to continue
 */
export async function runOperation(
	context: IExecuteFunctions,
	resources: Resource[],
	continueOnFail: boolean,
): Promise<INodeExecutionData[][]> {
	const { operation, name } = findOperation(context, resources);
	const planned = await planRun(context, operation, { name, continueOnFail });
	const { plans, hints, signal, execution } = planned;
	// n8n marks an execution as cancelled only if its nodes throw nothing.
	if (signal?.aborted) return [[]];
	const connection = await readConnection(context).catch(toError);
	const isConnected = !(connection instanceof Error);
	const apiKey = isConnected ? connection.apiKey : await readApiKey(context);
	for (const plan of plans) hideSecret(plan, apiKey);
	if (!continueOnFail) refuseInvalid(planned);
	const opened = isConnected ? await openRun(planned, connection).catch(toError) : connection;
	const run: Run = opened instanceof Error ? planned : { ...planned, opened };
	const results: ItemResult[] =
		opened instanceof Error
			? plans.map((plan) => ({ status: 'failed', error: plan instanceof Error ? plan : opened }))
			: await executeItems(run, opened).finally(opened.close);
	if (signal?.aborted) return [[]];
	const summary = summarize(run, results);
	const [failure] = summary.failed;
	for (const { error } of summary.failed) hideSecret(error, apiKey);
	if (failure && !continueOnFail) throw describeStop(run, results, failure);
	for (const message of describeRun(run, summary)) hints.add(message);
	const told = hints.write(results.length, apiKey);
	for (const message of told) context.addExecutionHints({ message, location: 'outputPane' });
	const output = collectOutput(run, results, summary);
	// A model reads the output alone.
	if (execution.isTool && told.length > 0) output.push({ json: { notes: told }, pairedItem: 0 });
	// With Retry On Fail, n8n runs the whole node again if its first output item has an error. That run needs the ledger.
	const isRunAgain = context.getNode().retryOnFail && output[0]?.json.error !== undefined;
	if (!isRunAgain) run.opened?.ledger.execution.forget();
	return [output];
}

function findOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): { operation: Operation; name: string } {
	const resource = String(context.getNodeParameter('resource', 0));
	// A resource that does not exist has no operation at all.
	const chosen = context.getNodeParameter('operation', 0, '');
	const operation = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === chosen);
	if (operation) return { operation, name: `${resource}.${chosen}` };
	throw new NodeOperationError(
		context.getNode(),
		`The operation '${chosen}' of the resource '${resource}' does not exist`,
		{
			description:
				"Choose an operation in the node's panel. If the workflow comes from a newer version of this package, update the package, in queue mode on each worker.",
		},
	);
}

/**
 * Stops the run before anything is sent.
 * @throws NodeOperationError that names every invalid field
 */
function refuseInvalid({ context, execution, plans }: Run): void {
	const { isTool } = execution;
	const invalid = plans.flatMap((plan, item) => (plan instanceof Error ? [{ plan, item }] : []));
	const [first] = invalid;
	if (!first) return;
	// n8n's own error links to the expression in the editor.
	if (invalid.length === 1 && first.plan instanceof ExpressionError) throw first.plan;
	const failures = invalid.map(({ plan, item }) => ({ messages: listMessages(plan), item }));
	const someAreValid = invalid.length < plans.length;
	const advice = isTool
		? describeError(first.plan).description
		: someAreValid &&
			`To send the valid items anyway, set On Error to 'Continue (using error output)' in the node's Settings tab. ${countedFrom0}`;
	const description = ['Nothing was sent.', advice].filter(Boolean).join(' ');
	const error = new NodeOperationError(
		context.getNode(),
		groupMessages(failures, plans.length),
		// With several invalid items, the editor would add the number of one of them to the message.
		{ description, itemIndex: invalid.length === 1 ? first.item : undefined },
	);
	throw addressToModel(isTool, error);
}

/** Looked up, sent and remembered together: a run that is killed repeats no more than these. */
const chunkSize = 1_000;

/** Executes all items, as many at once as Max Concurrent Requests allows. Writes to one record go in the order of the input. */
async function executeItems(run: Run, opened: OpenedRun): Promise<ItemResult[]> {
	const { plans, options, continueOnFail, signal } = run;
	const { ledger } = opened;
	const mayGoOn = () => continueOnFail && !signal?.aborted;
	const results: ItemResult[] = [];
	const size = ledger.node ? chunkSize : Infinity;
	while (results.length < plans.length) {
		const chunk = plans.slice(results.length, results.length + size);
		const names = chunk.map((plan) => (plan instanceof Error ? '' : nameInNode(plan)));
		await ledger.node?.open(names);
		const tasks = chunk.map((plan) => ({
			// What is skipped waits for nothing. In a dry run, an item counts on what the ones before it would write.
			locks: plan instanceof Error || isWritten(ledger, plan) ? [] : listLocks(plan),
			run: async () => {
				if (plan instanceof Error) throw plan;
				return await executeItem(run, opened, plan);
			},
		}));
		for (const result of await runTasks(tasks, options.concurrency, mayGoOn)) results.push(result);
		await ledger.node?.close(names);
		if (results.some(({ status }) => status === 'failed') && !mayGoOn()) break;
	}
	await ledger.node?.shrink();
	while (results.length < plans.length) results.push({ status: 'not started' });
	return results;
}

function listLocks({ changes, synced }: PlannedItem): string[] {
	return [...changes(), ...(synced ? [synced.record] : [])];
}

/** The error of the first item that failed, which says what was written before. */
function describeStop(run: Run, results: ItemResult[], { item, error }: ItemFailure): Error {
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

/** Counts what an earlier run of the node in this execution wrote, too. */
function describeProgress({ opened, plans }: Run, results: ItemResult[]): string {
	const execution = opened?.ledger.execution;
	const counts = (result: ItemResult, item: number) => {
		if (result.status === 'done')
			return ['created', 'updated', 'written'].includes(result.value.outcome ?? '');
		const plan = plans[item];
		if (!execution || !plan || plan instanceof Error) return false;
		return execution.find(execution.nameOf(plan)).is === 'done';
	};
	return `${results.filter(counts).length} of ${results.length} items were written`;
}

/**
 * The output items of all items, in the order of the input, or the report in place of them. Items that failed still go to
 * the error output, where there is one.
 */
function collectOutput(run: Run, results: ItemResult[], summary: Summary): INodeExecutionData[] {
	const { context, execution, options } = run;
	const node = context.getNode();
	const isReported = options.report && !execution.isTool;
	const showsErrors = !isReported || node.onError === 'continueErrorOutput';
	// First, so that Retry On Fail sees a success: what failed is in the report.
	const output = isReported ? [makeReport(run, results, summary)] : [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed' && showsErrors)
			output.push(toErrorItem(node, result.error, { item, total: results.length }));
		if (isReported || result.status !== 'done') continue;
		const { records, binary } = result.value;
		for (const json of records)
			output.push({ json, ...(binary && { binary }), pairedItem: { item } });
	}
	return output;
}

/** n8n passes only the message of a tool's error to the agent, so the description is added to it. */
function addressToModel<E extends NodeApiError | NodeOperationError>(isTool: boolean, error: E): E {
	if (isTool) error.message = [error.message, error.description].filter(Boolean).join('. ');
	return error;
}
