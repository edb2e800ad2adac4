import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { readKey } from '../../api/request';
import { readRecord } from '../../api/response';
import type { Result } from '../../runtime/runTasks';
import {
	type Attempt,
	type ItemContext,
	looksFirst,
	type Operation,
	type Outcome,
} from '../operation/operation';
import {
	addFields,
	type Finisher,
	openFinisher,
	previewRequest,
	valuesToAdd,
} from '../operation/output';
import { type ListOutput, readList } from './list';
import type { CommonValues, PlannedItem } from './plan';
import type { Run } from './session';

export interface ItemOutput extends ListOutput {
	outcome?: Outcome;
}

export type ItemResult = Result<ItemOutput>;

export async function executeItem(run: Run, plan: PlannedItem): Promise<ItemOutput> {
	const { operation, options } = run;
	const finish = openFinisher(operation, plan.values, plan.request, run.execution.isTool);
	if (operation.paging) return await readList(run, plan, openItem(run, plan), finish);
	if (!operation.writes) return { records: (await perform(run, plan)).map(finish) };
	if (!options.dryRun) return await sendOnce(run, plan, finish);
	// What a dry run would send is no record.
	if (!looksFirst(operation)) {
		const isRepeat = plan.synced && findFirst(run, plan.synced.key) !== plan.item;
		return isRepeat
			? { records: [previewRequest(undefined)], outcome: 'skipped' }
			: { records: [previewRequest(plan.request)], outcome: 'wouldWrite' };
	}
	const records = await perform(run, plan);
	return { records, outcome: readOutcome(operation, records) };
}

/** The first item that has a record. A run skips the others. */
function findFirst({ plans, call }: Run, key: string): number | undefined {
	const first = call.once('first items', () => {
		const valid = plans.flatMap((plan) => (plan instanceof Error ? [] : plan));
		return new Map(valid.reverse().map(({ synced, item }) => [synced?.key, item]));
	});
	return first.get(key);
}

/** Once within the execution, and once across executions. */
async function sendOnce(run: Run, plan: PlannedItem, finish: Finisher): Promise<ItemOutput> {
	const { operation, journal, sync } = run;
	const { item, synced } = plan;
	// What this execution has written itself is left to the journal, which returns the record.
	if (synced && journal.find(item) !== 'written' && sync.stateOf(item) === 'written')
		return { records: [synced.output], outcome: 'skipped' };
	const sending = journal.writeOnce(plan, looksFirst(operation), async (first, attempt) => {
		attempt.inDoubt ||= sync.stateOf(item) === 'in doubt';
		const written = await perform(run, first, attempt);
		// A Retry may have sent what the item was at first: only the key of today's version confirms that version.
		if (readKey(first.request) === readKey(plan.request)) sync.confirm(item);
		const added = valuesToAdd(operation, first.values, first.request);
		return written.map((record) => addFields(record, added));
	});
	await sending.catch((error: unknown) => sync.noteFailure(item, error));
	const records = await sending;
	return { records: records.map(finish), outcome: readOutcome(operation, records) };
}

const firstAttempt = (): Attempt => ({ inDoubt: false, existed: false, isRetried: false });

/** Sends the item's request, or does what the operation does in its place. */
async function perform(
	run: Run,
	plan: PlannedItem,
	attempt = firstAttempt(),
): Promise<IDataObject[]> {
	const { operation } = run;
	const { values, request } = plan;
	const call = openItem(run, plan, attempt);
	if (operation.run) return await operation.run(values, call);
	try {
		const response = await call.send(request, attempt.inDoubt);
		const records = operation.records?.(response, values, call.hint) ?? [
			readRecord(response, operation.writes?.id),
		];
		// Limit holds even if the service returns more.
		return records.slice(0, values.limit);
	} catch (error) {
		return [takeStored(operation, values, error)];
	}
}

/**
 * What is returned in place of the record when the service refuses what an earlier attempt with the same key has done.
 * @throws the error, if it is anything else
 */
function takeStored({ writes }: Operation, values: CommonValues, error: unknown): IDataObject {
	if (writes?.alreadyStored && hasStatus(error, 409) && error.details.repeated)
		return writes.alreadyStored(values);
	throw error;
}

function openItem(
	{ hints, call }: Run,
	{ item, request, changes, json }: PlannedItem,
	attempt = firstAttempt(),
): ItemContext {
	const hint = (message: string) => hints.add(message, item);
	return { ...call, request, changes, json, attempt, hint };
}

/** The record of an operation that looks first names what became of it. */
function readOutcome(operation: Operation, [record]: IDataObject[]): Outcome {
	return looksFirst(operation) ? (record?.outcome as Outcome) : 'written';
}
