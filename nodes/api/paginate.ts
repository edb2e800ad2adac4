import type { IDataObject } from 'n8n-workflow';
import { hasStatus, RequestFailedError } from './errors';
import type { ApiResponse, QueryValue } from './request';
import { readItems, readRecord } from './response';
import { judgeOutcome } from './outcome';

export type PagePosition = string | number | undefined;

/** How a list continues: the query parameter that asks for a position. */
export type Paging = 'cursor' | 'offset';

/** Where a response names the next position. */
export const nextFields = { cursor: 'nextCursor', offset: 'nextOffset' } as const;

/** What a run has learned about the `limit` that the service accepts, for all lists of one endpoint. */
export interface AcceptedLimit {
	/** Infinity: none is sent, and the service chooses the size of its pages. */
	largest: number;
}

/**
 * The largest `limit` is not documented. So a list asks for many records at once; where the service refuses that or
 * takes too long, for 100; and where it refuses that too, for as many as the service likes.
 */
const largestLimit = 1_000;
const usualLimit = 100;

export function startLimit(largest = largestLimit): AcceptedLimit {
	return { largest };
}

export interface ListRequest {
	paging: Paging;
	/** Records wanted; Infinity for all. */
	wanted: number;
	/** The `limit` to send; undefined asks for what is wanted, as far as the service accepts it. */
	pageSize?: number;
	accepted: AcceptedLimit;
	fetchPage: (query: Record<string, QueryValue>) => Promise<ApiResponse>;
	/** Receives the records of each page, in place of the result. So a long list needs no memory. */
	onRecords?: (records: IDataObject[]) => void;
	/** Awaited before the list is read on. */
	afterPage?: () => Promise<void>;
	/** The field that identifies a record, for a list whose records move between pages when it grows. */
	id?: string;
}

export interface ListResult {
	/** Empty where `onRecords` has received them. */
	records: IDataObject[];
	/** The number of records read. */
	count: number;
	/** The number of records that the service counts, where it does. */
	totalCount?: number;
	/** There is more than was wanted. */
	cut: boolean;
}

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
	await reader.readAll();
	return reader.result();
}

export interface ListPage {
	records: IDataObject[];
	next: PagePosition;
	more: boolean;
	totalCount?: number;
}

/**
 * `hasMore: false` is an end even where a position comes with it; without `hasMore`, which the API documents,
 * a null or absent position is the end.
 */
export function readListPage(response: ApiResponse, paging: Paging): ListPage {
	const body = readRecord(response);
	const next = readPosition(body[nextFields[paging]]);
	const { hasMore, totalCount } = body;
	return {
		records: readItems(response),
		next,
		more: hasMore === undefined || hasMore === null ? next !== undefined : hasMore !== false,
		totalCount: typeof totalCount === 'number' ? totalCount : undefined,
	};
}

/** Thrown in place of a large page by a reader that cannot wait for it any longer. */
export class PageTooSlowError extends Error {}

/** The progress of reading one list. */
export class ListReader {
	readonly records: IDataObject[] = [];

	/** Records read so far, as many as are wanted at most. */
	count = 0;

	isDone = false;

	position: PagePosition;

	/** The `limit` of every page: a cursor may count pages, so that another size would skip or repeat records. */
	limit: number;

	/** The number of records that the service counts, where it does. */
	totalCount?: number;

	private more = true;

	private readonly asked = new Set<PagePosition>();

	/** IDs of the pages before. */
	private readonly known = new Set<unknown>();

	private readonly list: ListRequest;

	constructor(list: ListRequest) {
		this.list = list;
		const { pageSize, accepted, wanted } = list;
		this.limit =
			accepted.largest === Infinity && pageSize === undefined
				? Infinity
				: Math.min(pageSize ?? accepted.largest, wanted);
	}

	/**
	 * The page at the current position.
	 * @param before why the same page failed with a larger limit
	 */
	async fetch(before?: RequestFailedError): Promise<ListPage> {
		const page = await this.ask(this.limit).catch(async (error: unknown) => {
			const smaller = this.findSmallerLimit(error);
			// The first refusal names the cause, unless the last attempt failed for another reason.
			const shown = isRefusal(before) && isRefusal(error) ? before : error;
			if (smaller === undefined) return this.throwWithPosition(shown);
			this.limit = smaller;
			return await this.fetch(shown instanceof RequestFailedError ? shown : undefined);
		});
		if (before) this.list.accepted.largest = this.limit;
		return page;
	}

