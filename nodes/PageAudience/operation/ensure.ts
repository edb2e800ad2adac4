import type { IDataObject } from 'n8n-workflow';
import { enumerate } from '../../api/text';
import { DescribedError, hasStatus, leavesDoubt } from '../../api/errors';
import type { ApiRequest } from '../../api/request';
import { hasId, readRecord } from '../../api/response';
import { isDetailed } from '../../errors';
import { toError } from '../../parameters/problem';
import type { ItemContext, Outcome, RunContext } from './operation';
import { previewRequest } from './output';

/** Several records have the value that one was looked up by. Its details hold their IDs. */
class SeveralRecordsError extends DescribedError {}

/** IDs in a message; more are only counted. */
const mostNamed = 5;

/**
 * The one record that was found.
 * @throws {SeveralRecordsError}
 */
export function takeOnly(
	records: IDataObject[],
	{ id, what, otherwise }: { id: string; what: string; otherwise: string },
): IDataObject | undefined {
	if (records.length <= 1) return records[0];
	const ids = records.map((record) => String(record[id]));
	throw new SeveralRecordsError(
		`${ids.length} ${what}: ${enumerate(ids, mostNamed)}`,
		`Nothing was written. Keep one of them in the service, or ${otherwise}.`,
		{ [`${id}s`]: ids },
	);
}

/** Finds the records of all items of one run of the node. */
export interface RecordFinder<V = object> {
	/**
	 * @returns undefined when there is none
	 * @throws {DescribedError} when it cannot tell
	 */
	find(values: V): Promise<IDataObject | undefined>;
	/** Looks again after an attempt to create that may have succeeded, or that a record stands against. */
	findAgain(values: V): Promise<IDataObject | undefined>;
	/** Whether finding nothing shows that nothing is there. */
	provesAbsence(values: V): boolean;
	/** Notes a record that was written or, in a dry run, would be, for the items that follow. */
	remember(record: IDataObject, values: V): void;
}

export interface EnsureGroup<V = object> {
	/** The field of the record's ID. */
	id: string;
	/** Opens what finds the records of all items. */
	openFinder(run: RunContext<V>): RecordFinder<V>;
	/** What changes a record that exists; undefined if it is as wanted. Without it, such a record stays unchanged. */
	update?(record: IDataObject, values: V): ApiRequest | undefined;
	/** The status with which the service returns a record that exists in place of creating one. */
	existingStatus?: number;
	/**
	 * Refuses a record that the service returned in place of the asked one.
	 * @throws {DescribedError}
	 */
	check?(record: IDataObject, values: V): void;
}

/** A request that is still under way at the service, and a search that lags, get this long. */
const lookAgainAfterMs = 2_000;

interface EnsureTask<V = object> {
	ensure: EnsureGroup<V>;
	values: V;
	item: ItemContext<V>;
	finder: RecordFinder<V>;
	/** An attempt, of this item or one with the same value, may have created the record. */
	inDoubt: boolean;
	/** A person has looked and chose Retry, so a record that is not found is missing. */
	isLookedUp: boolean;
}

/**
 * Looks whether a record exists, and sends only what is missing. After a response that was lost, or a conflict, it looks
 * again before anything else.
 * For example, two items have ada@x.example, and the first one gets no response: it looks again, finds her, and returns
 * her as created. The second one waited for it, and finds her.
 * @returns the record, with its `outcome`
 */
export async function ensureRecord<V extends object>(
	values: V,
	item: ItemContext<V>,
	ensure: EnsureGroup<V>,
): Promise<IDataObject[]> {
	const finder = item.once('finder', () => ensure.openFinder(item));
	// An item before this one may have created the same record, such as two with ada@x of which the first got no response.
	const doubted = item.once('in doubt', () => new Set<string>());
	const isShared = item.changes.some((each) => doubted.has(each));
	const inDoubt = item.inDoubt || isShared;
	const isLookedUp = item.isRetried && !isShared;
	const task = { ensure, values, item, finder, inDoubt, isLookedUp };
	const record = await lookAndCreate(task).catch((error: unknown) => {
		if (task.inDoubt && isDetailed(error)) error.details.maybeDone = true;
		if (leavesDoubt(error)) for (const each of item.changes) doubted.add(each);
		throw error;
	});
	return [record];
}

