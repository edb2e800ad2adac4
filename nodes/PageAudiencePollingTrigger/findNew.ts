import type { IDataObject } from 'n8n-workflow';
import { refuseItem } from '../parameters/problem';
import { isKnown, readDate } from './events';
import {
	type ChosenFields,
	compare,
	KnownRecords,
	makeFingerprint,
	makeKey,
	type Records,
	type StoredRecords,
} from './known';
import { type Place, type PolledList, readList } from './list';
import { complete, type Found } from './output';

/** What is remembered of a list between polls, as n8n stores it. */
export type ListState = Progress & {
	/** A fingerprint of the API key. */
	key: string;
	known: StoredRecords;
};

/** The latest complete reading, if there was one, and the one that the next poll continues at its place. */
type Progress = { last: Reading; open?: undefined } | { last?: Reading; open: OpenReading };

/** One pass through a list, which may take several polls. */
interface Reading {
	startedAt: number;
	/** Records from before this date are not new. Where the list has a date filter, it is asked for those from then on. */
	from: number;
	/** It only notes what exists, and starts no workflow. */
	onlyNotes?: boolean;
}

interface OpenReading extends Reading, Place {
	/** It has met no known record since the API key changed, so it is not sure that both keys read the same data. */
	isUndecided?: boolean;
}

/** What came of a list. */
export interface Reviewed {
	found: Found[];
	state: ListState;
	/** For n8n's log. */
	warning?: string;
}

/** A reading from a date begins earlier: the edge may be exclusive, or in whole seconds. */
const edgeMs = 1_000;

/** A list whose first reading begins. What appears from now on is new, even if a later poll reads it. */
export function beginState(list: PolledList, now: number): ListState {
	return { key: list.key, open: beginFirst(list, now), known: noRecords(list, now) };
}

/**
 * Reads a list as far as the deadline allows, and finds out which of its records are new. The API documents neither the
 * order of a list nor the edges of its dates, and a session may appear late. So each reading begins a look-back before the
 * one before it, and records are compared by their IDs.
 * @throws {PollError} when the deadline passes before anything is read
 */
export async function findNew(list: PolledList, state: ListState, now: number): Promise<Reviewed> {
	const { event, settings, key } = list;
	const isOtherKey = state.key !== key;
	const known = new KnownRecords(state.known, chooseFields(list));
	const { position, limit, isUndecided, ...reading } = chooseReading(list, state, known, now);
	// With another key, the service may not know the position.
	const place = isOtherKey ? {} : { position, limit };
	const filter = new NewRecordFilter(list, known, reading);
	const found: Found[] = [];
	const askFrom = event.hasDates ? reading.from - edgeMs : 0;
	const rest = await readList(list, askFrom, place, async (records) => {
		const fresh = records.flatMap((record) => filter.pick(record));
		const done = await complete(list, fresh);
		for (const each of done) found.push(each);
		return filter.leaveForNext(fresh, done);
	});
	const hasProgress = !rest || found.length > 0 || rest.position !== place.position;
	if (!hasProgress) list.deadline.signal.throwIfAborted();

	// Pages belong to one tenant, whose keys alone can read them.
	const mayBeForeign = (isOtherKey || isUndecided) && !event.hasDates && !known.isEmpty;
	if (mayBeForeign && !filter.hasMetKnown) {
		if (!rest) return startOver(list, now, isUndecided ? undefined : filter.seen);
		// The first pages may hold new records only. Until one is known, nothing starts the workflow.
		const undecided = { ...reading, ...rest, isUndecided: true };
		return { found: [], state: { ...state, key, open: undecided } };
	}
	// The records of the undecided polls are read again.
	const next = isUndecided ? {} : rest;
	const generationMs = event.hasDates ? settings.lookBackMs : undefined;
	return {
		found,
		state: {
			key,
			...advance(reading, next, state.last),
			known: known.add(filter.seen, reading.startedAt, generationMs),
		},
	};
}

/**
 * With the key of another tenant, what exists by now starts nothing.
 * @param existing the whole list. Without it, because the list took several polls, the next poll notes it
 */
function startOver(list: PolledList, now: number, existing?: Records): Reviewed {
	const { key } = list;
	const reading = beginNoting(list, now);
	const none = noRecords(list, now);
	const known = new KnownRecords(none, chooseFields(list));
	return {
		found: [],
		state: existing
			? { key, last: reading, known: known.add(existing, now) }
			: { key, open: reading, known: none },
		warning:
			"The new API key reads other data: the trigger starts over, and existing records don't start the workflow.",
	};
}

