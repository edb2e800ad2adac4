import type { IDataObject } from 'n8n-workflow';
import { enumerate } from '../../api/text';
import { hasStatus, leavesDoubt } from '../../api/errors';
import type { ApiRequest } from '../../api/request';
import { hasId, readRecord } from '../../api/response';
import { type DetailedError, isDetailed } from '../../errors';
import { toError } from '../../parameters/problem';
import type { ItemContext, RunContext } from './context';

/** A look at what exists that does not tell what to do. */
export class LookupError extends Error implements DetailedError {
	readonly description: string;

	readonly details: IDataObject;

	constructor(message: string, description: string, details: IDataObject = {}) {
		super(message);
		this.description = description;
		this.details = details;
	}
}

/** Several records have the value that one was looked up by. Its details hold their IDs. */
export class SeveralRecordsError extends LookupError {}

const mostNamed = 5;

/** IDs for a message; more than a few are only counted. */
export function nameSome(ids: string[]): string {
	return ids.length > mostNamed ? enumerate(ids, mostNamed) : ids.join(', ');
}

/** Finds the records of all items of one call of the node. */
export interface RecordFinder<V = object> {
	/**
	 * @returns undefined when there is none
	 * @throws {LookupError} when it cannot tell
	 */
	find(values: V): Promise<IDataObject | undefined>;
	/** Looks again after an attempt to create that may have succeeded, or that a record stands against. */
	findAgain(values: V): Promise<IDataObject | undefined>;
	/** Whether finding nothing shows that nothing is there. */
	provesAbsence(values: V): boolean;
	/** Notes a record that was written or, in a dry run, would be, for the items that follow. */
	remember(record: IDataObject, values: V): void;
}

/** How a record is found, created and changed. */
export interface EnsureGroup<V = object> {
	/** The field of the record's ID. */
	id: string;
	/** Opens what finds the records of all items. */
	openFinder(call: RunContext<V>): RecordFinder<V>;
	/** What changes a record that exists; undefined if it is as wanted. Without it, such a record stays unchanged. */
	update?(record: IDataObject, values: V): ApiRequest | undefined;
	/** The status with which the service returns a record that exists in place of creating one. */
	existingStatus?: number;
	/**
	 * Refuses a record that the service returned in place of the asked one.
	 * @throws {LookupError}
	 */
	check?(record: IDataObject, values: V): void;
}

/** A request that is still under way at the service, and a search that lags, get this long. */
const patienceMs = 2_000;

/** One item of an operation that looks, then writes. */
interface EnsureTask<V = object> {
	ensure: EnsureGroup<V>;
	values: V;
	call: ItemContext<V>;
	finder: RecordFinder<V>;
	/** What attempts may have created, without a response. */
	inDoubt: Set<string>;
}

/**
 * Looks whether a record exists, and sends only what is missing. After a response that was lost, or a conflict, it looks
 * again before anything else.
 * @returns the record, with its `outcome`
 */
export async function ensureRecord<V extends object>(
	values: V,
	call: ItemContext<V>,
	ensure: EnsureGroup<V>,
): Promise<IDataObject[]> {
	const finder = call.once('finder', () => ensure.openFinder(call));
	const inDoubt = call.once('in doubt', () => new Set<string>());
	const looking = lookAndWrite({ ensure, values, call, finder, inDoubt });
	const record = await looking.catch((error: unknown) => {
		if (leavesDoubt(error)) for (const identity of call.changes) inDoubt.add(identity);
		throw error;
	});
	return [record];
}

async function lookAndWrite<V>(task: EnsureTask<V>): Promise<IDataObject> {
	const { ensure, finder, values, call, inDoubt } = task;
	// An item before this one may have created the same record, such as two with ada@x of which the first got no response.
	const isShared = call.changes.some((each) => inDoubt.has(each));
	if (call.inDoubt || isShared) return await createUnlessDone(task, 1);
	const found = await finder.find(values);
	if (!found) return await create(task, 0);
	return await updateIfDifferent(task, found, ensure.update ? 'unchanged' : 'found');
}

/** @param lost attempts that may have succeeded */
async function create<V>(task: EnsureTask<V>, lost: number): Promise<IDataObject> {
	const { ensure, values, call, finder } = task;
	const { request } = call;
	if (call.isDryRun) return preview(task, request, 'wouldCreate');
	const sent = await send(task, request).catch(toError);
	if (!(sent instanceof Error)) {
		const exists = sent.status === ensure.existingStatus;
		if (exists) ensure.check?.(sent.record, values);
		finder.remember(sent.record, values);
		return await updateIfDifferent(task, sent.record, exists ? 'found' : 'created');
	}
	if (hasStatus(sent, 409)) {
		const found = await lookAgain(task, sent);
		if (!found) throw sent;
		return await updateIfDifferent(task, found, ensure.update ? 'unchanged' : 'found');
	}
	if (!leavesDoubt(sent) || lost >= call.maxRetries) throw sent;
	return await createUnlessDone(task, lost + 1, sent);
}

/** After attempts that may have created the record. */
async function createUnlessDone<V>(
	task: EnsureTask<V>,
	lost: number,
	error?: Error,
): Promise<IDataObject> {
	return await createIfMissing(task, lost, error).catch((failure: unknown) => {
		if (isDetailed(failure)) failure.details.maybeDone = true;
		throw failure;
	});
}

async function createIfMissing<V>(
	task: EnsureTask<V>,
	lost: number,
	error?: Error,
): Promise<IDataObject> {
	const found = await lookAgain(task, error);
	if (found) return await updateIfDifferent(task, found, 'created');
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
async function lookAgain<V>(
	{ finder, values, call }: EnsureTask<V>,
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
async function updateIfDifferent<V>(
	task: EnsureTask<V>,
	record: IDataObject,
	outcome: 'found' | 'unchanged' | 'created',
): Promise<IDataObject> {
	const { ensure, values, call } = task;
	const { id } = ensure;
	// In a dry run, a record that an earlier item would create has no ID.
	if (!call.isDryRun && !hasId(record, id))
		throw new LookupError(
			`The service listed the record without its ${id}`,
			'Check the Base URL in the credential: something other than the API may have responded.',
		);
	const change = ensure.update?.(record, values);
	if (!change)
		return call.isDryRun
			? { ...call.preview(undefined), outcome, ...pickId(record, id) }
			: { ...record, outcome };
	if (call.isDryRun) return preview(task, change, 'wouldUpdate', record);
	const sent = await send(task, change);
	task.finder.remember(sent.record, values);
	return { ...sent.record, outcome: 'updated' };
}

/** The next item with the same value would find what this one leaves behind. */
function preview<V>(
	{ finder, values, call, ensure: { id } }: EnsureTask<V>,
	request: ApiRequest,
	outcome: 'wouldCreate' | 'wouldUpdate',
	record: IDataObject = {},
): IDataObject {
	finder.remember({ ...record, ...call.request.body }, values);
	return { ...call.preview(request), outcome, ...pickId(record, id) };
}

async function send<V>(
	{ call, ensure: { id } }: EnsureTask<V>,
	request: ApiRequest,
): Promise<{ record: IDataObject; status: number }> {
	const response = await call.send(request);
	return { record: readRecord(response, id), status: response.status };
}

function pickId(record: IDataObject, id: string): IDataObject {
	return record[id] === undefined ? {} : { [id]: record[id] };
}
