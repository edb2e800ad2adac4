import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from './failure';
import type { ApiResponse, QueryValue } from './request';
import { readItems, readRecord } from './response';

export type Position = string | number | undefined;

/** How a list continues: the query parameter that asks for a position, and where a response names the next one. */
export interface Paging {
	parameter: 'cursor' | 'offset';
	next: 'nextCursor' | 'nextOffset';
	/** The position of the first page, which is asked for without one. */
	start: Position;
}

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

/** What a run has learned about the `limit` that the service accepts, for all lists of one endpoint. */
export interface AcceptedPageSize {
	largest: number;
}

/** The largest `limit` is not documented, so a list asks for many records and settles for fewer. */
const largestPageSize = 1_000;
const usualPageSize = 100;

export function startPageSize(): AcceptedPageSize {
	return { largest: largestPageSize };
}

export interface ListRequest {
	paging: Paging;
	/** Records wanted; Infinity for all. */
	wanted: number;
	/** The `limit` to send; undefined asks for what is wanted, as far as the service accepts it. */
	pageSize?: number;
	accepted: AcceptedPageSize;
	/** @param isAbandoned asked before a retry: the page is of no use any more */
	fetchPage: (
		query: Record<string, QueryValue>,
		isAbandoned?: () => boolean,
	) => Promise<ApiResponse>;
	/** The field that identifies a record, for a list whose records move between pages when it grows. */
	id?: string;
}

export interface ListResult {
	records: IDataObject[];
	/** The number of records that the service counts, where it does. */
	totalCount?: number;
	/** There is more than was wanted. */
	cut: boolean;
}

/** Pages in a row that may bring nothing new; a list that never ends would be read for ever. */
const mostEmptyPages = 100;

/** A list that does not say how it continues: going on would loop, ending would silently lose the rest. */
export class ListStuckError extends Error {
	readonly description =
		'No records are returned, because the list would be incomplete. To get the records up to this point, set Limit to the number that was read. Report the rest to the provider of the API.';

	constructor(recordsRead: number, what: string) {
		super(`The list stops after ${recordsRead} records: the service ${what}`);
	}
}

/**
 * Reads a list page by page, each page at the position that the one before it named, and never fetches a page that is
 * not needed.
 * @throws {ListStuckError} when there is more, but no new position to ask for
 * @throws {RequestFailedError} whose details say how much was read; no part of a list is returned as if it were all
 */
export async function readPages(list: ListRequest): Promise<ListResult> {
	const reader = new ListReader(list);
	while (!reader.isDone) reader.take(await reader.fetch());
	return reader.result();
}

export interface Page {
	records: IDataObject[];
	next: Position;
	more: boolean;
	totalCount?: number;
}

/**
 * `hasMore: false` is an end even where a position comes with it; without `hasMore`, which the API documents,
 * a null or absent position is the end.
 */
export function readPage(response: ApiResponse, paging: Paging): Page {
	const body = readRecord(response);
	const next = readPosition(body[paging.next]);
	const { hasMore, totalCount } = body;
	return {
		records: readItems(response),
		next,
		more: hasMore === undefined || hasMore === null ? next !== undefined : hasMore !== false,
		totalCount: typeof totalCount === 'number' ? totalCount : undefined,
	};
}

/** Where the reading of one list stands. */
export class ListReader {
	readonly records: IDataObject[] = [];

	isDone = false;

	position: Position;

	/** The `limit` of every page: a cursor may count pages, so that another size would skip or repeat records. */
	limit: number;

	private totalCount?: number;

	private more = true;

	private emptyPages = 0;

	private readonly asked = new Set<Position>();

	/** IDs of the pages before. */
	private readonly known = new Set<unknown>();

	private readonly list: ListRequest;

	constructor(list: ListRequest) {
		this.list = list;
		this.limit = Math.min(list.pageSize ?? list.accepted.largest, list.wanted);
	}

	/** The page at the current position. */
	async fetch(): Promise<Page> {
		return await this.ask().catch(async (error: unknown) => {
			if (!this.mayAskForLess(error)) return this.throwWithPosition(error);
			this.limit = usualPageSize;
			const page = await this.ask().catch((second: unknown) =>
				// The first refusal names the cause, unless the execution was cancelled.
				this.throwWithPosition(second instanceof RequestFailedError ? error : second),
			);
			this.list.accepted.largest = usualPageSize;
			return page;
		});
	}

	/** Appends a page and moves on to the next position. */
	take({ records, next, more, totalCount }: Page): void {
		const fresh = this.list.id === undefined ? records : this.withoutKnown(records, this.list.id);
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of fresh) this.records.push(record);
		this.totalCount = totalCount;
		this.more = more;
		this.emptyPages = fresh.length === 0 ? this.emptyPages + 1 : 0;
		this.isDone = !more || this.records.length >= this.list.wanted;
		if (this.isDone) return;

		const { paging } = this.list;
		const read = this.records.length;
		this.asked.add(this.position ?? paging.start);
		if (next === undefined)
			throw new ListStuckError(read, `says that there is more, but sends no ${paging.next}`);
		if (this.asked.has(next))
			throw new ListStuckError(read, `repeats the position ${quotePosition(next)}`);
		if (this.emptyPages >= mostEmptyPages)
			throw new ListStuckError(read, `sent ${mostEmptyPages} pages without a new record`);
		this.position = next;
	}

	/** Adds to a failure how far the list was read. */
	throwWithPosition(error: unknown): never {
		if (error instanceof RequestFailedError) {
			error.addDetails({ recordsRead: this.records.length, lastPosition: this.position });
		}
		throw error;
	}

	result(): ListResult {
		const { records, totalCount } = this;
		const { wanted } = this.list;
		const cut = this.more || records.length > wanted;
		records.length = Math.min(records.length, wanted);
		return { records, totalCount, cut };
	}

	private async ask(): Promise<Page> {
		const { paging, fetchPage } = this.list;
		const query = { [paging.parameter]: this.position, limit: this.limit };
		return readPage(await fetchPage(query), paging);
	}

	/** Whether the first page may have been refused for its size alone. */
	private mayAskForLess(error: unknown): boolean {
		if (!(error instanceof RequestFailedError) || this.position !== undefined) return false;
		const { status = 0 } = error.details;
		const mayBeItsSize = [400, 413, 422].includes(status) || status >= 500;
		return mayBeItsSize && this.list.pageSize === undefined && this.limit > usualPageSize;
	}

	/** Without records of earlier pages, which a list that grows at its start shows again. */
	private withoutKnown(records: IDataObject[], id: string): IDataObject[] {
		const fresh = records.filter((record) => !isId(record[id]) || !this.known.has(record[id]));
		for (const record of fresh) this.known.add(record[id]);
		return fresh;
	}
}

/** A record without an ID is never a repeat of another one. */
function isId(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function readPosition(value: unknown): Position {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function quotePosition(position: Position): string {
	return `"${String(position).slice(0, 100)}"`;
}
