import type { IDataObject } from 'n8n-workflow';
import type { ApiResponse } from '../../api/request';
import { readRecord } from '../../api/response';
import type { SingleRequest } from '../operation/operation';
import { addFields, valuesToAdd } from '../operation/output';
import { openCall, type SharedState } from './openCall';
import type { ReadPlan } from './plan';

/** The records of one item that reads, with the fields that the node adds to them. */
export async function readRecords(state: SharedState, plan: ReadPlan): Promise<IDataObject[]> {
	const { operation, values, request, json } = plan;
	const call = openCall(state, values.options);
	const records = operation.read
		? await operation.read(values, call, { json, request })
		: takeRecords(state, plan, operation, await call.send(request));
	const added = valuesToAdd(operation, values, request);
	return records.map((record) => addFields(record, added));
}

/** Limit holds even if the service returns more. */
export function takeRecords(
	{ hints }: Pick<SharedState, 'hints'>,
	{ values }: Pick<ReadPlan, 'values'>,
	{ records, hint, writes }: SingleRequest,
	response: ApiResponse,
): IDataObject[] {
	hints.add('found', hint?.(response, values));
	const all = records ? records(response, values) : [readRecord(response, writes?.id)];
	return all.slice(0, values.limit);
}
