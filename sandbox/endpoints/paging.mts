import { invalidRequest } from '../api/errors.mts';
import { isLimit, isOffset, readCursor, writeCursor, type Guesses } from '../guesses.mts';

export interface PageQuery {
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

export function checkLimit(limit: number | undefined, guesses: Guesses): number {
	if (limit === undefined) return guesses.defaultLimit;
	if (!isLimit(limit, guesses)) {
		throw invalidRequest(`query/limit must be a whole number from 1 to ${guesses.maximumLimit}`);
	}
	return limit;
}

/**
 * Returns the records from the cursor on. A cursor holds a position in the whole list, not among the matches. So the
 * others do not move when a record starts or stops to match.
 */
export function takeByCursor<T>(
	records: readonly T[],
	query: PageQuery,
	guesses: Guesses,
	isFound?: (record: T) => boolean,
): CursorPage<T> {
	const limit = checkLimit(query.limit, guesses);
	const start = query.cursor === undefined ? 0 : readCursor(query.cursor);
	const positions: number[] = [];
	let totalCount = 0;
	for (let position = 0; position < records.length; position++) {
		if (isFound && !isFound(records[position])) continue;
		totalCount++;
		if (position >= start && positions.length <= limit) positions.push(position);
	}
	const next = positions[limit];
	return {
		hasMore: next !== undefined,
		items: positions.slice(0, limit).map((position) => records[position]),
		nextCursor: next === undefined ? null : writeCursor(next),
		totalCount,
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
	if (!isOffset(offset)) {
		throw invalidRequest('query/offset must be a whole number, 0 or more');
	}
	const end = offset + limit;
	const hasMore = end < records.length;
	return {
		items: records.slice(offset, end),
		totalCount: records.length,
		hasMore,
		nextOffset: hasMore ? end : null,
	};
}
