import type { IDataObject } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { readConnection } from '../api/connection';
import { isOfService, UnexpectedResponseError } from '../api/errors';
import { type ApiRequest, type ApiResponse, isObject, path } from '../api/request';
import { readRecord } from '../api/response';
import { isRewritten, shortenUrls } from '../api/url';
import { eventKinds } from '../parameters/fields';
import { RecentMap } from '../runtime/recentMap';
import type { TriggerContext } from './settings';

/** What can be changed of a webhook subscription. */
export interface SubscriptionState {
	url: string;
	/** Which events null stands for is not documented. */
	events: string[] | null;
	active: boolean;
}

/** A subscription that cannot be used. The message says what failed and why, the description what to do next. */
export class SubscriptionError extends Error {
	description: string;

	constructor(message: string, description = '') {
		super(message);
		this.description = description;
	}
}

const allEvents: string[] = eventKinds.map(({ value }) => value);

/** @returns undefined for what is no whole state: what it leaves out would replace the settings of the owner */
export function readState(value: unknown): SubscriptionState | undefined {
	if (!isObject(value)) return undefined;
	const { url, events, active } = value;
	if (typeof url !== 'string' || typeof active !== 'boolean') return undefined;
	if (Array.isArray(events)) return { url, events: events.map(String), active };
	return events === null || events === undefined ? { url, events: null, active } : undefined;
}

/** Both lists. null, which may stand for all events, is taken for all. */
export function joinEvents(one: string[] | null, other: string[]): string[] {
	return [...new Set([...(one ?? allEvents), ...other])];
}

/** What of a state is not as it was sent, apart from the service's own way of writing URLs. */
export function listDifferences(now: SubscriptionState, sent: SubscriptionState): string[] {
	const isSameEvents = JSON.stringify(sort(now.events)) === JSON.stringify(sort(sent.events));
	return [
		...(now.url === sent.url || isRewritten(sent.url, now.url) ? [] : ['url']),
		...(isSameEvents ? [] : ['events']),
		...(now.active === sent.active ? [] : ['active']),
	];
}

export function isSameState(one: SubscriptionState, other: SubscriptionState): boolean {
	return listDifferences(one, other).length === 0;
}

function sort(events: string[] | null): string[] | null {
	return events && [...new Set(events)].sort();
}

type TimedStates = RecentMap<string, Array<{ state: SubscriptionState; until: number }>>;
/**
 * What this process lately made of each subscription and what was there before, the latest first. A service behind a
 * cache shows that for some seconds, and n8n calls `delete` and `create` in a row.
 */
const recentStates: TimedStates = new RecentMap(1_000);
/** What it lately sent. If the response was lost, that may have been there before, too. */
const sentStates: TimedStates = new RecentMap(1_000);
const lateMs = 10_000;

/** @throws {RequestFailedError | UnexpectedResponseError | SubscriptionError} */
export async function readCurrent(context: TriggerContext, id: string): Promise<SubscriptionState> {
	const shown = await send(context, { method: 'GET', path: path`/webhook_subscriptions/${id}` });
	const [now, ...past] = listStates(recentStates, await identify(context, id));
	return now && past.some((state) => isSameState(shown, state)) ? now : shown;
}

/**
 * Sends the whole state, once.
 * @returns what the service responded: what it now is
 * @throws as `readCurrent` does
 */
export async function change(
	context: TriggerContext,
	id: string,
	before: SubscriptionState,
	wanted: SubscriptionState,
): Promise<SubscriptionState> {
	const at = path`/webhook_subscriptions/${id}`;
	const key = await identify(context, id);
	const sent = listStates(sentStates, key);
	addStates(sentStates, key, [wanted]);
	const now = await send(context, { method: 'PATCH', path: at, body: wanted });
	addStates(recentStates, key, [now, before, ...sent]);
	return now;
}

/**
 * Puts a state back. `events: null` cannot be sent, so it becomes all events: if null stands for all, no event is lost,
 * and otherwise the receiver gets too many events rather than too few.
 * @throws as `readCurrent` does
 */
export async function restore(
	context: TriggerContext,
	id: string,
	now: SubscriptionState,
	before: SubscriptionState,
): Promise<void> {
	const wanted = { ...before, events: before.events ?? allEvents };
	const missing = listDifferences(await change(context, id, now, wanted), wanted);
	if (missing.length === 0) return;
	throw new SubscriptionError(
		`The service did not restore the ${missing.join(' and ')} of the webhook subscription`,
		'Check the subscription in the service.',
	);
}

/** A subscription of this service: another service may use the same ID. */
async function identify(context: TriggerContext, id: string): Promise<string> {
	const { baseUrl } = await readConnection(context);
	return `${baseUrl} ${id}`;
}

function addStates(map: TimedStates, key: string, states: SubscriptionState[]): void {
	const until = performance.now() + lateMs;
	map.set(key, [...states.map((state) => ({ state, until })), ...listTimed(map, key)]);
}

function listStates(map: TimedStates, key: string): SubscriptionState[] {
	return listTimed(map, key).map(({ state }) => state);
}

function listTimed(map: TimedStates, key: string) {
	return (map.get(key) ?? []).filter(({ until }) => until > performance.now());
}

/** n8n itself tries to publish five times, and a person waits for a test run to begin. */
const patience = { timeoutMs: 8_000, maxRetries: 1 };
/** Includes retries and waits for a rate limit, but never cuts off a request that is under way. */
const wholeMs = 12_000;

async function send(context: TriggerContext, request: ApiRequest): Promise<SubscriptionState> {
	const signal = AbortSignal.timeout(wholeMs);
	const client = await ApiClient.open(context, { concurrency: 1, requestsPerSecond: 0, signal });
	const reading = client.send(request, patience).then(readWholeState);
	return await reading.catch((error: unknown) => {
		if (isOfService(error)) error.description = hideSecrets(error.description);
		else if (signal.aborted)
			throw new SubscriptionError('The service was too busy to respond in time', 'Retry later.');
		throw error;
	});
}

function readWholeState(response: ApiResponse): SubscriptionState {
	// What the response to a change leaves out counts as sent.
	const state = readState({ ...response.request.body, ...readSubscription(response) });
	if (state) return state;
	const id = readSubscriptionId(response.request);
	throw new SubscriptionError(
		`The service left out the URL or the events of webhook subscription ${id}, or whether it is active`,
		"Retry later. If it keeps happening, ask your service's support.",
	);
}

/** The service may repeat URLs, this trigger's and others', and tokens are long runs of hexadecimal digits. */
function hideSecrets(text: string): string {
	return shortenUrls(text).replace(/[\da-f]{32,}/gi, '***');
}

/**
 * The webhook subscription that a request asked for or changed. A cache or a gateway may respond with another one, whose
 * settings would then replace those of this one.
 * @throws {UnexpectedResponseError}
 */
export function readSubscription(response: ApiResponse): IDataObject {
	const record = readRecord(response, 'subscriptionId');
	const asked = readSubscriptionId(response.request);
	const isAsked = String(record.subscriptionId).trim().toLowerCase() === asked.toLowerCase();
	if (isAsked) return record;
	throw new UnexpectedResponseError(`webhook subscription "${asked}"`, response);
}

/** Which subscription a request is about; empty where it is about all. */
export function readSubscriptionId({ path }: Pick<ApiRequest, 'path'>): string {
	return decodeURIComponent(path.split('/')[2] ?? '');
}