async function lookAndCreate<V>(task: EnsureTask<V>): Promise<IDataObject> {
	const { ensure, finder, values, item } = task;
	/** Why the last attempt to create it has no response that counts. */
	let failure: Error | undefined;
	for (let attempts = task.inDoubt ? 1 : 0; ; attempts++) {
		const found = attempts === 0 ? await finder.find(values) : await lookAgain(task, failure);
		const isConflict = hasStatus(failure, 409);
		if (found) {
			const isOwn = attempts > 0 && !isConflict;
			return await update(task, found, isOwn ? 'created' : ensure.update ? 'unchanged' : 'found');
		}
		if (isConflict) throw failure;
		const isMissing = attempts === 0 || finder.provesAbsence(values);
		if (!isMissing && (failure || !task.isLookedUp)) throw failure ?? noneFound();
		if (item.isDryRun) return preview(task, item.request, 'wouldCreate');
		const sent = await send(task, item.request).catch(toError);
		if (!(sent instanceof Error)) {
			const exists = sent.status === ensure.existingStatus;
			if (exists) ensure.check?.(sent.record, values);
			finder.remember(sent.record, values);
			return await update(task, sent.record, exists ? 'found' : 'created');
		}
		task.inDoubt ||= leavesDoubt(sent);
		const looksAgain = leavesDoubt(sent) ? attempts < item.maxRetries : hasStatus(sent, 409);
		if (!looksAgain) throw sent;
		failure = sent;
	}
}

function noneFound(): DescribedError {
	return new DescribedError(
		'No record was found after an attempt to create it',
		'Check in the service whether it exists before you retry.',
		{},
	);
}

/** @param failure of the attempt before, which says more than a look that fails */
async function lookAgain<V>(
	{ finder, values, item }: EnsureTask<V>,
	failure?: Error,
): Promise<IDataObject | undefined> {
	try {
		let found = await finder.findAgain(values);
		if (!found) {
			await item.wait(lookAgainAfterMs);
			found = await finder.findAgain(values);
		}
		// What was read before does not show it.
		if (found) finder.remember(found, values);
		return found;
	} catch (error) {
		throw error instanceof SeveralRecordsError ? error : (failure ?? error);
	}
}

/**
 * Changes a record that is there, where it has to be.
 * @param outcome of a record that is as wanted
 */
async function update<V>(
	task: EnsureTask<V>,
	record: IDataObject,
	outcome: Outcome,
): Promise<IDataObject> {
	const { ensure, finder, values, item } = task;
	// In a dry run, a record that an earlier item would create has no ID.
	if (!item.isDryRun && !hasId(record, ensure.id))
		throw new DescribedError(
			`The service listed the record without its ${ensure.id}`,
			'Check the Base URL in the credential: something other than the API may have responded.',
		);
	const change = ensure.update?.(record, values);
	if (item.isDryRun) return preview(task, change, change ? 'wouldUpdate' : outcome, record);
	if (!change) return { ...record, outcome };
	const sent = await send(task, change);
	finder.remember(sent.record, values);
	return { ...sent.record, outcome: 'updated' };
}

function preview<V>(
	{ finder, values, item, ensure: { id } }: EnsureTask<V>,
	request: ApiRequest | undefined,
	outcome: Outcome,
	record: IDataObject = {},
): IDataObject {
	// The next item with the same value would find what this one leaves behind.
	if (request) finder.remember({ ...record, ...item.request.body }, values);
	const known = record[id] === undefined ? {} : { [id]: record[id] };
	return { ...previewRequest(request), outcome, ...known };
}

async function send<V>(
	{ item, ensure: { id } }: EnsureTask<V>,
	request: ApiRequest,
): Promise<{ record: IDataObject; status: number }> {
	const response = await item.send(request);
	return { record: readRecord(response, id), status: response.status };
}
