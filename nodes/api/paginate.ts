import type { IDataObject } from 'n8n-workflow';
import { readItems, readRecord } from './answer';
import { RequestFailure } from './failure';
import type { Answer, QueryValue } from './request';

/** How a list goes on: the query parameter that asks for a position, and where an answer names the next one. */
export interface Paging {
	parameter: 'cursor' | 'offset';
	next: 'nextCursor' | 'nextOffset';
	/** The position of the first page, which is asked for without one. */
	start: Position;
}

type Position = string | number | undefined;

export const cursor = {
	parameter: 'cursor',
	next: 'nextCursor',
	start: undefined,
} as const satisfies Paging;
export const offset = {
	parameter: 'offset',
	next: 'nextOffset',
	start: 0,
} as const satisfies Paging;

export interface ListRequest {
	paging: Paging;
	/** Records wanted; Infinity for all. */
	wanted: number;
	/** Undefined: 100, or the service's own where it refuses that. The largest `limit` is not documented. */
	pageSize?: number;
	fetchPage: (query: Record<string, QueryValue>) => Promise<Answer>;
}

export interface ListResult {
	records: IDataObject[];
	/** What the service says that there is in all, where it says so. */
	totalCount?: number;
	/** There is more than was wanted. */
	cut: boolean;
}

const usualPageSize = 100;

/** A list that does not say how it goes on: going on would loop, ending would silently lose the rest. */
export class ListStuck extends Error {
	readonly description =
		'Nothing was given out, because the list would not be complete. A limit at or below the number of records read works; the rest is for the provider of the API.';

	readonly recordsRead: number;

	constructor(recordsRead: number, what: string) {
		super(`The list cannot go on after ${recordsRead} records: the service says ${what}`);
		this.recordsRead = recordsRead;
	}
}

/**
 * Reads a list page by page and never fetches a page that is not needed.
 * `hasMore: false` is an end even where a position comes with it; without `hasMore`, a null or absent position is the end.
 * @throws {ListStuck} when there is more, but no new position to ask for
 * @throws {RequestFailure} whose details say how much was read; no part of a list is given out as if it were all
 */
export async function readPages(list: ListRequest): Promise<ListResult> {
	const { paging, wanted } = list;
	const records: IDataObject[] = [];
	const asked = new Set<Position>();
	let pageSize = list.pageSize ?? usualPageSize;
	let position: Position;
	for (;;) {
		const query = (size: number) => ({
			[paging.parameter]: position,
			limit: size === Infinity ? undefined : Math.min(size, wanted - records.length),
		});
		const answer = await list.fetchPage(query(pageSize)).catch(async (error: unknown) => {
			const mayAskForLess = list.pageSize === undefined && position === undefined;
			if (mayAskForLess && isRefusal(error))
				return await list.fetchPage(query((pageSize = Infinity)));
			throw addProgress(error, records.length, position);
		});
		const page = readRecord(answer);
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of readItems(answer)) records.push(record);

		const next = readPosition(page[paging.next]);
		const more =
			page.hasMore === undefined || page.hasMore === null
				? next !== undefined
				: page.hasMore !== false;
		if (!more || records.length >= wanted) {
			const totalCount = typeof page.totalCount === 'number' ? page.totalCount : undefined;
			const cut = more || records.length > wanted;
			records.length = Math.min(records.length, wanted);
			return { records, totalCount, cut };
		}
		asked.add(position ?? paging.start);
		if (next === undefined)
			throw new ListStuck(records.length, `there is more, but no ${paging.next}`);
		if (asked.has(next))
			throw new ListStuck(records.length, `the position ${describe(next)} again`);
		position = next;
	}
}

/** Statuses that may mean "such a large page is not allowed". */
function isRefusal(error: unknown): boolean {
	return error instanceof RequestFailure && [400, 413, 422].includes(error.details.status ?? 0);
}

function addProgress(error: unknown, recordsRead: number, lastPosition: Position): unknown {
	if (error instanceof RequestFailure) Object.assign(error.details, { recordsRead, lastPosition });
	return error;
}

function describe(position: Position): string {
	return `"${String(position).slice(0, 100)}"`;
}

function readPosition(value: unknown): Position {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value !== '' ? value : undefined;
}
