import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/errors';
import { readKey } from '../../api/request';
import { readRecord } from '../../api/response';
import type { Result } from '../../runtime/runTasks';
import type { ItemContext } from '../operation/context';
import type { Operation, Outcome } from '../operation/operation';
import { addFields, finishRecord, valuesToAdd } from '../operation/output';
import { type ListOutput, readList } from './list';
import type { EarlierAttempt } from './memory';
import type { CommonValues, PlannedItem, Run } from './plan';
import type { Session } from './session';

export interface ItemOutput extends ListOutput {
	outcome?: Outcome;
}

export type ItemResult = Result<ItemOutput>;

export async function executeItem(
	run: Run,
	session: Session,
	plan: PlannedItem,
): Promise<ItemOutput> {
	const { operation, options } = run;
	if (operation.paging) return await readList(run, plan, toContext(run, session, plan));
	if (operation.writes && !options.dryRun) return await writeOnce(run, session, plan);
	if (operation.writes && !operation.run)
		return { records: [session.context.preview(plan.request)], outcome: 'wouldWrite' };
	const records = await perform(run, session, plan);
	// What a dry run would send is no record.
	if (operation.writes) return { records, outcome: readOutcome(operation, records) };
	return { records: finish(run, plan, records) };
}

/** Once within the execution, and once across executions. */
async function writeOnce(run: Run, session: Session, plan: PlannedItem): Promise<ItemOutput> {
	const { operation } = run;
	const { memory, sync } = session;
	const { item, synced } = plan;
	// What this execution has written itself is left to `memory`, which returns the record.
	if (synced && memory.find(item) !== 'written' && sync.stateOf(item) === 'written')
		return { records: [synced.output], outcome: 'skipped' };
	const sending = memory.writeOnce(plan, operation.run !== undefined, async (first, earlier) => {
		const inDoubt = earlier.inDoubt || sync.stateOf(item) === 'in doubt';
		const written = await perform(run, session, first, { ...earlier, inDoubt });
		// A Retry may have sent what the item was at first: only the key of today's version confirms that version.
		if (readKey(first.request) === readKey(plan.request)) sync.confirm(item);
		const added = valuesToAdd(operation, first.values, first.request);
		return written.map((record) => addFields(record, added));
	});
	await sending.catch((error: unknown) => sync.noteFailure(item, error));
	const records = await sending;
	return { records: finish(run, plan, records), outcome: readOutcome(operation, records) };
}

const noAttempt: EarlierAttempt = { inDoubt: false, isRetried: false };

/** Sends the item's request, or does what the operation does in its place. */
async function perform(
	run: Run,
	session: Session,
	plan: PlannedItem,
	earlier = noAttempt,
): Promise<IDataObject[]> {
	const { operation } = run;
	const { values, request } = plan;
	const context = toContext(run, session, plan, earlier);
	if (operation.run) return await operation.run(values, context);
	try {
		const response = await session.send(request, earlier.inDoubt);
		const records = operation.records?.(response, values, context.hint) ?? [
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

function toContext(
	{ hints }: Run,
	{ context }: Session,
	{ item, request, changes, json }: PlannedItem,
	earlier = noAttempt,
): ItemContext {
	const hint = (message: string) => hints.add(message, item);
	return { ...context, ...earlier, request, changes, json, hint };
}

/** Only an operation with a `run` of its own has several, and its record names its own. */
function readOutcome({ run }: Operation, [record]: IDataObject[]): Outcome {
	return run ? (record?.outcome as Outcome) : 'written';
}

function finish({ operation, execution }: Run, plan: PlannedItem, records: IDataObject[]) {
	const { values, request } = plan;
	return records.map((record) =>
		finishRecord(record, operation, values, request, execution.isTool),
	);
}
