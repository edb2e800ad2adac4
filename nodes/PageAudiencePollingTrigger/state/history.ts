import { type Content, findChangedFields, isSameContent } from './content';
import { addContent, type Known } from './known';
import type { Sighting } from './sighting';

/*
 * Which records are new. Nothing here knows n8n or the API: from what was known and what a poll read follows what starts
 * the workflow, and what is known then.
 */

/** What a trigger knows of one list. */
export interface History {
	/** When the last complete reading began. undefined until the first one is complete. */
	readAt?: number;
	/** The oldest first; never empty after a reading. */
	generations: Generation[];
	/** A reading that goes on in the next poll. */
	open?: Reading;
}

/**
 * The records that were last seen within a period. They are forgotten together, long after a reading could last return
 * them: by when they were seen, because which of their dates the service compares with its filter is not documented.
 */
export interface Generation {
	/** When its first reading began. */
	since: number;
	/**
	 * The start of the period that its first reading asked for; null for the whole list. What a later reading returns
	 * from there on is either known or new.
	 */
	from: number | null;
	known: Known;
}

/** One pass through the list, which may take several polls. */
export interface Reading {
	startedAt: number;
	/** The start of the period that is asked for; null for the whole list. */
	from: number | null;
	/** What it has seen in the polls before. */
	seen?: Known;
	/** The latest date of a record that it has seen, in milliseconds. */
	newest?: number;
	/** Where the next poll goes on. */
	position?: string | number;
	/** The page size, which must stay the same. */
	limit?: number;
	/** How often in a row the service did not go on where an earlier poll had to stop. */
	restarts?: number;
	/** Nothing that it finds starts the workflow, whatever Start From says. */
	takesStock?: boolean;
}

/** Which of the records that exist before the first poll start the workflow. */
export type StartFrom = { from: 'now' } | { from: 'all' } | { from: 'date'; date: number };

export interface Rules {
	start: StartFrom;
	/** undefined for a list without a date filter. */
	lookBackMs?: number;
	/** Whether a known record with other content starts the workflow too. */
	tellsChanges?: boolean;
	/** The fields whose changes count. None for all. */
	fields: readonly string[];
}

/** Of a list that was never read. */
export const noHistory: History = { generations: [] };

/** A new generation begins this often in a look-back. */
const generationsPerLookBack = 4;

/** A reading from a date begins earlier: the edge may be exclusive, or in whole seconds. */
const edgeMs = 1_000;

/** The API sets the dates of a list without a date filter. A record may still appear this long after its own. */
const mostLateMs = 48 * 3_600_000;

/** Whether the clock has gone back: it was ahead, or is behind now. */
export function isSetBack({ readAt = -Infinity }: History, now: number): boolean {
	return readAt > now;
}

/** The reading that comes next. */
export function beginReading(history: History, { start, lookBackMs }: Rules, now: number): Reading {
	const { readAt } = history;
	if (lookBackMs === undefined) return { startedAt: now, from: null };
	if (readAt === undefined) {
		if (start.from === 'all') return { startedAt: now, from: null };
		const from = start.from === 'date' ? start.date - edgeMs : now - lookBackMs;
		return { startedAt: now, from };
	}
	const knownFrom = findKnownFrom(history);
	const from = isSetBack(history, now)
		? // While the clock was ahead, readings may have begun after what happened.
			Math.min(knownFrom, now - lookBackMs)
		: // Farther back than anything is known, every record would seem new.
			Math.max(knownFrom, readAt - lookBackMs);
	return { startedAt: now, from: from === -Infinity ? null : from };
}

/** A reading that only notes what exists, also where Start From is All: nobody has just published. */
export function takeStock(rules: Rules, now: number): History {
	const reading = beginReading(noHistory, { ...rules, start: { from: 'now' } }, now);
	return { generations: [], open: { ...reading, takesStock: true } };
}

/**
 * @param seenBefore on the pages before, also those of earlier polls
 * @param now when the page was read
 * @returns what of a page starts the workflow, and what is known from now on, `fresh` among it
 */
