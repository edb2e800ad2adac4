import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { readKey } from '../../api/request';
import { readRecord } from '../../api/response';
import { addFields } from '../../records/shapes';
import {
	type Attempt,
	type ItemContext,
	looksFirst,
	type Operation,
	type WriteOutcome,
} from '../operation/operation';
import { previewRequest, shapeRecord, valuesToAdd } from '../operation/output';
import { outputList } from './list';
import type { CommonValues, ItemOutput, PlannedItem, Run, Session } from './model';

export async function executeItem(
	run: Run,
	session: Session,
	plan: PlannedItem,
): Promise<ItemOutput> {
	const { operation, options, execution } = run;
	const shape = (record: IDataObject) =>
		shapeRecord(record, operation.output, plan.values, execution.isTool);
	if (operation.paging) return await outputList(run, plan, openItem(run, session, plan), shape);
	if (!operation.writes) return { records: (await perform(run, session, plan)).map(shape) };
	// What a dry run would send is no record.
	if (options.dryRun) return await previewItem(run, session, plan);
	const { records, outcome } = await sendOnce(run, session, plan);
	return { records: records.map(shape), outcome };
}

async function previewItem(run: Run, session: Session, plan: PlannedItem): Promise<ItemOutput> {
	const { operation } = run;
	if (looksFirst(operation)) {
		const records = await perform(run, session, plan);
		return { records, outcome: readOutcome(operation, records) };
	}
	const isRepeat = plan.synced && findFirst(run, session, plan.synced.key) !== plan.item;
	return isRepeat
		? { records: [previewRequest(undefined)], outcome: 'skipped' }
		: { records: [previewRequest(plan.request)], outcome: 'wouldWrite' };
}

/** The first item that has a record. A run skips the others. */
function findFirst({ plans }: Run, { runContext }: Session, key: string): number | undefined {
	const first = runContext.once('first items', () => {
		const valid = plans.flatMap((plan) => (plan instanceof Error ? [] : plan));
		return new Map(valid.reverse().map(({ synced, item }) => [synced?.key, item]));
	});
	return first.get(key);
}

/** Once within the execution, and once across executions. */
async function sendOnce(run: Run, session: Session, plan: PlannedItem): Promise<ItemOutput> {
	const { operation } = run;
	const { journal, sync } = session;
	const { item, synced } = plan;
	// What this execution has written itself is left to the journal, which returns the record.
	if (synced && journal.find(item) !== 'written' && sync.stateOf(item) === 'written')
		return { records: [synced.output], outcome: 'skipped' };
	const sending = journal.writeOnce(plan, looksFirst(operation), async (first, attempt) => {
		attempt.inDoubt ||= sync.stateOf(item) === 'in doubt';
		const written = await perform(run, session, first, attempt);
		// A Retry may have sent what the item was at first: only the key of today's version confirms that version.
		if (readKey(first.request) === readKey(plan.request)) sync.confirm(item);
		return written;
	});
	await sending.catch((error: unknown) => sync.noteFailure(item, error));
	const records = await sending;
	return { records, outcome: readOutcome(operation, records) };
}

const firstAttempt = (): Attempt => ({ inDoubt: false, existed: false, isRetried: false });

/**
 * Sends the item's request, or does what the operation does in its place.
 * @returns the records with the node's own fields, by the values that were sent
 */
async function perform(
	run: Run,
	session: Session,
	plan: PlannedItem,
	attempt = firstAttempt(),
): Promise<IDataObject[]> {
	const { operation } = run;
	const { values, request } = plan;
	const item = openItem(run, session, plan, attempt);
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
	try {
		const response = await send(request, attempt.inDoubt);
		const records = operation.records?.(response, values, hint) ?? [
			readRecord(response, writes?.id),
		];
		// Limit holds even if the service returns more.
		return records.slice(0, values.limit);
	} catch (error) {
		// The service refuses what an earlier attempt with the same key has done.
		const isStored = hasStatus(error, 409) && error.details.repeated;
		if (writes?.alreadyStored && isStored) return [writes.alreadyStored(values)];
		throw error;
	}
}

function openItem(
	{ hints }: Run,
	{ runContext }: Session,
	{ item, request, changes, json }: PlannedItem,
	attempt = firstAttempt(),
): ItemContext {
	const hint = (message: string) => hints.add(message, item);
	return { ...runContext, request, changes, json, attempt, hint };
}

/** The record of an operation that looks first names what became of it. */
function readOutcome(operation: Operation, [record]: IDataObject[]): WriteOutcome {
	return looksFirst(operation) ? (record?.outcome as WriteOutcome) : 'written';
}
