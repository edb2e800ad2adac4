import { type IDataObject, type IPollFunctions, sleep } from 'n8n-workflow';
import { openClient } from '../api/client';
import { readConnection } from '../api/connection';
import {
	type AcceptedLimit,
	type ListPlace,
	PageTooSlowError,
	readPages,
	startLimit,
	usualLimit,
} from '../api/paginate';
import type { ApiRequest, ApiResponse } from '../api/request';
import { hashContent } from '../runtime/canonical';
import type { Deadline } from './deadline';
import { events, type PolledEvent } from './events';
import type { ChosenFields } from './known';
import type { ListSettings, PollSettings } from './settings';

/** A list of the API that a trigger follows, for one poll. */
export interface PolledList {
	event: PolledEvent;
	settings: ListSettings;
	/** What its state belongs to: event, and page or account. */
	scope: string;
	/** A new key may read the same records. */
	apiKeyHash: string;
	baseUrl: string;
	comparedFields: ChosenFields;
	deadline: Deadline;
	/** The page size that the service accepts. */
	accepted: AcceptedLimit;
	/** Waits for the response no longer than the poll may take. */
	send: (request: ApiRequest) => Promise<ApiResponse>;
}

/**
 * The lists of a trigger in one poll. They share its time and its rate limit.
 * @throws {RangeError} when the credential's Base URL cannot be used
 */
export async function openLists(
	context: IPollFunctions,
	settings: PollSettings,
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
	const connection = await Promise.race([readConnection(context), isOver]);
	const client = openClient(context, connection, { concurrency, requestsPerSecond, signal });
	// As many retries as everywhere in the nodes by default.
	const limits = { timeoutMs: Math.min(settings.timeoutMs, budgetMs), maxRetries: 3 };
	const send = async (request: ApiRequest) =>
		await Promise.race([client.send(request, limits), isOver]).catch((error: unknown) => {
			// That the service asks for a pause, say, tells more than that it took long.
			throw signal.aborted ? (client.findHindrance() ?? error) : error;
		});
	const event = events[settings.event];
	const { identity, baseUrl } = connection;
	const shared = {
		event,
		apiKeyHash: identity.slice(0, 16),
		baseUrl,
		comparedFields: event.tellsChanges ? settings.onlyFields : undefined,
		deadline,
		accepted,
		send,
	};
	return settings.pageIds.map((pageId) => {
		const ofList = { ...settings, pageId };
		// With other flags, old entries would seem new.
		const { path, query } = event.request(ofList);
		const scope = hashContent([settings.event, path, query]).slice(0, 16);
		return { ...shared, settings: ofList, scope };
	});
}

/**
 * Reads a list page by page, until its end or the deadline.
 * @param since the start of the period to ask for, in milliseconds; 0 for the whole list
 * @param place where to begin
 * @yields the records of a page, and where the next one begins: undefined at the end of the list
 * @throws when not even the first page can be read
 */
export async function* followList(
	list: PolledList,
	since: number,
	place: ListPlace,
): AsyncGenerator<{ records: IDataObject[]; next?: ListPlace }, void> {
	const { event, settings, accepted, deadline } = list;
	const { query, ...request } = event.request(settings);
	const startDate = since > 0 ? new Date(since).toISOString() : undefined;
	let isResuming = place.position !== undefined;
	let isFirst = true;
	const pages = readPages({
		paging: event.paging,
		wanted: Infinity,
		accepted,
		resume: isResuming ? place : undefined,
		request: { ...request, query: { ...query, startDate } },
		send: async (page) => await askForPage(list, page),
	});
	let failure: unknown;
	try {
		for await (const { records, more, next, limit: size } of pages) {
			// The position was saved because more records follow it. If none do, the service has forgotten the position.
			if (isResuming && records.length === 0) break;
			isResuming = isFirst = false;
			yield { records, next: more ? { position: next, limit: size } : undefined };
		}
	} catch (error) {
		failure = error;
	}
	if (failure && !isResuming && (isFirst || !deadline.signal.aborted)) throw failure;
	// The API does not document how long it knows a position, and what it responds then. So the list starts again.
	if (isResuming) yield { records: [], next: {} };
}

async function askForPage(
	{ event, deadline, send }: PolledList,
	request: ApiRequest,
): Promise<ApiResponse> {
	const { [event.paging]: position, limit } = request.query ?? {};
	const page = send(request);
	if (position !== undefined || Number(limit ?? 0) <= usualLimit) return await page;
	// A service for which a thousand records are too many gets the other half of the time for a hundred.
	const timer = new AbortController();
	const tooSlow = sleep(deadline.budgetMs / 2, timer.signal).then(() => {
		throw new PageTooSlowError();
	});
	return await Promise.race([page, tooSlow]).finally(() => timer.abort());
}
