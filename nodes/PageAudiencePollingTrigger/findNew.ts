import type { IDataObject } from 'n8n-workflow';
import { tenantOf } from '../api/tenant';
import { dateOf, isKnown } from './events';
import { compare, type KnownRecords, makeFingerprint, openRecords, type Records } from './known';
import { followList, type PolledList } from './list';
import { addInteractions, type FoundRecord } from './output';
import { beginNoting, beginState, chooseScan, type ListState, type Scan } from './scan';

/** What came of a list in one poll. */
interface ListResult {
	found: FoundRecord[];
	state: ListState;
	/** For n8n's log. */
	warning?: string;
}

/** A list is asked for records from a date on a little earlier: the edge may be exclusive, or in whole seconds. */
const edgeMs = 1_000;

/**
 * Reads a list as far as the deadline allows, and finds out which of its records are new. The API documents neither the
 * order of a list nor the edges of its dates, and a session may appear late. So each scan begins a look-back before the
 * one before it, and records are compared by their IDs.
 * @throws when the deadline passes before anything is read
 */
export async function findNew(
	list: PolledList,
	state: ListState,
	now: number,
): Promise<ListResult> {
	const { event, settings, baseUrl } = list;
	// A page or an account belongs to one tenant, whose keys alone can read it.
	let isTold = state.apiKeyHash === list.apiKeyHash || !event.isOfTenant;
	let { tenant } = state;
	const scan = chooseScan(list, state, now);
	const known = openRecords(state.known, list.comparedFields);
	const filter = openFilter(list, known, scan);
	const found: FoundRecord[] = [];
	// undefined once the list is read to its end.
	let { continueAt } = scan;
	const since = event.hasDates ? scan.since - edgeMs : 0;
	for await (const { records, next } of followList(list, since, continueAt ?? {})) {
		const ofPage = event.isOfTenant ? tenantOf(records, baseUrl) : undefined;
		if (!isTold && records.length > 0) {
			if (ofPage === undefined || ofPage !== tenant) {
				// Where nobody was listed with the key before, nothing existed.
				const isNew = state.emptyFor === list.apiKeyHash;
				const whole = isNew ? { startedAt: now, since: 0, continueAt: {} } : undefined;
				return await startOver(list, now, ofPage, whole);
			}
			isTold = true;
		}
		tenant ??= ofPage;
		const picked = records.flatMap((record) => filter.pick(record));
		const done = await addInteractions(list, picked);
		for (const each of done) found.push(each);
		if (done.length < picked.length) {
			const inTime = new Set(done.map(({ record }) => record));
			for (const { record } of picked) if (!inTime.has(record)) filter.leave(record);
			break;
		}
		continueAt = next;
	}
	const hasMoved = continueAt?.position !== scan.continueAt?.position;
	if (continueAt && !hasMoved && found.length === 0) list.deadline.signal.throwIfAborted();
	const generationMs = event.hasDates ? settings.lookBackMs : undefined;
	const nowKnown = known.add(filter.seen, scan.startedAt, generationMs);
	const { apiKeyHash } = isTold ? list : state;
	const emptyFor = continueAt ? state.emptyFor : list.apiKeyHash;
	const nextState = {
		...{ apiKeyHash, baseUrl, tenant, scan: { ...scan, continueAt }, known: nowKnown },
		...(!isTold && { emptyFor }),
	};
	return { found, state: nextState };
}

/** With the key of another tenant, or of one that is not told, records that exist by now start nothing. */
async function startOver(
	list: PolledList,
	now: number,
	tenant?: string,
	scan: Scan = beginNoting(list, now),
): Promise<ListResult> {
	const state = { ...beginState(list, now, scan), tenant };
	const warning =
		"The new API key reads other data: the trigger starts over, and existing records don't start the workflow.";
	const noted = await findNew(list, state, now).catch((error: unknown) => {
		// A slow service has no time to list them once more: the next poll notes them.
		if (list.deadline.signal.aborted) return { found: [], state };
		throw error;
	});
	return { ...noted, warning };
}

/** Tells the new and changed records of a scan from the known ones. */
function openFilter(
	{ event, comparedFields: fields }: PolledList,
	known: KnownRecords,
	scan: Scan,
) {
	const { startedAt, since, onlyNotes } = scan;
	/** The records that it met in this poll, to be known from now on. */
	const seen: Records = new Map();
	/**
	 * Notes a record as seen.
	 * @returns the record if it starts the workflow
	 */
	const pick = (record: IDataObject): FoundRecord[] => {
		if (!event.isRelevant(record)) return [];
		const keys = event.keysOf(record);
		// A list that grows while it is read shows records again.
		if (seen.has(keys.record)) return [];
		const isRecordKnown = isKnown(keys, (key) => known.find(key) !== undefined);
		// Of most records, nobody asks for the date.
		const date = isRecordKnown && !onlyNotes ? undefined : dateOf(event, record);
		// Records that appear while the existing ones are noted are left to the next scan.
		if (onlyNotes && (date ?? 0) > startedAt) return [];
		const isOld = !isRecordKnown && (date ?? Infinity) < since;
		// It may have been forgotten long ago, and is listed again because the service has computed it anew.
		if (isOld && event.hasDates) return [];
		const fingerprint = fields ? makeFingerprint(record, fields) : '';
		for (const key of Object.values(keys)) seen.set(key, fingerprint);
		if (onlyNotes || isOld) return [];
		if (!isRecordKnown) return [{ record, date, changedFields: fields?.length ? null : undefined }];
		if (!fields) return [];
		const { isChanged, changedFields } = compare(
			known.find(keys.record) ?? '',
			fingerprint,
			fields,
		);
		return isChanged ? [{ record, date: dateOf(event, record), changedFields }] : [];
	};
	/** Leaves new a record that was picked, and for which there was no time. */
	const leave = (record: IDataObject) => {
		for (const key of Object.values(event.keysOf(record))) seen.delete(key);
	};
	return { seen, pick, leave };
}
