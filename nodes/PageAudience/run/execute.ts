import type { IDataObject } from 'n8n-workflow';
import { hasStatus, leavesDoubt } from '../../api/errors';
import { readKey } from '../../api/request';
import { readRecord } from '../../api/response';
import { addFields } from '../../records/shapes';
import { toError } from '../../runtime/unknown';
import {
	type Attempt,
	type ItemContext,
	looksFirst,
	type Operation,
	type WriteOutcome,
} from '../operation/operation';
import { previewRequest, shapeRecord, valuesToAdd } from '../operation/output';
import { noResult } from '../operation/sharedParameters';
import { fitForModel } from './forModels';
import { outputList } from './list';
import type { CommonValues, ItemOutput, PlannedItem, Run, Session } from './model';

export async function executeItem(
	run: Run,
	session: Session,
	plan: PlannedItem,
): Promise<ItemOutput> {
	const { operation, options, execution } = run;
	const item = openItem(run, session, plan);
	const shape = (record: IDataObject) =>
		shapeRecord(record, operation.output, plan.values, execution.isTool);
	if (!operation.writes) {
		const output = operation.paging
			? await outputList(run, plan, item, shape)
			: { records: (await perform(operation, plan, item)).map(shape) };
		if (output.records.length === 0) {
			if (plan.values.options.keepEmpty) return { records: [{ ...noResult }] };
			// It has no output. Among many searches, only the hint shows which one it was.
			if (plan.request.query?.query !== undefined) item.hint('The search found nothing.');
		}
		const { parameters } = run.context.getNode();
		return execution.isTool ? fitForModel(output, plan, parameters, item.hint) : output;
	}
	const { records, outcome } = options.dryRun
		? await previewItem(run, item, plan)
		: await sendOnce(run, session, plan);
	const leftOut = plan.leftOut.length > 0 && { leftOut: plan.leftOut.map(({ name }) => name) };
	// A dry run outputs requests, which do not have the shape of a record.
	const shown = options.dryRun ? records : records.map(shape);
	return { records: shown.map((record) => ({ ...record, ...leftOut })), outcome };
}

async function previewItem(run: Run, item: ItemContext, plan: PlannedItem): Promise<ItemOutput> {
	const { operation } = run;
	if (!looksFirst(operation)) return previewRequestOf(run, item, plan);
	const records = await perform(operation, plan, item);
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

/** Once within the execution, and once across executions. */
async function sendOnce(run: Run, session: Session, plan: PlannedItem): Promise<ItemOutput> {
	const { operation } = run;
	const { journal, sync } = session;
	const { item: place, synced } = plan;
	// What this execution has written itself is left to the journal, which returns the record.
	if (synced && journal.find(place) !== 'written' && sync.stateOf(place) === 'written')
		return { records: [synced.output], outcome: 'skipped' };
	const sending = journal.writeOnce(plan, looksFirst(operation), async (sent, attempt) => {
		attempt.inDoubt ||= sync.stateOf(place) === 'in doubt';
		const written = await perform(operation, sent, openItem(run, session, sent, attempt));
		// A Retry may have sent version 1, as the item was at first, and version 2 is due by now: it stays so.
		if (readKey(sent.request) === readKey(plan.request)) sync.note(place, 'written');
		return written;
	});
	const records = await sending.catch((error: unknown) => {
		if (leavesDoubt(error)) sync.note(place, 'in doubt');
		throw error;
	});
	return { records, outcome: readOutcome(operation, records) };
}

/**
 * Sends the item's request, or does what the operation does in its place.
 * @returns the records with the node's own fields, by the values that were sent
 */
async function perform(
	operation: Operation,
	{ values, request }: PlannedItem,
	item: ItemContext,
): Promise<IDataObject[]> {
	const records = operation.run
		? await operation.run(values, item)
		: await sendRequest(operation, values, item);
	const added = valuesToAdd(operation, values, request);
	return records.map((record) => addFields(record, added));
}

async function sendRequest(
	operation: Operation,
	values: CommonValues,
	{ request, attempt, send, hint }: ItemContext,
): Promise<IDataObject[]> {
	const { writes } = operation;
	const response = await send(request, attempt.inDoubt).catch(toError);
	if (response instanceof Error) {
		// The service refuses what an earlier attempt with the same key has done.
		const isStored = hasStatus(response, 409) && response.details.repeated;
		if (writes?.alreadyStored && isStored) return [writes.alreadyStored(values)];
		throw response;
	}
	const own = operation.records?.(response, values, hint);
	// Limit holds even if the service returns more.
	return (own ?? [readRecord(response, writes?.id)]).slice(0, values.limit);
}

function openItem(
	{ hints }: Run,
	{ runContext }: Session,
	{ item: place, request, changes, json }: PlannedItem,
	attempt: Attempt = { inDoubt: false, existed: false, isRetried: false },
): ItemContext {
	const hint = (message: string) => hints.add(message, place);
	return { ...runContext, request, changes, json, attempt, hint };
}

/** The record of an operation that looks first names what became of it. */
function readOutcome(operation: Operation, [record]: IDataObject[]): WriteOutcome {
	return looksFirst(operation) ? (record?.outcome as WriteOutcome) : 'written';
}
