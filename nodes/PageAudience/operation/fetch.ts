import type { IDataObject } from 'n8n-workflow';
import type { ApiClient } from '../../api/client';
import { RequestFailedError } from '../../api/failure';
import { type AcceptedLimit, type ListResult, offset, readPages } from '../../api/paginate';
import { readPagesInParallel } from '../../api/paginateParallel';
import type { ApiResponse, QueryValue } from '../../api/request';
import type { Hints } from './hints';
import type { Operation } from './operation';
import { addFields } from './output';
import type { Plan } from './plan';

/** What all items of a run share. */
export interface RunState {
	client: ApiClient;
	hints: Hints;
	accepted: AcceptedLimit;
}

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
	const additions = operation.additions?.(values, request) ?? {};
	const records = operation.paging
		? await fetchList(run, operation, plan)
		: await fetchAtOnce(run, operation, plan, mayBeDone);
	return records.map((record) => addFields(record, additions));
}

async function fetchAtOnce(
	{ client, hints }: RunState,
	operation: Operation,
	{ values, request }: Plan,
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
			if (!operation.alreadyDone || !isRefusedRepeat(error)) throw error;
			return [operation.alreadyDone(request)];
		});
}

async function fetchList(
	{ client, hints, accepted }: RunState,
	{ paging = offset, shape }: Operation,
	{ values, request }: Plan,
): Promise<IDataObject[]> {
	const { concurrency, maxRetries, pageSize, timeout } = values.options;
	const wanted = values.returnAll ? Infinity : (values.limit ?? Infinity);
	const fetchPage = async (query: Record<string, QueryValue>, isAbandoned?: () => boolean) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			{ timeoutMs: timeout, maxRetries, isAbandoned },
		);
	const list = { paging, wanted, pageSize, accepted, fetchPage };
	// A page names the cursor of the next one, so cursor pages cannot be requested in parallel.
	const result =
		paging === offset
			? await readPagesInParallel({ ...list, id: shape?.id, concurrency })
			: await readPages(list);
	hints.add('list', describeList(result, values.returnAll === true));
	return result.records;
}

function describeList(
	{ records, totalCount, cut }: ListResult,
	returnAll: boolean,
): string | undefined {
	const read = `${records.length.toLocaleString('en-US')} ${records.length === 1 ? 'record' : 'records'}`;
	const all = totalCount?.toLocaleString('en-US');
	// n8n's own hint says that the limit was reached, and what to do.
	if (cut && all !== undefined) return `The list has ${all} records in total.`;
	if (returnAll && totalCount !== undefined && totalCount !== records.length) {
		return `The list ended after ${read}, but the service counts ${all}. It may have changed during the run.`;
	}
	return undefined;
}

/** A conflict with what an earlier attempt with the same key has done. */
function isRefusedRepeat(error: unknown): boolean {
	return (
		error instanceof RequestFailedError && error.details.status === 409 && error.details.repeated
	);
}
