import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { ApiClient } from '../../api/client';
import { readPages } from '../../api/paginate';
import type { QueryValue } from '../../api/request';
import { refuseRun, stopRun, toErrorItem } from './failures';
import type { Operation, Resource } from './operation';
import { addFields, shapeRecord } from './output';
import { isPlan, type Plan, planItems } from './plan';
import { runTasks } from './schedule';

/** What stands in the Options of the node, where they are left as they are. */
const usual = { concurrency: 10, maxRetries: 3, requestsPerSecond: 0, timeout: 60_000 };

/**
 * Runs the chosen operation for all input items: the item loop, item links, paging and errors of every operation.
 * Retries, rate limits and pacing are ApiClient's.
 * @throws NodeOperationError or NodeApiError, unless On Error says that the workflow goes on
 */
export async function runOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const operation = findOperation(context, resources);
	const signal = context.getExecutionCancelSignal();
	const goesOn = context.continueOnFail();
	const plans = await planItems(context, operation);
	if (!goesOn && !plans.every(isPlan)) refuseRun(context, plans);

	const { concurrency = usual.concurrency, requestsPerSecond = usual.requestsPerSecond } =
		plans.find(isPlan)?.values.options ?? {};
	let client: Promise<ApiClient> | undefined;
	// Opened by the first item, so that a credential that cannot be used is told like anything else that items meet.
	const getClient = async () =>
		await (client ??= ApiClient.open(context, { concurrency, requestsPerSecond, signal }));

	const hints = new Set<string>();
	const tasks = plans.map((plan, item) => ({
		keys: isPlan(plan) ? plan.writesTo : [],
		run: async () => {
			if (!isPlan(plan)) throw plan;
			const records = await fetchRecords(await getClient(), operation, plan, hints);
			return records.map((json): INodeExecutionData => ({ json, pairedItem: { item } }));
		},
	}));
	const results = await runTasks(tasks, concurrency, () => goesOn && !signal?.aborted);
	// A cancelled execution has no result, and none of its items is at fault.
	signal?.throwIfAborted();

	const output: INodeExecutionData[] = [];
	for (const [item, result] of results.entries()) {
		if (result.status === 'failed' && !goesOn) stopRun(context, result.error, item, results);
		if (result.status === 'failed') output.push(toErrorItem(result.error, item));
		if (result.status === 'done') for (const record of result.value) output.push(record);
	}
	for (const message of hints) context.addExecutionHints({ message, location: 'outputPane' });
	return [output];
}

function findOperation(context: IExecuteFunctions, resources: Resource[]): Operation {
	const chosen = {
		resource: context.getNodeParameter('resource', 0),
		operation: context.getNodeParameter('operation', 0),
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

/** The records that one item asks for, in the form that it asks for. */
async function fetchRecords(
	client: ApiClient,
	operation: Operation,
	{ values, request }: Plan,
	hints: Set<string>,
): Promise<IDataObject[]> {
	const { maxRetries = usual.maxRetries, timeout = usual.timeout, pageSize } = values.options;
	const send = async (query: Record<string, QueryValue> = {}) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			{ timeoutMs: timeout, maxRetries },
		);
	const shape = (records: IDataObject[]) => {
		const additions = operation.additions?.(values, request) ?? {};
		return records.map((record) =>
			shapeRecord(addFields(record, additions), operation.shape, values),
		);
	};

	if (operation.paging) {
		const wanted = values.returnAll ? Infinity : (values.limit ?? Infinity);
		const { records } = await readPages({
			paging: operation.paging,
			wanted,
			pageSize,
			fetchPage: send,
		});
		return shape(records);
	}
	const answer = await send();
	const note = operation.note?.(answer, values);
	if (note) hints.add(note);
	return shape(operation.records(answer));
}
