import type { ListPlace } from '../api/paginate';
import { refuseItem } from '../parameters/problem';
import { noRecords, type StoredRecords } from './known';
import type { PolledList } from './list';

/** What is remembered of a list between polls, as n8n stores it. */
export interface ListState {
	/** Where it is known: another service may have lists of the same page. */
	baseUrl: string;
	apiKeyHash: string;
	/** Whose people are known, once somebody was listed. */
	tenant?: string;
	/** The other key with which nobody was listed, so that its tenant could not be told. */
	emptyFor?: string;
	/** The latest scan. It is complete if it has no `continueAt`. */
	scan: Scan;
	known: StoredRecords;
}

/** One pass through a list, which may take several polls. */
export interface Scan {
	startedAt: number;
	/** Records from before this date are not new. If the list has a date filter, only records from this date on are read. */
	since: number;
	/** It only notes existing records, and starts no workflow. */
	onlyNotes?: boolean;
	/** Where the next poll continues: `{}` before the first page, a position within the list, undefined once it is read. */
	continueAt?: ListPlace;
}

/** A list whose first scan begins. Records that appear from now on are new, even if a later poll reads them. */
export function beginState(
	list: PolledList,
	now: number,
	scan: Scan = beginScan(list, now),
): ListState {
	const { apiKeyHash, baseUrl, comparedFields } = list;
	return { apiKeyHash, baseUrl, scan, known: noRecords(comparedFields, now) };
}

function beginScan(list: PolledList, now: number): Scan {
	const { existingSince } = list.settings;
	if (existingSince === undefined) return beginNoting(list, now);
	if (existingSince > now)
		refuseItem('Options > Existing Records > Start Date', 'is in the future');
	return { startedAt: now, since: existingSince, continueAt: {} };
}

export function beginNoting({ settings }: PolledList, now: number): Scan {
	return { startedAt: now, since: now - settings.lookBackMs, onlyNotes: true, continueAt: {} };
}

/** The scan that a poll continues, or the next one. */
export function chooseScan(
	{ event, settings, apiKeyHash }: PolledList,
	{ scan, ...state }: ListState,
	now: number,
): Scan {
	// With another key, the service may not know the place.
	const isOtherKey = state.apiKeyHash !== apiKeyHash;
	if (scan.continueAt) return { ...scan, continueAt: isOtherKey ? {} : scan.continueAt };
	const next = { startedAt: now, continueAt: {} };
	if (!event.hasDates) return { ...next, since: 0 };
	// Farther back than was read before, every record would seem new.
	return { ...next, since: Math.max(scan.since, scan.startedAt - settings.lookBackMs) };
}
