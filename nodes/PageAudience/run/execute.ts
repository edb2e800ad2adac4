import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import type { ApiResponse } from '../../api/request';
import { readRecord } from '../../api/response';
import { addFields } from '../../records/shapes';
import { type Attempt, openAttempt, writeOnce } from '../ledger/ledger';
import {
	type ItemContext,
	looksFirst,
	type Operation,
	type WriteOutcome,
} from '../operation/operation';
import { previewRequest, shapeRecord, valuesToAdd } from '../operation/output';
import { noResult } from '../operation/sharedParameters';
import { fitForModel } from './forModels';
import { outputList } from './list';
import type { CommonValues, ItemOutput, OpenedRun, PlannedItem, Run } from './model';

export async function executeItem(
	run: Run,
	opened: OpenedRun,
	plan: PlannedItem,
): Promise<ItemOutput> {
	const { operation, options, execution } = run;
	const itemContext = openItemContext(run, opened, plan);
	const shape = (record: IDataObject) =>
		shapeRecord(record, operation.output, plan.values, execution.isTool);
	if (!operation.writes) {
		const output = operation.paging
			? await outputList(run, plan, itemContext, shape)
			: { records: (await perform(operation, plan, itemContext)).map(shape) };
		if (output.records.length === 0) {
			if (plan.values.options.keepEmpty) return { records: [{ ...noResult }] };
			// It has no output. Among many searches, only the hint shows which one it was.
			if (plan.request.query?.query !== undefined) itemContext.hint('The search found nothing.');
		}
		return execution.isTool ? fitForModel(output, plan, itemContext.hint) : output;
	}
	const { records, outcome } = options.dryRun
		? await previewItem(run, itemContext, plan)
		: await sendOnce(run, opened, plan);
	const leftOut = plan.leftOut.length > 0 && { leftOut: plan.leftOut.map(({ name }) => name) };
	// A dry run outputs requests, which do not have the shape of a record.
	const shown = options.dryRun ? records : records.map(shape);
	return { records: shown.map((record) => ({ ...record, ...leftOut })), outcome };
}

async function previewItem(
	run: Run,
	itemContext: ItemContext,
	plan: PlannedItem,
): Promise<ItemOutput> {
	const { operation } = run;
	if (!looksFirst(operation)) return previewRequestOf(run, itemContext, plan);
	const records = await perform(operation, plan, itemContext);
	return { records, outcome: readOutcome(operation, records) };
}

/** Of several items with one record, a run sends the first. */
function previewRequestOf({ plans }: Run, { once }: ItemContext, plan: PlannedItem): ItemOutput {
	const { synced, request } = plan;
	const firstItems = once('first items', () => {
		const valid = plans.flatMap((each) => (each instanceof Error ? [] : each));
		return new Map(valid.reverse().map((each) => [each.synced?.key, each.item]));
	});
	if (synced && firstItems.get(synced.key) !== plan.item)
		return { records: [previewRequest(undefined)], outcome: 'skipped' };
	return { records: [previewRequest(request)], outcome: 'wouldWrite' };
}

async function sendOnce(run: Run, opened: OpenedRun, plan: PlannedItem): Promise<ItemOutput> {
	const { operation } = run;
	const send = async (sent: PlannedItem, attempt: Attempt) =>
		await perform(operation, sent, openItemContext(run, opened, sent, attempt));
	const records = await writeOnce(opened.ledger, plan, looksFirst(operation), send);
	if (records) return { records, outcome: readOutcome(operation, records) };
	return { records: plan.synced ? [plan.synced.output] : [], outcome: 'skipped' };
}

/**
 * Sends the item's request, or does what the operation does in its place.
 * @returns the records with the node's own fields, by the values that were sent
 */
async function perform(
	operation: Operation,
	{ values, request }: PlannedItem,
	itemContext: ItemContext,
): Promise<IDataObject[]> {
	const records = operation.run
		? await operation.run(values, itemContext)
		: await sendRequest(operation, values, itemContext);
	const added = valuesToAdd(operation, values, request);
	return records.map((record) => addFields(record, added));
}

async function sendRequest(
	operation: Operation,
	values: CommonValues,
	{ request, attempt, send, hint }: ItemContext,
): Promise<IDataObject[]> {
	const { id, alreadyStored } = operation.writes ?? {};
	const read = (response: ApiResponse) =>
		operation.records?.(response, values, hint) ?? [readRecord(response, id)];
	const records = await attempt.send(request, send, read).catch((error: unknown) => {
		// The service refuses what an earlier attempt with the same key has done.
		const isStored = hasStatus(error, 409) && error.details.repeated;
		if (alreadyStored && isStored) return [alreadyStored(values)];
		throw error;
	});
	// Limit holds even if the service returns more.
	return records.slice(0, values.limit);
}

function openItemContext(
	{ hints }: Run,
	{ runContext }: OpenedRun,
	{ item, request, changes, json }: PlannedItem,
	attempt = openAttempt(),
): ItemContext {
	const hint = (message: string) => hints.add(message, item);
	return { ...runContext, request, changes, json, attempt, hint };
}

/** The record of an operation that looks first names what became of it. */
function readOutcome(operation: Operation, [record]: IDataObject[]): WriteOutcome {
	return looksFirst(operation) ? (record?.outcome as WriteOutcome) : 'written';
}
