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
	/** Infinity: no `limit` is sent, and the service chooses the size of its pages. */
	largest: number;
}

/**
 * The largest `limit` is not documented. So a list asks for many records at once; where the service refuses that or
 * takes too long, for 100; and where it refuses that too, for as many as the service likes.
 */
export const largestLimit = 1_000;
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
	/**
	 * The field that identifies a record, for a list that has to be whole: a record that comes again is left out, and a list
	 * that gets shorter while it is read is an error.
	 */
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

/** A page of a list, as part of what was read of the list so far. */
export interface ReadPage extends ListPage {
	/** Of all pages: a cursor may count pages, so that another size would skip or repeat records. */
	limit: number;
	/** Records that were read so far. */
	count: number;
	/** Whether the list has ended, with fewer records than the service counted from the first page on. */
	isShort: boolean;
	/** Whether a record came again, so that another record may have moved to a page that was read already. */
	hasRepeats: boolean;
}

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

/** A record was deleted or moved while the list was read, so a later one may have slipped to a page that was read already. */
export class ListShrankError extends DescribedError {}

/**
 * Reads a list that has to be whole. If the list gets shorter while it is read, it is read once more.
 * @param read starts over each time
 * @throws {ListShrankError} when it got shorter again
 */
export async function readStable<T>(read: (isAgain: boolean) => Promise<T>): Promise<T> {
	return await read(false).catch(async (error: unknown) => {
		if (!(error instanceof ListShrankError)) throw error;
		return await read(true);
	});
}

/**
 * Reads a list page by page, each at the position that the one before it named, up to as many records as are wanted.
 * @throws {DescribedError} when there is more, but no new position to ask for
 * @throws {ListShrankError} when a list with an `id` gets shorter
 * @throws {RequestFailedError} whose details say how much was read
 */
export async function* readPages(list: ListRequest): AsyncGenerator<ReadPage, void> {
	const { wanted, pageSize, accepted, resume } = list;
	const isUnlimited = accepted.largest === Infinity && pageSize === undefined;
	const usual = isUnlimited ? Infinity : Math.min(pageSize ?? accepted.largest, wanted);
	const guard = new ListGuard(list);
	let position = resume?.position;
	let limit = resume?.limit ?? usual;
	let count = 0;
	for (;;) {
		const page = await fetchSized(list, position, limit).catch((error: unknown) => {
			if (error instanceof RequestFailedError)
				Object.assign(error.details, { recordsRead: count, lastPosition: position });
			throw error;
		});
		({ limit } = page);
		guard.refuseShorter(page);
		const fresh = guard.leaveOutRepeats(page.records);
		const records = fresh.slice(0, wanted - count);
		count += records.length;
		const more = page.more || fresh.length > records.length;
		const isShort = !more && count < guard.firstCount;
		yield { ...page, records, more, count, isShort, hasRepeats: guard.hasRepeats };
		if (count >= wanted || !page.more) return;
		position = guard.goOn(position, page.next, count);
	}
}

/** What may go wrong with a list from page to page. */
class ListGuard {
	hasRepeats = false;

	firstCount = 0;

	private readonly known = new Set<unknown>();

	private readonly asked = new Set<PagePosition>();

	private lastCount = 0;

	private readonly list: ListRequest;

	constructor(list: ListRequest) {
		this.list = list;
	}

	/** @throws {ListShrankError} */
	refuseShorter({ totalCount = this.lastCount }: ListPage): void {
		if (this.list.id && totalCount < this.lastCount)
			throw new ListShrankError(
				`The list got shorter while it was read, from ${this.lastCount} to ${totalCount} records, so a record may be missing`,
				'No records are returned. Run the node again.',
			);
		this.firstCount ||= totalCount;
		this.lastCount = totalCount;
	}

	/** A record without an ID is never a repeat of another one. */
	leaveOutRepeats(records: IDataObject[]): IDataObject[] {
		const { id } = this.list;
		if (!id) return records;
		return records.filter(({ [id]: value }) => {
			const isRepeat = this.known.has(value);
			this.hasRepeats ||= isRepeat;
			if (isId(value)) this.known.add(value);
			return !isRepeat;
		});
	}

	/**
	 * The next position.
	 * @throws {DescribedError} when it is not a position, or was asked for before
	 */
	goOn(current: PagePosition, next: PagePosition, count: number): PagePosition {
		const { paging } = this.list;
		// The first page is asked for without a position.
		this.asked.add(current ?? (paging === 'offset' ? 0 : undefined));
		if (next === undefined)
			throw describeStuck(count, `says that there is more, but sends no ${nextFields[paging]}`);
		if (this.asked.has(next))
			throw describeStuck(count, `repeats the position "${shortenWords(String(next), 100)}"`);
		return next;
	}
}

/** One page. The first page of a list is asked for in the sizes that the service may accept. */
async function fetchSized(
	list: ListRequest,
	position: PagePosition,
	limit: number,
	isSmaller = false,
): Promise<ListPage & { limit: number }> {
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
			// The next poll has time for the small page, even if this one has not.
			if (error instanceof PageTooSlowError) accepted.largest = smaller;
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
