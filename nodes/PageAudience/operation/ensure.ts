import type { IDataObject } from 'n8n-workflow';
import { DescribedError, hasStatus, leavesDoubt } from '../../api/errors';
import type { ApiRequest } from '../../api/request';
import { isId, readRecord } from '../../api/response';
import { isDetailed } from '../../nodeErrors';
import { withKeyLock } from '../../runtime/keyLock';
import { enumerate } from '../../runtime/text';
import { toError } from '../../runtime/unknown';
import { Doubts } from './doubts';
import type { ItemContext, RunContext, WriteOutcome } from './operation';
import { previewRequest } from './output';
import { WrittenRecords } from './written';

/** Finds the records of all items of one run of the node. */
export interface RecordFinder<V = object> {
	/** All records that match. */
	find(values: V): Promise<IDataObject[]>;
	/** Looks in the service again, whatever was found before. */
	findAgain(values: V): Promise<IDataObject[]>;
	/** Whether finding nothing shows that nothing is there. */
	provesAbsence(values: V): boolean;
}

interface EnsureGroup<V = object> {
	/** The field of the record's ID. */
	id: string;
	/** Names the record that the item asks for, e.g. by its email. It is one of the item's `changes`. */
	key(values: V): string;
	/** Further names of a record that was written. Other items may ask for the phone number as the service completed it. */
	keysOf?(record: IDataObject): string[];
	/** Opens what finds the records of all items. */
	openFinder(run: RunContext<V>): RecordFinder<V>;
	/** What to say of several records that match, e.g. "people have …", and what else a person can do. */
	describeSeveral(values: V): { what: string; otherwise: string };
	/** What changes a record that exists; undefined if it is as wanted. Without it, such a record stays unchanged. */
	update?(record: IDataObject, values: V): ApiRequest | undefined;
	/** The status with which the service returns a record that exists in place of creating one. */
	existingStatus?: number;
	/** @throws {DescribedError} for another record than the one that was asked for */
	check?(record: IDataObject, values: V): void;
}

/** A request that is still under way at the service, and a search that lags, get this long. */
const lookAgainAfterMs = 2_000;

/** What is known of a record before the node looks for it. */
type Known =
	/** No attempt to write it was made. */
	| 'nothing'
	/** An attempt to create it may have succeeded. A record that is found now is taken for that one. */
	| 'in doubt'
	/** An attempt found it, and may have changed it. */
	| 'existed'
	/** The service refused to create it, because it exists. */
	| 'refused';

interface EnsureTask<V = object> {
	ensure: EnsureGroup<V>;
	values: V;
	item: ItemContext<V>;
	finder: RecordFinder<V>;
	written: WrittenRecords;
	/** An attempt, of this item or of one before it, may have written the record. */
	inDoubt: boolean;
	/** A person has looked for the record and chose Retry, so if it is not found, it is missing. */
	isLookedUp: boolean;
	/** How often the creation may be sent again. */
	retriesLeft: number;
}

/**
 * Looks whether a record exists, and sends only what is missing. After a response that was lost, or a conflict, it looks
 * again before anything else. All that this process does for one email or domain goes one after another: two looks at the
 * same moment would both find nothing, and what one leaves in doubt may be the record of the next one.
 * @returns the record, with its `outcome`
 */
export async function ensureRecord<V extends object>(
	values: V,
	item: ItemContext<V>,
	ensure: EnsureGroup<V>,
): Promise<IDataObject[]> {
	const { service, changes, once, ended } = item;
	const finder = once('finder', () => ensure.openFinder(item));
	const written = once('written', () => new WrittenRecords(service, ended));
	// Before the lock: what is left in doubt while an item waits for it counts.
	const doubts = once('doubts', () => new Doubts());
	const keys = changes.map((each) => `${service} ${each}`);
	return await withKeyLock(keys, async () => [
		await ensureInTurn({ ensure, values, item, finder, written }, keys, doubts),
	]);
}

async function ensureInTurn<V>(
	given: Pick<EnsureTask<V>, 'ensure' | 'values' | 'item' | 'finder' | 'written'>,
	keys: readonly string[],
	doubts: Doubts,
): Promise<IDataObject> {
	const { attempt, maxRetries } = given.item;
	const inherited = doubts.find(keys);
	const inDoubt = attempt.inDoubt || inherited !== undefined;
	attempt.existed = (inherited ?? attempt).existed;
	const known = attempt.existed ? 'existed' : inDoubt ? 'in doubt' : 'nothing';
	const isLookedUp = attempt.isRetried && !inherited;
	const retriesLeft = inDoubt ? maxRetries - 1 : maxRetries;
	const task = { ...given, inDoubt, isLookedUp, retriesLeft };
	const record = await lookAndCreate(task, known).catch((error: unknown) => {
		if (task.inDoubt && isDetailed(error)) error.details.maybeDone = true;
		if (leavesDoubt(error)) doubts.add(keys, attempt.existed);
		throw error;
	});
	doubts.end(keys);
	return record;
}

/**
 * Looks for the record, and creates it if it is missing.
 * @param failure of the last attempt to create it
 */
