import type { IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import type { ApiRequest, ApiResponse, QueryValue } from '../api/request';
import { hashContent } from '../runtime/canonical';
import { events, type PolledEvent } from './events';
import type { Deadline } from './reading/deadline';
import type { ListSettings, Settings } from './settings';
import type { Rules } from './state/history';

/** A list of the API that a trigger follows. */
export interface FollowedList {
	settings: ListSettings;
	event: PolledEvent;
	rules: Rules;
	/** The same for the same service and API key. */
	identity: string;
	/** What the state belongs to: event, page or account, and service. A new API key may read the same records. */
	scope: string;
	/** A fingerprint of the API key. */
	key: string;
}

/** A list whose turn it is. */
export interface PolledList extends FollowedList {
	deadline: Deadline;
	/** Waits for data no longer than the list has. */
	send: (request: ApiRequest) => Promise<ApiResponse>;
	/** Forgets what the service responded so far: a rejected position is no reason to send nothing more. */
	reopen: () => Promise<void>;
	/** @param from the start of the period that is asked for, in milliseconds; null for the whole list */
	fetchPage: (from: number | null, position: Record<string, QueryValue>) => Promise<ApiResponse>;
}

/** The lists of a trigger in one poll. They share its rate limits. */
export interface OpenLists {
	event: PolledEvent;
	settings: Settings;
	deadline: Deadline;
	/** At least one. */
	followed: FollowedList[];
	/** @param deadline of its turn */
	take: (list: FollowedList, deadline: Deadline) => PolledList;
	/** Begins anew with the service: requests that were abandoned take no other's place. */
	reopen: () => Promise<void>;
}

/** Retries of each request of a poll, as everywhere in the nodes by default. */
const maxRetries = 3;

/** @throws {RangeError} when the credential's Base URL cannot be used */
export async function openLists(
	context: IPollFunctions,
	settings: Settings,
	deadline: Deadline,
): Promise<OpenLists> {
	const { concurrency, requestsPerSecond } = settings;
	const connect = async () =>
		await deadline.keep(
			ApiClient.open(context, { concurrency, requestsPerSecond, signal: deadline.signal }),
		);
	let client = await connect();
	const reopen = async () => void (client = await connect());
	const event = events[settings.event];
	return {
		event,
		settings,
		deadline,
		followed: settings.pageIds.map((pageId) => follow({ ...settings, pageId }, client)),
		take: (list, turn) => {
			const send: PolledList['send'] = async (request) =>
				await client.send(request, {
					timeoutMs: Math.min(settings.timeoutMs, turn.budgetMs),
					maxRetries,
					signal: turn.signal,
				});
			const fetchPage: PolledList['fetchPage'] = async (from, position) => {
				const { query, ...request } = event.request(list.settings);
				const startDate = from === null ? undefined : new Date(from).toISOString();
				return await send({ ...request, query: { ...query, startDate, ...position } });
			};
			return { ...list, deadline: turn, send, reopen, fetchPage };
		},
		reopen,
	};
}

function follow(settings: ListSettings, { identity, baseUrl }: ApiClient): FollowedList {
	const { start, lookBackMs, onlyFields: fields } = settings;
	const event = events[settings.event];
	const { hasDates, tellsChanges } = event;
	const rules = { start, lookBackMs: hasDates ? lookBackMs : undefined, tellsChanges, fields };
	const scope = hashContent([settings.event, event.place(settings), baseUrl]).slice(0, 16);
	const key = hashContent([scope, identity]).slice(0, 16);
	return { settings, event, rules, identity, scope, key };
}
