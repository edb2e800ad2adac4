import type { IDataObject } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { readConnection } from '../api/connection';
import { DescribedError, isOfService, UnexpectedResponseError, retryLater } from '../api/errors';
import { type ApiRequest, type ApiResponse, path } from '../api/request';
import { readRecord } from '../api/response';
import { eventKinds } from '../parameters/fields';
import { RecentMap } from '../runtime/recentMap';
import { isObject } from '../runtime/unknown';
import { isRewritten, shortenUrls } from '../runtime/url';
import type { TriggerContext } from './settings';

/** The settings of a webhook subscription that can be changed. */
export interface SubscriptionState {
	url: string;
	/** Which events null stands for is not documented. */
	events: string[] | null;
	active: boolean;
}

/** A subscription that cannot be used. The message says what failed and why, the description what to do next. */
export class SubscriptionError extends DescribedError {}

const allEvents: string[] = eventKinds.map(({ value }) => value);

/** @returns undefined where a setting is missing: a made-up value would later replace the owner's setting */
export function readState(value: unknown): SubscriptionState | undefined {
	if (!isObject(value)) return undefined;
	const { url, events, active } = value;
	if (typeof url !== 'string' || typeof active !== 'boolean') return undefined;
	if (Array.isArray(events)) return { url, events: events.map(String), active };
	return events === null || events === undefined ? { url, events: null, active } : undefined;
}

/** The events of both lists. null may stand for all events, and counts as all. */
export function joinEvents(one: string[] | null, other: string[]): string[] {
	return [...new Set([...(one ?? allEvents), ...other])];
}

/** The settings that differ from the sent ones. The service may write a URL its own way. */
export function listDifferences(shown: SubscriptionState, sent: SubscriptionState): string[] {
	const isSameEvents = JSON.stringify(sort(shown.events)) === JSON.stringify(sort(sent.events));
	return [
		...(shown.url === sent.url || isRewritten(sent.url, shown.url) ? [] : ['URL']),
		...(isSameEvents ? [] : ['events']),
		...(shown.active === sent.active ? [] : ['active state']),
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
 * The states that each subscription lately had, as this process knows them, the latest first. A service behind a cache
 * shows an earlier one for some seconds, and n8n calls `delete` and `create` in a row.
 */
const recentStates: TimedStates = new RecentMap(1_000);
/** The states that this process lately sent. If a response was lost, the subscription may have had that state, too. */
const sentStates: TimedStates = new RecentMap(1_000);
const lateMs = 10_000;

/** @throws {RequestFailedError | UnexpectedResponseError | SubscriptionError} */
export async function readCurrent(context: TriggerContext, id: string): Promise<SubscriptionState> {
	const shown = await send(context, { method: 'GET', path: path`/webhook_subscriptions/${id}` });
	const [latest, ...earlier] = listStates(recentStates, await scopeOf(context, id));
	return latest && earlier.some((state) => isSameState(shown, state)) ? latest : shown;
}

/**
 * Sends the whole state in one request.
 * @returns the state in the service's response
 * @throws as `readCurrent` does
 */
export async function change(
	context: TriggerContext,
	id: string,
	current: SubscriptionState,
	wanted: SubscriptionState,
): Promise<SubscriptionState> {
	const at = path`/webhook_subscriptions/${id}`;
	const scope = await scopeOf(context, id);
	const earlier = listStates(sentStates, scope);
	addStates(sentStates, scope, [wanted]);
	const stored = await send(context, { method: 'PATCH', path: at, body: wanted });
	// Say A became B, but the response was lost, and now it becomes C: a cache may still show A or B, and both count as C.
	addStates(recentStates, scope, [stored, current, ...earlier]);
	return stored;
}

/** The response to a change was lost, but the service shows it: a cache may still show the state before it. */
export async function noteChange(context: TriggerContext, id: string, states: SubscriptionState[]) {
	addStates(recentStates, await scopeOf(context, id), states);
}

/**
 * Restores a state. `events: null` cannot be sent, so it becomes all events: if null stands for all, no event is lost,
 * and otherwise the receiver gets too many events rather than too few.
 * @throws as `readCurrent` does
 */
export async function restore(
	context: TriggerContext,
	id: string,
	current: SubscriptionState,
	original: SubscriptionState,
): Promise<void> {
	const wanted = { ...original, events: original.events ?? allEvents };
	const refused = listDifferences(await change(context, id, current, wanted), wanted);
	if (refused.length === 0) return;
	throw new SubscriptionError(
		`The service did not restore the ${refused.join(' and ')} of the webhook subscription`,
		'Check the subscription in the service.',
	);
}

/** The ID with the Base URL, because another service may use the same ID. */
async function scopeOf(context: TriggerContext, id: string): Promise<string> {
	const { baseUrl } = await readConnection(context);
	return `${baseUrl} ${id}`;
}

function addStates(map: TimedStates, scope: string, states: SubscriptionState[]): void {
	const until = performance.now() + lateMs;
	map.set(scope, [...states.map((state) => ({ state, until })), ...listTimed(map, scope)]);
}

function listStates(map: TimedStates, scope: string): SubscriptionState[] {
	return listTimed(map, scope).map(({ state }) => state);
}

function listTimed(map: TimedStates, scope: string) {
	return (map.get(scope) ?? []).filter(({ until }) => until > performance.now());
}

/** n8n itself tries to publish five times, and a person waits for a test run to begin. */
const patience = { timeoutMs: 8_000, maxRetries: 1 };
/** Includes retries and waits for a rate limit, but never cuts off a request that is under way. */
export const wholeMs = 12_000;

async function send(context: TriggerContext, request: ApiRequest): Promise<SubscriptionState> {
	const signal = AbortSignal.timeout(wholeMs);
	const client = await ApiClient.open(context, { concurrency: 1, requestsPerSecond: 0, signal });
	const reading = client.send(request, patience).then(readWholeState);
	return await reading.catch((error: unknown) => {
		if (isOfService(error)) error.description = hideTokens(error.description);
		else if (signal.aborted)
			throw new SubscriptionError('The service was too busy to respond in time', retryLater);
		throw error;
	});
}

function readWholeState(response: ApiResponse): SubscriptionState {
	// A setting that the response to a change leaves out counts as sent.
	const state = readState({ ...response.request.body, ...readSubscription(response) });
	if (state) return state;
	const id = readSubscriptionId(response.request);
	throw new SubscriptionError(
		`The service left out the URL or the events of webhook subscription ${id}, or whether it is active`,
		"Retry later. If it keeps happening, ask your service's support.",
	);
}

/** The service's text may hold URLs of this trigger and of others. Their tokens are long runs of hexadecimal digits. */
function hideTokens(text: string): string {
	return shortenUrls(text).replace(/[\da-f]{32,}/gi, '***');
}

/**
 * The webhook subscription that a request asked for or changed. A cache or a gateway may respond with another
 * subscription, whose settings would then replace the settings of this one.
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
