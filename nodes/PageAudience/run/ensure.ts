import type { IDataObject } from 'n8n-workflow';
import { hasStatus } from '../../api/failure';
import type { ApiRequest } from '../../api/request';
import { hasId, leavesDoubt, readRecord } from '../../api/response';
import { isDetailed } from '../../errors';
import { toError } from '../../parameters/problem';
import type { Call } from '../operation/call';
import { LookupError, SeveralRecordsError } from '../operation/lookupError';
import type { EnsureGroup, RecordFinder } from '../operation/operation';
import { openCall, type SharedState } from './openCall';
import type { EnsurePlan, Plan } from './plan';
import { previewRequest } from './preview';

/** A request that is still under way at the service, and a search that lags, get this long. */
const patienceMs = 2_000;

/** One item of an operation that looks, then writes. */
export interface EnsureTask {
	ensure: EnsureGroup;
	values: object;
	/** What creates the record. */
	request: ApiRequest;
	call: Call;
	finder: RecordFinder;
	/** The field of the record's ID. */
	id: string;
	/** What identifies its record. */
	identities: string[];
	/** What attempts may have created, without a response. */
	inDoubt: Set<string>;
	/** Whether it was sent before and may have succeeded. */
	mayBeDone: boolean;
}

export function openEnsureTask(state: SharedState, plan: EnsurePlan, plans: Plan[]): EnsureTask {
	const { values, request, isDryRun, changes: identities, mayBeDone = false } = plan;
	const { ensure, writes } = plan.operation;
	const call = openCall(state, values.options, isDryRun);
	const finder = call.once('finder', () => ensure.openFinder(call));
	const inDoubt = call.once('in doubt', () => noteEarlier(finder, ensure, plans));
	return { ensure, values, request, call, finder, id: writes.id, identities, inDoubt, mayBeDone };
}

/**
 * A search may not show yet what the node created when it ran before. A record that can be updated is looked up, because
 * somebody may have changed it since.
 * @returns what it may have created
 */
function noteEarlier(finder: RecordFinder, { update }: EnsureGroup, plans: Plan[]): Set<string> {
	const inDoubt = new Set<string>();
	for (const plan of plans) {
		if (plan.kind === 'done' && !update)
			for (const record of plan.records) finder.remember(record, plan.values);
		if (plan.kind === 'ensure' && plan.mayBeDone)
			for (const identity of plan.changes) inDoubt.add(identity);
	}
	return inDoubt;
}

/** Looks, and sends what is missing. After a response that was lost, or a conflict, it looks again before anything else. */
export async function ensureRecord(task: EnsureTask): Promise<IDataObject> {
	const { identities, inDoubt } = task;
	return await lookAndWrite(task).catch((error: unknown) => {
		if (leavesDoubt(error)) for (const identity of identities) inDoubt.add(identity);
		throw error;
	});
}

async function lookAndWrite(task: EnsureTask): Promise<IDataObject> {
	const { ensure, finder, values, identities, inDoubt, mayBeDone } = task;
	// An item before this one may have created the same record, such as two with ada@x of which the first got no response.
	const isShared = finder.provesAbsence(values) && identities.some((each) => inDoubt.has(each));
	if (mayBeDone || isShared) return await createUnlessDone(task, 1);
	const found = await finder.find(values);
	if (!found) return await create(task, 0);
	return await updateUnlessWanted(task, found, ensure.update ? 'unchanged' : 'found');
}

/** @param lost attempts that may have succeeded */
async function create(task: EnsureTask, lost: number): Promise<IDataObject> {
	const { ensure, request, values, call, finder } = task;
	if (call.isDryRun) return preview(task, request, 'wouldCreate');
	const sent = await send(task, request).catch(toError);
	if (!(sent instanceof Error)) {
		const exists = sent.status === ensure.existingStatus;
		if (exists) ensure.check?.(sent.record, values);
		finder.remember(sent.record, values);
		return await updateUnlessWanted(task, sent.record, exists ? 'found' : 'created');
	}
	if (hasStatus(sent, 409)) {
		const found = await lookAgain(task, sent);
		if (!found) throw sent;
		return await updateUnlessWanted(task, found, ensure.update ? 'unchanged' : 'found');
	}
	if (!leavesDoubt(sent) || lost >= call.maxRetries) throw sent;
	return await createUnlessDone(task, lost + 1, sent);
}

/** After attempts that may have created the record. */
async function createUnlessDone(
	task: EnsureTask,
	lost: number,
	error?: Error,
): Promise<IDataObject> {
	return await createIfMissing(task, lost, error).catch((failure: unknown) => {
		if (isDetailed(failure)) failure.details.maybeDone = true;
		throw failure;
	});
}

async function createIfMissing(
	task: EnsureTask,
	lost: number,
	error?: Error,
): Promise<IDataObject> {
	const found = await lookAgain(task, error);
	if (found) return await updateUnlessWanted(task, found, 'created');
	if (task.finder.provesAbsence(task.values)) return await create(task, lost);
	throw (
		error ??
		new LookupError(
			'No record was found after an attempt to create it',
			'Check in the service whether it exists before you retry.',
		)
	);
}

/** @param error of the attempt before, which says more than a look that fails */
async function lookAgain(
	{ finder, values, call }: EnsureTask,
	error?: Error,
): Promise<IDataObject | undefined> {
	try {
		let found = await finder.findAgain(values);
		if (!found) {
			await call.wait(patienceMs);
			found = await finder.findAgain(values);
		}
		// What was read before does not show it.
		if (found) finder.remember(found, values);
		return found;
	} catch (failure) {
		throw failure instanceof SeveralRecordsError ? failure : (error ?? failure);
	}
}

/** @param outcome of a record that is as wanted */
async function updateUnlessWanted(
	task: EnsureTask,
	record: IDataObject,
	outcome: 'found' | 'unchanged' | 'created',
): Promise<IDataObject> {
	const { ensure, values, call, id } = task;
	// In a dry run, a record that an earlier item would create has no ID.
	if (!call.isDryRun && !hasId(record, id))
		throw new LookupError(
			`The service listed the record without its ${id}`,
			'Check the Base URL in the credential: something other than the API may have responded.',
		);
	const change = ensure.update?.(record, values);
	if (!change)
		return call.isDryRun
			? { ...previewRequest(undefined), outcome, ...pickId(record) }
			: { ...record, outcome };
	if (call.isDryRun) return preview(task, change, 'wouldUpdate', record);
	const sent = await send(task, change);
	task.finder.remember(sent.record, values);
	return { ...sent.record, outcome: 'updated' };
}

/** The next item with the same value would find what this one leaves behind. */
function preview(
	{ finder, values, request: { body } }: EnsureTask,
	request: ApiRequest,
	outcome: 'wouldCreate' | 'wouldUpdate',
	record: IDataObject = {},
): IDataObject {
	finder.remember({ ...record, ...body }, values);
	return { ...previewRequest(request), outcome, ...pickId(record) };
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