	/** Reads on to the end, or to as many records as are wanted. */
	async readAll(): Promise<IDataObject[]> {
		while (!this.isDone) {
			this.take(await this.fetch());
			await this.list.afterPage?.();
		}
		return this.records;
	}

	/** Appends a page and moves on to the next position. */
	take({ records, next, more, totalCount }: ListPage): void {
		const fresh = this.list.id === undefined ? records : this.withoutKnown(records, this.list.id);
		const { paging, wanted, onRecords } = this.list;
		const room = wanted - this.count;
		const needed = fresh.slice(0, room);
		this.count += needed.length;
		if (onRecords) onRecords(needed);
		// One by one: spreading a large page into arguments overflows the stack.
		else for (const record of needed) this.records.push(record);
		this.totalCount = totalCount;
		this.more = more || fresh.length > room;
		this.isDone = !more || this.count >= wanted;
		if (this.isDone) return;

		const read = this.count;
		// The first page is asked for without a position.
		this.asked.add(this.position ?? (paging === 'offset' ? 0 : undefined));
		if (next === undefined)
			throw new ListStuckError(read, `says that there is more, but sends no ${nextFields[paging]}`);
		if (this.asked.has(next))
			throw new ListStuckError(read, `repeats the position "${String(next).slice(0, 100)}"`);
		this.position = next;
	}

	/** Adds to a failure how far the list was read. */
	throwWithPosition(error: unknown): never {
		if (error instanceof RequestFailedError) {
			Object.assign(error.details, { recordsRead: this.count, lastPosition: this.position });
		}
		throw error;
	}

	result(): ListResult {
		const { records, count, totalCount, more } = this;
		return { records, count, totalCount, cut: more };
	}

	private async ask(limit: number): Promise<ListPage> {
		const { paging, fetchPage } = this.list;
		const query = {
			[paging]: this.position,
			limit: limit === Infinity ? undefined : limit,
		};
		return readListPage(await fetchPage(query), paging);
	}

	/** Whether a page may take long for its size, and a smaller one can be asked for in its place. */
	get isLarge(): boolean {
		const { position, limit } = this;
		return position === undefined && limit > usualLimit && limit < Infinity;
	}

	/** The page took longer than its reader can wait: the next lists ask for smaller ones. */
	blamePageSize(): void {
		if (this.isLarge) this.list.accepted.largest = usualLimit;
	}

	/** The limit to try next where the first page may have been refused for its size alone. */
	private findSmallerLimit(error: unknown): number | undefined {
		if (error instanceof PageTooSlowError) return usualLimit;
		if (!(error instanceof RequestFailedError)) return undefined;
		if (this.position !== undefined || this.list.pageSize !== undefined) return undefined;
		if (this.isLarge && (isRefusal(error) || isSlow(error))) return usualLimit;
		return this.limit < Infinity && isRefusal(error) ? Infinity : undefined;
	}

	private isKnown(record: IDataObject): boolean {
		const { id } = this.list;
		return id !== undefined && isId(record[id]) && this.known.has(record[id]);
	}

	/** Without records of earlier pages, which a list that grows at its start shows again. */
	private withoutKnown(records: IDataObject[], id: string): IDataObject[] {
		const fresh = records.filter((record) => !this.isKnown(record));
		for (const record of fresh) this.known.add(record[id]);
		return fresh;
	}
}

/** Whether the service may have refused the request for its limit. */
function isRefusal(error: unknown): error is RequestFailedError {
	return hasStatus(error, 400, 413, 422);
}

/**
 * Whether the service may have failed because of the work. A service that cannot be reached, or is busy, does not respond
 * to a smaller page either.
 */
function isSlow({ details: { status, code } }: RequestFailedError): boolean {
	if (status !== undefined) return status >= 500 || status === 408;
	return judgeOutcome({ responded: false, code, reason: '' }) === 'in doubt';
}

/** A record without an ID is never a repeat of another one. */
function isId(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function readPosition(value: unknown): PagePosition {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value !== '' ? value : undefined;
}
