import type { IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import type { ApiRequest, ApiResponse, QueryValue } from '../api/request';
import { hashContent } from '../runtime/canonical';
import { events, type PolledEvent } from './events';
import type { Deadline } from './reading/deadline';
import type { Settings } from './settings';
import type { Rules } from './state/history';

/** The list that a poll reads. */
export interface PolledList {
	settings: Settings;
	event: PolledEvent;
	rules: Rules;
	/** Waits for data no longer than the poll may take. */
	send: (request: ApiRequest) => Promise<ApiResponse>;
	/** Forgets what the service responded so far: a rejected position is no reason to send nothing more. */
	reopen: () => Promise<void>;
	/** @param from the start of the period that is asked for, in milliseconds; null for the whole list */
	fetchPage: (from: number | null, position: Record<string, QueryValue>) => Promise<ApiResponse>;
	/** The same for the same service and API key. */
	identity: string;
	deadline: Deadline;
	/** What the state belongs to: event, page or account, and service. A new API key may read the same records. */
	scope: string;
	/** A fingerprint of the API key. */
	key: string;
}

/** Retries of each request of a poll, as everywhere in the nodes by default. */
const maxRetries = 3;

/** @throws {RangeError} when the credential's Base URL is no http(s) URL */
export async function openList(
	context: IPollFunctions,
	settings: Settings,
	deadline: Deadline,
): Promise<PolledList> {
	const { concurrency, requestsPerSecond, start, lookBackMs } = settings;
	const connect = async () =>
		await deadline.keep(
			ApiClient.open(context, { concurrency, requestsPerSecond, signal: deadline.signal }),
		);
	let client = await connect();
	const { identity, baseUrl } = client;
	const event = events[settings.event];
	const { hasDates, tellsChanges } = event;
	const rules = { start, lookBackMs: hasDates ? lookBackMs : undefined, tellsChanges };
	const scope = hashContent([settings.event, event.place(settings), baseUrl]).slice(0, 16);
	const key = hashContent([scope, identity]).slice(0, 16);
	const send = async (request: ApiRequest) => {
		const timeoutMs = Math.min(settings.timeoutMs, deadline.budgetMs);
		return await client.send(request, { timeoutMs, maxRetries });
	};
	const fetchPage: PolledList['fetchPage'] = async (from, position) => {
		const { query, ...request } = event.request(settings);
		const startDate = from === null ? undefined : new Date(from).toISOString();
		return await send({ ...request, query: { ...query, startDate, ...position } });
	};
	const reopen = async () => void (client = await connect());
	return { settings, event, rules, send, reopen, fetchPage, identity, deadline, scope, key };
}
