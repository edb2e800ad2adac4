import { type IDataObject, type IPollFunctions, sleep } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { DescribedError } from '../api/errors';
import {
	type AcceptedLimit,
	type PagePosition,
	PageTooSlowError,
	readPages,
	startLimit,
	usualLimit,
} from '../api/paginate';
import type { ApiRequest, ApiResponse, QueryValue } from '../api/request';
import { hashContent } from '../runtime/canonical';
import { events, type PolledEvent } from './events';
import type { ListSettings, Settings } from './settings';

/** A list of the API that a trigger follows. */
export interface PolledList {
	event: PolledEvent;
	settings: ListSettings;
	/** What the memory belongs to: event, page or account, and service. */
	scope: string;
	/** A fingerprint of the API key. A new one may read the same records. */
	key: string;
	deadline: Deadline;
	/** The page size that the service accepts. */
	accepted: AcceptedLimit;
	/** Waits for the response no longer than the poll may take. */
	send: (request: ApiRequest) => Promise<ApiResponse>;
}

/** A poll that cannot do its work. The message says what failed and why, the description what to do next. */
export class PollError extends DescribedError {}

/** When a poll ends, whatever is under way. */
export interface Deadline {
	budgetMs: number;
	getRestMs: () => number;
	/** Ends waits and unsent requests. */
	signal: AbortSignal;
}

/** Does the work of a poll, which can see how much time it has. */
export async function within<T>(
	budgetMs: number,
	work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
	const endsAt = performance.now() + budgetMs;
	const end = new AbortController();
	const timer = new AbortController();
	sleep(budgetMs, timer.signal).then(
		() => end.abort(noResponse()),
		() => undefined,
	);
	const deadline = {
		budgetMs,
		getRestMs: () => endsAt - performance.now(),
		signal: end.signal,
	};
	return await work(deadline).finally(() => timer.abort());
}

function noResponse(): PollError {
	return new PollError(
		'The service did not respond within the time of a poll',
		'The next poll retries.',
	);
}

/** Retries of each request, as everywhere in the nodes by default. */
const maxRetries = 3;

/**
 * The lists of a trigger in one poll. They share its time and its rate limit.
 * @throws {RangeError} when the credential's Base URL cannot be used
 */
export async function openLists(
	context: IPollFunctions,
	settings: Settings,
	deadline: Deadline,
	accepted: AcceptedLimit = startLimit(),
): Promise<PolledList[]> {
	const { concurrency, requestsPerSecond } = settings;
	const { budgetMs, signal } = deadline;
	// A request under way cannot be taken back, and its own timeout starts anew with every byte.
	const isOver = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason as Error));
	});
	isOver.catch(() => undefined);
	const opening = ApiClient.open(context, { concurrency, requestsPerSecond, signal });
	const client = await Promise.race([opening, isOver]);
	const timeoutMs = Math.min(settings.timeoutMs, budgetMs);
	const send = async (request: ApiRequest) =>
		await Promise.race([client.send(request, { timeoutMs, maxRetries }), isOver]);
	const event = events[settings.event];
	const key = client.connection.identity.slice(0, 16);
	return settings.pageIds.map((pageId) => {
		const ofList = { ...settings, pageId };
		const scope = hashContent([
			settings.event,
			event.owner(ofList),
			client.connection.baseUrl,
		]).slice(0, 16);
		return { event, settings: ofList, scope, key, deadline, accepted, send };
	});
}

/** Where a reading stands in a list. */
export interface Place {
	/** undefined at the beginning. */
	position?: PagePosition;
	/** The page size, which must stay the same. In n8n's data, null stands for Infinity: the service chooses it. */
	limit?: number | null;
}

/**
 * Reads a list page by page.
 * @param from the start of the period to ask for, in milliseconds; 0 for the whole list
 * @param take @returns whether there was time for all of the page
 * @returns where the next poll continues; undefined at the end of the list
 */
export async function readList(
	list: PolledList,
	from: number,
	{ position, limit }: Place,
	take: (records: IDataObject[]) => Promise<boolean>,
): Promise<Place | undefined> {
	const { event, accepted, deadline } = list;
	const isResumed = position !== undefined;
	const pages = readPages({
		paging: event.paging,
		wanted: Infinity,
		accepted,
		resume: isResumed ? { position, limit: limit ?? Infinity } : undefined,
		fetchPage: async (query) => await fetchPage(list, from, query),
	});
	let place: Place = { position, limit };
	let isFirst = true;
	const takePages = async (): Promise<Place | undefined> => {
		for await (const { records, more, next, limit: size } of pages) {
			if (isFirst && isResumed && records.length === 0) return {};
			if (!(await take(records))) return place;
			if (!more) return undefined;
			place = { position: next, limit: size };
			isFirst = false;
		}
		return undefined;
	};
	return await takePages().catch((error: unknown) => {
		// The API does not document how long it knows a position, and what it responds then. So the list starts again.
		if (isFirst && isResumed) return {};
		if (isFirst || !deadline.signal.aborted) throw error;
		return place;
	});
}

async function fetchPage(
	{ event, settings, deadline, send }: PolledList,
	from: number,
	position: Record<string, QueryValue>,
): Promise<ApiResponse> {
	const { query, ...request } = event.request(settings);
	const startDate = from > 0 ? new Date(from).toISOString() : undefined;
	const page = send({ ...request, query: { ...query, startDate, ...position } });
	const isFirst = position[event.paging] === undefined;
	if (!isFirst || Number(position.limit ?? 0) <= usualLimit) return await page;
	// A service for which a thousand records are too many gets the other half of the time for a hundred.
	const timer = new AbortController();
	const tooSlow = sleep(deadline.budgetMs / 2, timer.signal).then(() => {
		throw new PageTooSlowError();
	});
	return await Promise.race([page, tooSlow]).finally(() => timer.abort());
}
