import { invalidRequest } from '../errors.mts';
import type { Guesses } from '../guesses.mts';

interface PageQuery {
	cursor?: string;
	limit?: number;
	offset?: number;
}

export interface CursorPage<T> {
	hasMore: boolean;
	items: T[];
	nextCursor: string | null;
	totalCount: number;
}

interface Choice<T> {
	isFound?: (record: T) => boolean;
	/** The positions of all records in the order of the list. By default the stored order. */
	order?: readonly number[];
	/** The number of the listing, for an order that belongs to it. */
	listing?: number;
}

/** Where a page of a list starts. */
interface ListStart {
	/** The place of the page's first record in the order in which the records were stored. */
	position: number;
	/** The number of the listing, for lists that are shuffled anew each time. Otherwise 0. */
	listing: number;
}

const writeCursor = ({ position, listing }: ListStart): string =>
	Buffer.from(`after:${position}${listing === 0 ? '' : `:${listing}`}`).toString('base64url');

/** Rejects any other cursor. Guessing a position would silently lose or duplicate records. */
export function readStart({ cursor }: PageQuery): ListStart {
	if (cursor === undefined) return { position: 0, listing: 0 };
	const text = Buffer.from(cursor, 'base64url').toString();
	const parts = /^after:(\d{1,15})(?::(\d{1,15}))?$/.exec(text);
	const start = { position: Number(parts?.[1]), listing: Number(parts?.[2] ?? 0) };
	if (!parts || writeCursor(start) !== cursor) {
		throw invalidRequest(`query/cursor '${cursor}' is not a valid cursor`);
	}
	return start;
}

export function checkLimit(limit: number | undefined, guesses: Guesses): number {
	const { defaultLimit, maximumLimit, excessiveLimit } = guesses;
	if (limit === undefined) return defaultLimit;
	if (excessiveLimit === 'cut' && limit > maximumLimit) return maximumLimit;
	if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
		throw invalidRequest(`query/limit must be a whole number from 1 to ${maximumLimit}`);
	}
	return limit;
}

const writeCount = (count: number, { totalCounts }: Guesses): number =>
	totalCounts === 'exact' ? count : Math.ceil(count / 100) * 100;

/** Whether a flag is on or off. Undefined if it says neither. */
export function readFlag(text: string | undefined, { flags }: Guesses): boolean | undefined {
	const [on, off] = flags === 'digits' ? ['1', '0'] : ['true', 'false'];
	if (text === on) return true;
	if (text === off) return false;
	if (flags === 'strict' && text !== undefined) throw invalidRequest('A flag is true or false');
	return undefined;
}

/**
 * Returns the records from the cursor on. A cursor holds a record's position in the stored order, not among the matches
 * or in the order of the list. So it keeps its place when a record is added, or starts or stops to match.
 */
export function takeByCursor<T>(
	records: readonly T[],
	query: PageQuery,
	guesses: Guesses,
	{ isFound, order, listing = 0 }: Choice<T> = {},
): CursorPage<T> {
	const limit = checkLimit(query.limit, guesses);
	const start = readStart(query).position;
	const positions: number[] = [];
	let totalCount = 0;
	let hasStarted = query.cursor === undefined;
	for (let place = 0; place < records.length; place++) {
		const position = order ? order[place] : place;
		hasStarted ||= position === start;
		if (isFound && !isFound(records[position])) continue;
		totalCount++;
		if (hasStarted && positions.length <= limit) positions.push(position);
	}
	const next = positions[limit];
	return {
		hasMore: next !== undefined,
		items: positions.slice(0, limit).map((position) => records[position]),
		nextCursor: next === undefined ? null : writeCursor({ position: next, listing }),
		totalCount: writeCount(totalCount, guesses),
	};
}

export interface OffsetPage<T> {
	items: T[];
	totalCount: number;
	hasMore: boolean;
	nextOffset: number | null;
}

export function takeByOffset<T>(
	records: readonly T[],
	query: PageQuery,
	guesses: Guesses,
): OffsetPage<T> {
	const limit = checkLimit(query.limit, guesses);
	const offset = query.offset ?? 0;
	if (!Number.isSafeInteger(offset) || offset < 0) {
		throw invalidRequest('query/offset must be a whole number, 0 or more');
	}
	const end = offset + limit;
	const hasMore = end < records.length;
	return {
		items: records.slice(offset, end),
		totalCount: writeCount(records.length, guesses),
		hasMore,
		nextOffset: hasMore ? end : null,
	};
}