export function sortOut<S extends Sighting>(
	history: History,
	reading: Reading,
	sightings: S[],
	{ start, tellsChanges, fields }: Rules,
	seenBefore: Known,
	now: number,
): { fresh: S[]; seen: S[] } {
	const isSnapshot = history.readAt === undefined;
	const isStock = isSnapshot && (reading.takesStock === true || start.from === 'now');
	const newFrom = isSnapshot ? -Infinity : findKnownFrom(history);
	const here: Known = new Map();
	const findBefore = (key: number) => join(seenBefore.get(key), findContents(history, key));
	const find = (key: number) => join(here.get(key), findBefore(key));
	const fresh: S[] = [];
	const seen: S[] = [];
	for (const sighting of sightings) {
		const { key, content, at = Infinity, withoutId } = sighting;
		const before = find(key);
		const isKnown =
			before !== undefined &&
			(!tellsChanges || before.some((each) => isSameContent(content, each)));
		const nameless = withoutId && find(withoutId.key);
		const isUnknown = before === undefined && nameless === undefined;
		// Older than everything that is known: forgotten long ago, and returned because the service computed it anew. Only a
		// reading that begins before everything that is known takes note of it.
		if (isUnknown && at < newFrom) {
			if (reading.from !== null && at >= reading.from) seen.push(sighting);
			continue;
		}
		// What appears during the snapshot is left to the next reading.
		if (isStock && !isKnown && at > reading.startedAt && at <= now) continue;
		// Once it had an ID, a further one is another event.
		seen.push(before?.includes('') ? { ...sighting, content: '' } : sighting);
		if (withoutId) {
			addContent(here, key, content);
			// A service with older data may still show it without its ID.
			here.set(withoutId.key, ['']);
			seen.push({ ...sighting, key: withoutId.key, content: '' });
			if (nameless?.includes(withoutId.content) && !nameless.includes('')) continue;
		}
		if (isKnown || isStock) continue;
		if (isSnapshot && start.from === 'date' && at < start.date) continue;
		addContent(here, key, content);
		const changedFields = compare(content, findBefore(key), fields);
		fresh.push(changedFields === undefined ? sighting : { ...sighting, changedFields });
	}
	return { fresh, seen };
}

function join(
	some: readonly Content[] | undefined,
	others: readonly Content[] | undefined,
): readonly Content[] | undefined {
	return some && others ? [...some, ...others] : (some ?? others);
}

/** The chosen fields in which a record differs. Of several records with its ID, nobody knows which one it was. */
function compare(
	content: Content,
	before: readonly Content[] | undefined,
	fields: readonly string[],
): string[] | null | undefined {
	if (fields.length === 0) return undefined;
	if (before === undefined) return null;
	const [only, other] = before;
	if (only === undefined || other !== undefined) return undefined;
	return findChangedFields(content, only, fields);
}

/** The date from which a record is either known or new. */
function findKnownFrom({ generations }: History): number {
	return generations[0]?.from ?? -Infinity;
}

/** The contents with which a record was last seen. */
function findContents({ generations }: History, key: number): readonly Content[] | undefined {
	return generations.findLast(({ known }) => known.has(key))?.known.get(key);
}

/**
 * What is known after a poll. The position moves only when the reading is complete.
 * @param seen by the reading so far
 * @param open where the reading goes on; undefined if it is complete
 * @returns the same object if there is nothing to remember
 */
export function advance(
	history: History,
	reading: Reading,
	seen: Known,
	rules: Rules,
	open?: Reading,
): History {
	if (open) return { ...history, open: { ...open, seen } };
	const { lookBackMs } = rules;
	const { startedAt, from } = reading;
	const isUnchanged =
		lookBackMs === undefined &&
		!history.open &&
		history.readAt !== undefined &&
		[...seen].every(([key, contents]) => isSame(contents, findContents(history, key)));
	if (isUnchanged) return history;

	const { generations } = absorb(history, reading, seen, rules);
	// All that the list has from there on is known now.
	for (const each of generations)
		if (from !== null && each.from !== null) each.from = Math.min(each.from, from);
	const isStock =
		history.readAt === undefined && (reading.takesStock === true || rules.start.from === 'now');
	// A record may slip from a page to one that was read before. If it is old, it was there all the same.
	const [oldest] = generations;
	if (oldest && isStock && from === null && reading.newest !== undefined)
		oldest.from = Math.min(reading.newest, startedAt) - mostLateMs;
	while (lookBackMs !== undefined && (generations[1]?.since ?? Infinity) <= startedAt - lookBackMs)
		generations.shift();
	return { readAt: startedAt, generations };
}

/** What is known when the records that a reading has seen are so too. */
export function absorb(
	history: History,
	{ startedAt, from }: Reading,
	seen: Known,
	{ lookBackMs }: Rules,
): History {
	const generations = history.generations.map((each) => ({
		...each,
		// What is known from the future counts as known now.
		since: Math.min(each.since, startedAt),
		known: new Map(each.known),
	}));
	const isDue =
		lookBackMs !== undefined &&
		startedAt - (generations.at(-1)?.since ?? startedAt) >= lookBackMs / generationsPerLookBack;
	if (isDue || generations.length === 0)
		generations.push({ since: startedAt, from, known: new Map() });
	for (const [key, contents] of seen) {
		for (const { known } of generations) known.delete(key);
		generations.at(-1)?.known.set(key, contents);
	}
	return { ...history, generations };
}

function isSame(contents: readonly Content[], others: readonly Content[] = []): boolean {
	return contents.length === others.length && contents.every((each) => others.includes(each));
}
