import type { IDataObject } from 'n8n-workflow';
import { hasStatus, leavesDoubt } from '../../api/errors';
import type { ApiRequest } from '../../api/request';
import { hasId, readRecord } from '../../api/response';
import { isDetailed } from '../../errors';
import { toError } from '../../parameters/problem';
import type { Call } from '../operation/call';
import { LookupError, SeveralRecordsError } from '../operation/lookupError';
import type { EnsureGroup, RecordFinder } from '../operation/operation';
import { openCall, type SharedState } from './openCall';
import { type EnsurePlan, isDryRun as isDryPlan, type Plan } from './plan';
import { previewRequest } from './preview';

/** What became of an item's record. */
type EnsureOutcome = 'found' | 'unchanged' | 'created' | 'updated';

/** Why an item looks once more. */
type Doubt =
	| { kind: 'none' }
	/** An attempt to create that may have succeeded, of this run or of an earlier one. */
	| { kind: 'lost'; error?: Error }
	/** The service refused to create, because a record exists. */
	| { kind: 'conflict'; error: Error };

/** A request that is still under way at the service, and a search that lags, get this long. */
const patienceMs = 2_000;

/** One item of an operation that looks, then writes. */
export interface EnsureTask {
	ensure: EnsureGroup;
	values: object;
	/** What creates the record. */
	create: ApiRequest;
	call: Call;
	finder: RecordFinder;
	/** Of the items in a dry run, which count on what the others write. It is not so the other way round. */
	dryFinder?: RecordFinder;
	/** The field of the record's ID. */
	id: string;
	/** What identifies its record. */
	identities: string[];
	/** What attempts may have created, without a response. */
	inDoubt: Set<string>;
	/** Whether it was sent before and may have succeeded. */
	mayBeDone: boolean;
}

export function openEnsureTask(
	state: SharedState,
	plan: EnsurePlan,
	mayBeDone: boolean,
	plans: Plan[],
): EnsureTask {
	const { values, request: create, isDryRun, changes: identities } = plan;
	const { ensure, writes } = plan.operation;
	const call = openCall(state, values.options, isDryRun);
	const finder = shareFinder(call, ensure);
	const inDoubt = call.once('in doubt', () => new Set<string>());
	const dryFinder = call.once('dry finder', () =>
		!isDryRun && plans.some(isDryPlan)
			? shareFinder(openCall(state, values.options, true), ensure)
			: undefined,
	);
	const { id } = writes;
	return { ensure, values, create, call, finder, dryFinder, id, identities, inDoubt, mayBeDone };
}

/** All items of a call share one. */
export function shareFinder(call: Call, ensure: EnsureGroup): RecordFinder {
	return call.once('finder', () => ensure.openFinder(call));
}

/**
 * Looks, and sends what is missing. After a response that was lost, or a conflict, it looks again before anything else.
 * @returns the record, with its outcome
 * @throws what the last attempt to create threw, when looking again did not find a record and did not prove that
 * there is none
 */
export async function ensureRecord(task: EnsureTask): Promise<IDataObject> {
	const { ensure, identities, inDoubt, mayBeDone } = task;
	// An item before this one may have created the same record. Only a look that proves something settles that.
	const isShared = ensure.provesAbsence && identities.some((identity) => inDoubt.has(identity));
	const isLost = mayBeDone || isShared;
	const attempts = { lost: isLost ? 1 : 0 };
	const doubt: Doubt = { kind: isLost ? 'lost' : 'none' };
	const record = await lookAndWrite(task, doubt, attempts).catch(toError);
	if (!(record instanceof Error)) return record;
	if (leavesDoubt(record)) for (const identity of identities) inDoubt.add(identity);
	if (attempts.lost > 0 && isDetailed(record)) record.details.maybeDone = true;
	throw record;
}

