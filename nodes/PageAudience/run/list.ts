import type { IDataObject } from 'n8n-workflow';
import { type ListResult, readPages } from '../../api/paginate';
import type { QueryValue } from '../../api/request';
import type { Call } from '../operation/call';
import type { PagedList } from '../operation/operation';
import { addFields, valuesToAdd } from '../operation/output';
import { writeCount } from './messages';
import { openCall, type SharedState } from './openCall';
import type { FilePlan, ListPlan } from './plan';

/** All records that one item asks for, with the fields that the node adds to them. */
export async function readList(state: SharedState, plan: ListPlan): Promise<IDataObject[]> {
	const all: IDataObject[] = [];
	await readListPages(state, plan, (records) => {
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of records) all.push(record);
	});
	return all;
}

/**
 * Reads a list as far as the item wants it.
 * @param onPage receives the records of each page, with the fields that the node adds to them
 */
export async function readListPages(
	state: SharedState,
	{ operation, values, request }: ListPlan | FilePlan,
	onPage: (records: IDataObject[]) => void,
): Promise<ListResult> {
	const { client, hints, accepted } = state;
	const { maxRetries, pageSize, timeout } = values.options;
	const complete = openCompletion(operation, values, openCall(state, values.options));
	const added = valuesToAdd(operation, values, request);
	const fetchPage = async (query: Record<string, QueryValue>) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			{ timeoutMs: timeout, maxRetries },
		);
	let page: IDataObject[] = [];
	const result = await readPages({
		paging: operation.paging,
		wanted: values.returnAll ? Infinity : (values.limit ?? Infinity),
		pageSize,
		accepted,
		fetchPage,
		onRecords: (records: IDataObject[]) => (page = records),
		afterPage: async () => {
			const completed = await complete(page);
			onPage(completed.map((record) => addFields(record, added)));
		},
		// By offsets, a list that grows shows records again.
		id: operation.paging === 'offset' ? operation.output?.shape?.id : undefined,
	});
	hints.add('list', describeList(result, values.returnAll === true));
	return result;
}

/** What adds the fields that need a request for each record. */
function openCompletion(
	{ completion }: PagedList,
	values: object,
	call: Call,
): (records: IDataObject[]) => Promise<IDataObject[]> {
	const fields = completion?.fields(values) ?? [];
	if (!completion || fields.length === 0) return async (records) => await Promise.resolve(records);
	return async (records) => {
		const completing = records.map(
			async (record) => await completion.complete(record, fields, call),
		);
		// All of them, so that no request is left over beside those of the node's next run.
		await Promise.allSettled(completing);
		return await Promise.all(completing);
	};
}

function describeList(
	{ count, totalCount, cut }: ListResult,
	returnAll: boolean,
): string | undefined {
	const read = `${writeCount(count)} ${count === 1 ? 'record' : 'records'}`;
	const all = totalCount === undefined ? undefined : writeCount(totalCount);
	// n8n's own hint says that the limit was reached, and what to do.
	if (cut && all !== undefined) return `The list has ${all} records in total.`;
	if (returnAll && totalCount !== undefined && totalCount !== count) {
		return `The list ended after ${read}, but the service counts ${all}. It may have changed during the run.`;
	}
	return undefined;
}
