import { invalidRequest } from '../api/errors.mts';
import {
	isLimit,
	isOffset,
	readCursor,
	writeCursor,
	type Guesses,
	type ListStart,
} from '../guesses.mts';

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

export interface Choice<T> {
	isFound?: (record: T) => boolean;
	/** The positions of all records in the order of the list. By default the stored order. */
	order?: readonly number[];
	/** The number of the listing, for an order that belongs to it. */
	listing?: number;
}

const firstPage: ListStart = { position: 0, listing: 0 };

export const readStart = ({ cursor }: PageQuery): ListStart =>
	cursor === undefined ? firstPage : readCursor(cursor);

export function checkLimit(limit: number | undefined, guesses: Guesses): number {
	if (limit === undefined) return guesses.defaultLimit;
	if (!isLimit(limit, guesses)) {
		throw invalidRequest(`query/limit must be a whole number from 1 to ${guesses.maximumLimit}`);
	}
	return limit;
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
