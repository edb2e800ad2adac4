import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from './failure';
import type { ApiResponse, QueryValue } from './request';
import { readItems, readRecord } from './response';

export type Position = string | number | undefined;

/** How a list goes on: the query parameter that asks for a position, and where an response names the next one. */
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

export interface ListRequest {
	paging: Paging;
	/** Records wanted; Infinity for all. */
	wanted: number;
	/** Undefined: 100, or the service's own where it refuses that. The largest `limit` is not documented. */
	pageSize?: number;
	fetchPage: (query: Record<string, QueryValue>) => Promise<ApiResponse>;
	/** The field that identifies a record, for a list whose records move between pages when it grows. */
	id?: string;
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
export class ListStuckError extends Error {
	readonly description =
		'Nothing was given out, because the list would not be complete. A limit at or below the number of records read works; the rest is for the provider of the API.';

	constructor(recordsRead: number, what: string) {
		super(`The list cannot go on after ${recordsRead} records: the service says ${what}`);
	}
}

/**
 * Reads a list page by page, each page asked for at the position that the one before it named,
 * and never fetches a page that is not needed.
 * @throws {ListStuckError} when there is more, but no new position to ask for
 * @throws {RequestFailedError} whose details say how much was read; no part of a list is given out as if it were all
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

	totalCount?: number;

	private pageSize: number;

	private more = true;

	private readonly asked = new Set<Position>();

	/** IDs of the pages before. */
	private readonly known = new Set<unknown>();

	private readonly list: ListRequest;

	constructor(list: ListRequest) {
		this.list = list;
		this.pageSize = list.pageSize ?? usualPageSize;
	}

	/** The page at the current position. */
	async fetch(): Promise<Page> {
		const { paging, wanted, fetchPage } = this.list;
		const ask = async () =>
			await fetchPage({
				[paging.parameter]: this.position,
				limit:
					this.pageSize === Infinity
						? undefined
						: Math.min(this.pageSize, wanted - this.records.length),
			});
		try {
			return readPage(await ask(), paging);
		} catch (error) {
			const mayAskForLess = this.list.pageSize === undefined && this.position === undefined;
			if (!mayAskForLess || !isRefusal(error)) return this.throwWithPosition(error);
			this.pageSize = Infinity;
			return readPage(await ask(), paging);
		}
	}

	/** Appends a page and moves on to the next position. */
	take({ records, next, more, totalCount }: Page): void {
		const fresh = this.list.id === undefined ? records : this.withoutKnown(records, this.list.id);
		// One by one: spreading a large page into arguments overflows the stack.
		for (const record of fresh) this.records.push(record);
		this.totalCount = totalCount;
		this.more = more;
		this.isDone = !more || this.records.length >= this.list.wanted;
		if (this.isDone) return;

		const { paging } = this.list;
		this.asked.add(this.position ?? paging.start);
		if (next === undefined)
			throw new ListStuckError(this.records.length, `there is more, but names no ${paging.next}`);
		if (this.asked.has(next))
			throw new ListStuckError(
				this.records.length,
				`to go on at ${describePosition(next)}, where it was before`,
			);
		this.position = next;
	}

	/** Without records of earlier pages, which a list that grows at its start shows again. */
	private withoutKnown(records: IDataObject[], id: string): IDataObject[] {
		const fresh = records.filter(
			(record) => record[id] === undefined || !this.known.has(record[id]),
		);
		for (const record of fresh) this.known.add(record[id]);
		return fresh;
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
}

/** Statuses that may mean "such a large page is not allowed". */
function isRefusal(error: unknown): boolean {
	return error instanceof RequestFailedError && [400, 413, 422].includes(error.details.status ?? 0);
}

function readPosition(value: unknown): Position {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function describePosition(position: Position): string {
	return `"${String(position).slice(0, 100)}"`;
}