function advance(reading: Reading, rest: Place | undefined, last: Reading | undefined): Progress {
	return rest ? { last, open: { ...reading, ...rest } } : { last: reading };
}

function noRecords(list: PolledList, since: number): StoredRecords {
	return { fields: chooseFields(list), since, latest: '', earlier: '' };
}

function chooseFields({ event, settings }: PolledList): ChosenFields {
	return event.tellsChanges ? settings.onlyFields : undefined;
}

function chooseReading(
	list: PolledList,
	state: ListState,
	known: KnownRecords,
	now: number,
): OpenReading {
	const { key, open, last } = state;
	if (open) return open;
	const lookBackFrom = last.startedAt - list.settings.lookBackMs;
	// Farther back than was read before, every record would seem new.
	if (list.event.hasDates) return { startedAt: now, from: Math.max(last.from, lookBackFrom) };
	// Where nothing was listed, only dates tell what has existed for long under another key.
	const mayBeForeign = key !== list.key && known.isEmpty;
	return { startedAt: now, from: mayBeForeign ? lookBackFrom : 0 };
}

function beginFirst(list: PolledList, now: number): Reading {
	const { start } = list.settings;
	if (start.from === 'all') return { startedAt: now, from: 0 };
	if (start.from === 'now') return beginNoting(list, now);
	if (start.date > now) refuseItem('Options > Start Date', 'is in the future');
	return { startedAt: now, from: start.date };
}

function beginNoting({ settings }: PolledList, now: number): Reading {
	return { startedAt: now, from: now - settings.lookBackMs, onlyNotes: true };
}

/** A record that starts the workflow, if there is time for it. */
interface Fresh extends Found {
	keys: string[];
}

/** Tells the new and changed records of a reading from the known ones. */
class NewRecordFilter {
	/** The records that it came across in this poll, to be known from now on. */
	readonly seen: Records = new Map();
	/** Whether a known record was among them. */
	hasMetKnown = false;

	private readonly list: PolledList;
	private readonly fields: ChosenFields;
	private readonly known: KnownRecords;
	private readonly reading: Reading;

	constructor(list: PolledList, known: KnownRecords, reading: Reading) {
		this.list = list;
		this.fields = chooseFields(list);
		this.known = known;
		this.reading = reading;
	}

	/** @returns the record if it starts the workflow */
	pick(record: IDataObject): Fresh[] {
		const { event } = this.list;
		const { startedAt, from, onlyNotes } = this.reading;
		if (!event.isRelevant(record)) return [];
		const keys = event.identify(record).map(makeKey);
		const [key = ''] = keys;
		// A list that grows while it is read shows records again.
		if (this.seen.has(key)) return [];
		const fingerprints = keys.map((each) => this.known.find(each));
		const isRecordKnown = isKnown(fingerprints.map((each) => each !== undefined));
		this.hasMetKnown ||= isRecordKnown;
		const at = readDate(event, record);
		// What appears while the existing records are noted is left to the next reading.
		if (onlyNotes && (at ?? 0) > startedAt) return [];
		const isOld = !isRecordKnown && (at ?? Infinity) < from;
		// It may have been forgotten long ago, and is listed again because the service has computed it anew.
		if (isOld && event.hasDates) return [];
		const fingerprint = this.fields ? makeFingerprint(record, this.fields) : '';
		for (const each of keys) this.seen.set(each, fingerprint);
		if (onlyNotes || isOld) return [];
		const found = { record, at, keys };
		const [before = ''] = fingerprints;
		if (!isRecordKnown)
			return [{ ...found, changedFields: this.fields?.length ? null : undefined }];
		if (!this.fields) return [];
		const { isChanged, changedFields } = compare(before, fingerprint, this.fields);
		return isChanged ? [{ ...found, changedFields }] : [];
	}

	/**
	 * What could not be completed in time stays new.
	 * @returns whether all of it was
	 */
	leaveForNext(fresh: Fresh[], done: Fresh[]): boolean {
		const completed = new Set(done.map(({ keys }) => keys));
		for (const { keys } of fresh)
			if (!completed.has(keys)) for (const key of keys) this.seen.delete(key);
		return done.length === fresh.length;
	}
}