async function lookAndWrite(
	task: EnsureTask,
	doubt: Doubt,
	attempts: { lost: number },
): Promise<IDataObject> {
	const { ensure, create, call, values } = task;
	const found = await look(task, doubt);
	if (found) {
		const existing = ensure.update ? 'unchanged' : 'found';
		return await updateUnlessWanted(task, found, doubt.kind === 'lost' ? 'created' : existing);
	}
	if (call.isDryRun) return previewChange(task, create, 'wouldCreate');
	if (doubt.kind === 'conflict') throw doubt.error;
	const sent = await send(task, create).catch(toError);
	if (!(sent instanceof Error)) {
		const isNew = sent.status !== ensure.existingStatus;
		ensure.check?.(sent.record, values, isNew);
		noteWritten(task, sent.record);
		return await updateUnlessWanted(task, sent.record, isNew ? 'created' : 'found');
	}
	if (hasStatus(sent, 409))
		return await lookAndWrite(task, { kind: 'conflict', error: sent }, attempts);
	if (leavesDoubt(sent) && attempts.lost++ < call.maxRetries)
		return await lookAndWrite(task, { kind: 'lost', error: sent }, attempts);
	throw sent;
}

async function look(task: EnsureTask, doubt: Doubt): Promise<IDataObject | undefined> {
	const found =
		doubt.kind === 'none' ? await task.finder.find(task.values) : await lookAfterDoubt(task, doubt);
	// In a dry run, a record that an earlier item would create has no ID.
	if (found && !task.call.isDryRun && !hasId(found, task.id))
		throw new LookupError(
			`The service listed the record without its ${task.id}`,
			'Check the Base URL in the credential: something other than the API may have responded.',
		);
	return found;
}

/** A look that failed after an attempt to create says less than that attempt. */
async function lookAfterDoubt(
	task: EnsureTask,
	doubt: Exclude<Doubt, { kind: 'none' }>,
): Promise<IDataObject | undefined> {
	const found = await lookAgain(task).catch(toError);
	if (found instanceof Error)
		throw found instanceof SeveralRecordsError ? found : (doubt.error ?? found);
	// What was read before does not show it.
	if (found) task.finder.remember(found, task.values);
	return found;
}

async function lookAgain({ finder, values, call }: EnsureTask): Promise<IDataObject | undefined> {
	const found = await finder.findAgain(values, false);
	if (found) return found;
	await call.wait(patienceMs);
	return await finder.findAgain(values, true);
}

/** @param outcome of a record that is as wanted */
async function updateUnlessWanted(
	task: EnsureTask,
	record: IDataObject,
	outcome: EnsureOutcome,
): Promise<IDataObject> {
	const { ensure, values, call } = task;
	const change = ensure.update?.(record, values);
	if (!change)
		return call.isDryRun
			? { ...previewRequest(undefined), outcome, ...pickId(record) }
			: { ...record, outcome };
	if (call.isDryRun) return previewChange(task, change, 'wouldUpdate', record);
	const sent = await send(task, change);
	noteWritten(task, sent.record);
	return { ...sent.record, outcome: 'updated' };
}

/** The next item with the same value would find what this one leaves behind. */
function previewChange(
	{ finder, values, create }: EnsureTask,
	request: ApiRequest,
	outcome: 'wouldCreate' | 'wouldUpdate',
	record: IDataObject = {},
): IDataObject {
	finder.remember({ ...record, ...create.body }, values);
	return { ...previewRequest(request), outcome, ...pickId(record) };
}

function noteWritten(task: EnsureTask, record: IDataObject): void {
	const { ensure, values, call, finder, dryFinder } = task;
	finder.remember(record, values);
	dryFinder?.remember(record, values);
	call.hint('found', ensure.hint?.(record, values));
}

async function send(
	{ call, id }: EnsureTask,
	request: ApiRequest,
): Promise<{ record: IDataObject; status: number }> {
	const response = await call.send(request);
	return { record: readRecord(response, id), status: response.status };
}

function pickId({ personId, accountId }: IDataObject): IDataObject {
	return {
		...(personId === undefined ? {} : { personId }),
		...(accountId === undefined ? {} : { accountId }),
	};
}
