import type { IDataObject } from 'n8n-workflow';
import { shortenWords } from '../runtime/text';
import { DescribedError, hasStatus, RequestFailedError } from './errors';
import type { ApiRequest, ApiResponse, QueryValue } from './request';
import { isId, readItems, readRecord } from './response';

export type PagePosition = string | number | undefined;

/** How a list continues: the query parameter that asks for a position. */
export type Paging = 'cursor' | 'offset';

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
export const usualLimit = 100;

export function startLimit(largest = largestLimit): AcceptedLimit {
	return { largest };
}

export interface ListRequest {
	paging: Paging;
	wanted: number;
	/** The `limit` to send; undefined asks for what is wanted, as far as the service accepts it. */
	pageSize?: number;
	accepted: AcceptedLimit;
	fetchPage: (query: Record<string, QueryValue>) => Promise<ApiResponse>;
	/** The field that identifies a record, for a list that shows records again when it grows. */
	id?: string;
	/** Where to go on with a list whose beginning was read before, and its `limit` then. */
	resume?: { position: PagePosition; limit: number };
}

export function pageFetcher(
	request: ApiRequest,
	send: (request: ApiRequest) => Promise<ApiResponse>,
): ListRequest['fetchPage'] {
	return async (query) => await send({ ...request, query: { ...request.query, ...query } });
}

interface ListPage {
	records: IDataObject[];
	next: PagePosition;
	/** There is more, or more than is wanted. */
	more: boolean;
	totalCount?: number;
}

/** A page of a list, and the `limit` of all its pages: a cursor may count pages, so that another size would skip or repeat records. */
export type ReadPage = ListPage & { limit: number };

/** Thrown in place of a large page when there is no time left to wait for it. */
export class PageTooSlowError extends Error {}

/** For a list that goes on, but does not say how: going on would loop, ending would silently lose the rest. */
function describeStuck(recordsRead: number, what: string): DescribedError {
	const read = recordsRead === 1 ? '1 record' : `${recordsRead} records`;
	return new DescribedError(
		`The list stops after ${read}: the service ${what}`,
		"No records are returned, because the list would be incomplete. To get the records up to this point, set Limit to the number that was read. Report this to your service's support.",
	);
}

/**
 * Reads a list page by page, each at the position that the one before it named, up to as many records as are wanted.
 * @throws {DescribedError} when there is more, by its own count as well, but no new position to ask for
 * @throws {RequestFailedError} whose details say how much was read
 */
export async function* readPages(list: ListRequest): AsyncGenerator<ReadPage, void> {
	const { paging, wanted, pageSize, accepted, id, resume } = list;
	const isUnlimited = accepted.largest === Infinity && pageSize === undefined;
	let position = resume?.position;
	const usual = isUnlimited ? Infinity : Math.min(pageSize ?? accepted.largest, wanted);
	let limit = resume?.limit ?? usual;
	const asked = new Set<PagePosition>();
	const known = new Set<unknown>();
	let count = 0;
	// The list may grow or shrink meanwhile, but brings no fewer records than the service counts at any time.
	let least = Infinity;
	for (;;) {
		const page = await fetchSized(list, position, limit).catch((error: unknown) => {
			if (error instanceof RequestFailedError)
				Object.assign(error.details, { recordsRead: count, lastPosition: position });
			throw error;
		});
		({ limit } = page);
		// By offset, all later records have moved to an earlier place, where nobody looks again.
		if (id && least < Infinity && (page.totalCount ?? 0) < least)
			throw new DescribedError(
				'The list got shorter while it was read, so a record may be missing',
				'No records are returned. Run the node again.',
			);
		const fresh = page.records.filter(
			// A record without an ID is never a repeat of another one.
			(record) => !(id && isId(record[id]) && known.has(record[id])),
		);
		if (id) for (const record of fresh) known.add(record[id]);
		const records = fresh.slice(0, wanted - count);
		count += records.length;
		yield { ...page, records, more: page.more || fresh.length > records.length };
		least = Math.min(least, page.totalCount ?? 0);
		if (count >= wanted) return;
		if (!page.more) {
			if (count >= least || resume) return;
			throw describeStuck(count, `counts ${least}, but says that there are no more`);
		}
		// The first page is asked for without a position.
		asked.add(position ?? (paging === 'offset' ? 0 : undefined));
		position = page.next;
		checkNext(position, asked, paging, count);
	}
}

/** @throws {DescribedError} where the list cannot go on after so many records */
function checkNext(
	next: PagePosition,
	asked: Set<PagePosition>,
	paging: Paging,
	recordsRead: number,
): void {
	if (next === undefined)
		throw describeStuck(recordsRead, `says that there is more, but sends no ${nextFields[paging]}`);
	if (asked.has(next))
		throw describeStuck(recordsRead, `repeats the position "${shortenWords(String(next), 100)}"`);
}

/** One page. The first page of a list is asked for in the sizes that the service may accept. */
async function fetchSized(
	list: ListRequest,
	position: PagePosition,
	limit: number,
	isSmaller = false,
): Promise<ReadPage> {
	const { paging, fetchPage, accepted, pageSize } = list;
	const query = { [paging]: position, limit: limit === Infinity ? undefined : limit };
	return await fetchPage(query)
		.then((response) => {
			const page = readListPage(response, paging);
			if (isSmaller) accepted.largest = limit;
			return { ...page, limit };
		})
		.catch(async (error: unknown) => {
			const isFirst = position === undefined && pageSize === undefined;
			const smaller = isFirst ? findSmaller(limit, error) : undefined;
			if (smaller === undefined) throw error;
			return await fetchSized(list, position, smaller, true);
		});
}

/** The limit to try next where a page may have been refused for its size alone. */
function findSmaller(limit: number, error: unknown): number | undefined {
	const isLarge = limit > usualLimit && limit < Infinity;
	if (error instanceof PageTooSlowError) return usualLimit;
	if (isLarge && (isRefusal(error) || isSlow(error))) return usualLimit;
	return limit < Infinity && isRefusal(error) ? Infinity : undefined;
}

/** Whether the service may have refused the request for its limit. */
function isRefusal(error: unknown): boolean {
	return hasStatus(error, 400, 413, 422);
}

/**
 * Whether the service may have failed because of the work. A service that cannot be reached, is busy or redirects does not
 * return a smaller page either.
 */
function isSlow(error: unknown): boolean {
	if (!(error instanceof RequestFailedError)) return false;
	const { verdict, details } = error;
	return verdict === 'in doubt' && !(details.status !== undefined && details.status < 400);
}

/**
 * `hasMore: false` is an end even where a position comes with it; without `hasMore`, which the API documents,
 * a null or absent position is the end.
 */
export function readListPage(response: ApiResponse, paging: Paging): ListPage {
	const { [nextFields[paging]]: named, hasMore, totalCount } = readRecord(response);
	const isPosition = typeof named === 'number' || (typeof named === 'string' && named !== '');
	const isEnd = named === undefined || named === null || named === '';
	return {
		records: readItems(response),
		// What is neither an end nor a position fails the list, because it continues nowhere.
		next: isPosition ? named : undefined,
		more: hasMore === undefined || hasMore === null ? !isEnd : hasMore !== false,
		totalCount: typeof totalCount === 'number' ? totalCount : undefined,
	};
}
