import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { type ListResult, offset, readPages } from '../../api/paginate';
import { readPagesInParallel } from '../../api/paginateParallel';
import type { ApiResponse, QueryValue } from '../../api/request';
import { type Call, openCall, type RunState } from './call';
import type { Operation } from './operation';
import { addFields } from './output';
import { previewRequest } from './dryRun';
import type { Plan } from './plan';
import { settle } from './settle';

/**
 * The records that one item asks for, with the fields that the node adds to them.
 * @param mayBeDone an earlier run may have done the same
 */
export async function fetchRecords(
	run: RunState,
	operation: Operation,
	plan: Plan,
	mayBeDone = false,
): Promise<IDataObject[]> {
	const { values, request } = plan;
	const call = openCall(run, values.options, plan.isDryRun);
	const decide = operation.decide?.bind(operation, values, call);
	if (decide) return [await settle(call, decide, plan.isDryRun, mayBeDone)];
	if (plan.isDryRun) return [preview(plan)];
	if (operation.paging) return await fetchWholeList(run, operation, plan);
	const additions = operation.additions?.(values, request) ?? {};
	const records = operation.read
		? await operation.read(values, call, plan)
		: await fetchAtOnce(run, operation, plan, mayBeDone);
	return records.map((record) => addFields(record, additions));
}

/** Whether a record was written before cannot be looked up without recording it. */
function preview({ request, sentOnce }: Plan): IDataObject {
	return { ...previewRequest(request), ...(sentOnce && { outcome: 'unlessAlreadyWritten' }) };
}

async function fetchAtOnce(
	{ client, hints }: RunState,
	operation: Operation,
	{ values, request, sentOnce }: Plan,
	mayBeDone: boolean,
): Promise<IDataObject[]> {
	const { maxRetries, timeout } = values.options;
	const readRecords = (response: ApiResponse) => {
		hints.add('found', operation.describeResponse?.(response, values));
		// Limit holds even if the service returns more.
		return operation.records(response, values).slice(0, values.limit);
	};
	return await client
		.send(request, { timeoutMs: timeout, maxRetries, mayBeDone })
		.then(readRecords, (error: unknown) => {
			const isKeyOld = sentOnce !== undefined;
			if (!operation.alreadyDone || !isRefusedRepeat(error, isKeyOld)) throw error;
			return [operation.alreadyDone(request)];
		});
}

async function fetchWholeList(
	run: RunState,
	operation: Operation,
	plan: Plan,
): Promise<IDataObject[]> {
	const all: IDataObject[] = [];
	await fetchList(run, operation, plan, (records) => {
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of records) all.push(record);
	});
	return all;
}

/**
 * Reads a list as far as the item wants it.
 * @param onPage receives the records of each page, with the fields that the node adds to them
 */
export async function fetchList(
	run: RunState,
	operation: Operation,
	{ values, request }: Plan,
	onPage: (records: IDataObject[]) => void,
): Promise<ListResult> {
	const { client, hints, accepted } = run;
	const { paging = offset, shape } = operation;
	const additions = operation.additions?.(values, request) ?? {};
	const complete = openCompletion(operation, values, openCall(run, values.options));
	const { concurrency, maxRetries, pageSize, timeout } = values.options;
	const wanted = values.returnAll ? Infinity : (values.limit ?? Infinity);
	const fetchPage = async (query: Record<string, QueryValue>, isAbandoned?: () => boolean) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			{ timeoutMs: timeout, maxRetries, isAbandoned },
		);
	let page: IDataObject[] = [];
	const list = {
		paging,
		wanted,
		pageSize,
		accepted,
		fetchPage,
		onRecords: (records: IDataObject[]) => (page = records),
		afterPage: async () => {
			const completed = await complete(page);
			onPage(completed.map((record) => addFields(record, additions)));
		},
	};
	// A page names the cursor of the next one, so cursor pages cannot be requested in parallel.
	const result =
		paging === offset
			? await readPagesInParallel({ ...list, id: shape?.id, concurrency })
			: await readPages(list);
	hints.add('list', describeList(result, values.returnAll === true));
	return result;
}

/** What adds the fields that need a request for each record. */
function openCompletion(
	{ completion }: Operation,
	values: object,
	call: Call,
): (records: IDataObject[]) => Promise<IDataObject[]> {
	if (!completion?.isWanted(values)) return async (records) => await Promise.resolve(records);
	return async (records) => {
		const completing = records.map(async (record) => await completion.complete(record, call));
		// All of them, so that no request is left over beside those of the node's next run.
		await Promise.allSettled(completing);
		return await Promise.all(completing);
	};
}

function describeList(
	{ count, totalCount, cut }: ListResult,
	returnAll: boolean,
): string | undefined {
	const read = `${count.toLocaleString('en-US')} ${count === 1 ? 'record' : 'records'}`;
	const all = totalCount?.toLocaleString('en-US');
	// n8n's own hint says that the limit was reached, and what to do.
	if (cut && all !== undefined) return `The list has ${all} records in total.`;
	if (returnAll && totalCount !== undefined && totalCount !== count) {
		return `The list ended after ${read}, but the service counts ${all}. It may have changed during the run.`;
	}
	return undefined;
}

/**
 * A conflict with what an earlier attempt with the same key has done.
 * @param isKeyOld any earlier run may have sent the same key, even with another API key or from another workflow
 */
function isRefusedRepeat(error: unknown, isKeyOld: boolean): boolean {
	if (!(error instanceof RequestFailedError) || error.details.status !== 409) return false;
	return isKeyOld || error.details.repeated;
}
