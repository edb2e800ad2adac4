import type { IDataObject } from 'n8n-workflow';
import type { ApiClient } from '../../api/client';
import { RequestFailedError } from '../../api/failure';
import { type ListResult, offset, readPages } from '../../api/paginate';
import { readPagesInParallel } from '../../api/paginateParallel';
import type { QueryValue } from '../../api/request';
import type { Hints } from './hints';
import type { Operation } from './operation';
import { addFields, shapeRecord } from './output';
import type { Plan } from './plan';

/**
 * The records that one item asks for, in the form that it asks for.
 * @param repeats the same request may have been done before
 */
export async function fetchRecords(
	client: ApiClient,
	operation: Operation,
	plan: Plan,
	hints: Hints,
	repeats: boolean,
): Promise<IDataObject[]> {
	const { values, request } = plan;
	const { maxRetries, timeout } = values.options;
	const send = async (query: Record<string, QueryValue> = {}) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			{ timeoutMs: timeout, maxRetries },
		);
	const additions = operation.additions?.(values, request) ?? {};
	const shape = (record: IDataObject) =>
		shapeRecord(addFields(record, additions), operation.shape, values);

	if (operation.paging) {
		const list = await fetchList(operation, plan, send);
		hints.add('list', describeList(list, values.returnAll === true));
		return list.records.map(shape);
	}
	const recover = (error: unknown) => {
		const { alreadyDone } = operation;
		if (!alreadyDone || !isRefusedRepeat(error, repeats)) throw error;
		return alreadyDone(values);
	};
	const records = await send().then(
		(response) => {
			hints.add('found', operation.describeResponse?.(response, values));
			return operation.records(response);
		},
		(error: unknown) => [recover(error)],
	);
	return records.map(shape);
}

async function fetchList(
	{ paging = offset, shape }: Operation,
	{ values }: Plan,
	fetchPage: Parameters<typeof readPages>[0]['fetchPage'],
): Promise<ListResult> {
	const { concurrency, pageSize } = values.options;
	const wanted = values.returnAll ? Infinity : (values.limit ?? Infinity);
	const list = { paging, wanted, pageSize, fetchPage };
	// A cursor is only known once the page before it is there.
	if (paging !== offset) return await readPages(list);
	return await readPagesInParallel({ ...list, id: shape?.id, concurrency });
}

function describeList(
	{ records, totalCount, cut }: ListResult,
	returnAll: boolean,
): string | undefined {
	const read = `${records.length.toLocaleString('en-US')} ${records.length === 1 ? 'record' : 'records'}`;
	const all = totalCount?.toLocaleString('en-US');
	// Where the total is not known, n8n's own hint says that the limit was reached.
	if (cut && all !== undefined) {
		return `${read} of ${all} were read. Raise 'Limit' or turn on 'Return All' for the rest.`;
	}
	if (returnAll && totalCount !== undefined && totalCount !== records.length) {
		return `The list ended after ${read}, but the service counts ${all}. It may have changed while it was read.`;
	}
	return undefined;
}

/** A conflict with what the same request, with the same key, has done before. */
function isRefusedRepeat(error: unknown, repeats: boolean): boolean {
	return (
		error instanceof RequestFailedError &&
		error.details.status === 409 &&
		(repeats || error.details.repeated)
	);
}