async function lookAndCreate<V>(
	task: EnsureTask<V>,
	known: Known,
	failure?: Error,
): Promise<IDataObject> {
	const { ensure, finder, values, item, written } = task;
	const isFirst = known === 'nothing';
	const key = ensure.key(values);
	const own = isFirst ? written.findOwn(key) : undefined;
	const look = async () => (isFirst ? await finder.find(values) : await lookAgain(task, failure));
	const found = own ?? takeOnly(task, await look()) ?? written.findRecent(key);
	// The list that the items share may have been read before this record appeared.
	if (found && !isFirst) remember(task, found);
	const existing = ensure.update ? 'unchanged' : 'found';
	if (found) return await update(task, found, known === 'in doubt' ? 'created' : existing);
	if (!isMissing(task, known, failure)) throw failure ?? noneFound();
	if (item.isDryRun) return preview(task, item.request, 'wouldCreate');
	return await create(task);
}

/** Whether a look that found nothing shows that the record is not there. */
function isMissing<V>(task: EnsureTask<V>, known: Known, failure?: Error): boolean {
	if (known === 'nothing') return true;
	if (known === 'refused') return false;
	return task.finder.provesAbsence(task.values) || (task.isLookedUp && !failure);
}

/** Creates the record, and looks again if that may have succeeded without a response, or if the service says that it exists. */
async function create<V>(task: EnsureTask<V>): Promise<IDataObject> {
	const { ensure, values, item } = task;
	item.attempt.existed = false;
	const sent = await send(task, item.request).catch(toError);
	if (sent instanceof Error) {
		if (hasStatus(sent, 409)) return await lookAndCreate(task, 'refused', sent);
		if (!leavesDoubt(sent)) throw sent;
		task.inDoubt = true;
		if (task.retriesLeft-- <= 0) throw sent;
		return await lookAndCreate(task, 'in doubt', sent);
	}
	const exists = sent.status === ensure.existingStatus;
	if (exists) ensure.check?.(sent.record, values);
	remember(task, sent.record);
	return await update(task, sent.record, exists ? 'found' : 'created');
}

function noneFound(): DescribedError {
	return new DescribedError(
		'An earlier attempt may have created the record, but the search does not find it',
		'Check in the service whether it exists before you retry.',
		{ maybeDone: true },
	);
}

/** @param failure of the attempt before, which says more than a look that fails */
async function lookAgain<V>(
	{ finder, values, item }: EnsureTask<V>,
	failure?: Error,
): Promise<IDataObject[]> {
	try {
		const found = await finder.findAgain(values);
		if (found.length > 0) return found;
		await item.wait(lookAgainAfterMs);
		return await finder.findAgain(values);
	} catch (error) {
		throw failure ?? error;
	}
}

/** IDs in a message; more are only counted. */
const mostNamed = 5;

/** @throws {DescribedError} for several records */
function takeOnly<V>({ ensure, values }: EnsureTask<V>, records: IDataObject[]) {
	if (records.length <= 1) return records[0];
	const { id } = ensure;
	const ids = records.map((record) => String(record[id]));
	const { what, otherwise } = ensure.describeSeveral(values);
	throw new DescribedError(
		`${ids.length} ${what}: ${enumerate(ids, mostNamed)}`,
		`Nothing was written. Keep one of them in the service, or ${otherwise}.`,
		{ [`${id}s`]: ids },
	);
}

/**
 * Changes a record that is there, where it has to be.
 * @param outcome of a record that is as wanted
 */
async function update<V>(
	task: EnsureTask<V>,
	record: IDataObject,
	outcome: WriteOutcome,
): Promise<IDataObject> {
	const { ensure, values, item } = task;
	// In a dry run, a record that an earlier item would create has no ID.
	if (!item.isDryRun && !isId(record[ensure.id]))
		throw new DescribedError(
			`The service listed the record without its ${ensure.id}`,
			'Check the Base URL in the credential: something other than the API may have responded.',
		);
	const change = ensure.update?.(record, values);
	if (item.isDryRun) return preview(task, change, change ? 'wouldUpdate' : outcome, record);
	if (!change) return { ...record, outcome };
	item.attempt.existed = true;
	const sent = await send(task, change);
	remember(task, sent.record);
	return { ...sent.record, outcome: 'updated' };
}

/** For the items that follow, what was written or, in a dry run, would be. */
function remember<V>({ ensure, values, item, written }: EnsureTask<V>, record: IDataObject): void {
	const keys = [ensure.key(values), ...(ensure.keysOf?.(record) ?? [])];
	written.add(keys, record, item.isDryRun);
}

function preview<V>(
	task: EnsureTask<V>,
	request: ApiRequest | undefined,
	outcome: WriteOutcome,
	record: IDataObject = {},
): IDataObject {
	const { id } = task.ensure;
	// The next item with the same value would find what this one leaves behind.
	if (request) remember(task, { ...record, ...task.item.request.body });
	const ownId = record[id] === undefined ? {} : { [id]: record[id] };
	return { ...previewRequest(request), outcome, ...ownId };
}

async function send<V>(
	{ item, ensure: { id } }: EnsureTask<V>,
	request: ApiRequest,
): Promise<{ record: IDataObject; status: number }> {
	const response = await item.send(request);
	return { record: readRecord(response, id), status: response.status };
}
