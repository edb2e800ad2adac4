import { isObject } from '../../api/request';
import { eventKinds } from '../../parameters/eventKinds';
import { isRewritten, isSameUrl } from '../../api/url';

/** What can be changed of a webhook subscription. */
export interface SubscriptionState {
	url: string;
	/** Which kinds null stands for is not documented. */
	events: string[] | null;
	active: boolean;
}

/** What a PATCH can send: no null is documented for it. */
export interface SubscriptionChange {
	url?: string;
	events?: string[];
	active?: boolean;
}

const allKinds: string[] = eventKinds.map(({ value }) => value);

/**
 * What a record of the service, or a note of this trigger, says of a subscription. Events that are left out are null.
 * @returns undefined where it does not say where the subscription delivers, or whether it does: taken for a setting,
 *   what is left out would replace the settings of the subscription's owner
 */
export function readState(value: unknown): SubscriptionState | undefined {
	if (!isObject(value)) return undefined;
	const { url, events, active } = value;
	if (typeof url !== 'string' || typeof active !== 'boolean') return undefined;
	if (Array.isArray(events)) return { url, events: events.map(String), active };
	return events === null || events === undefined ? { url, events: null, active } : undefined;
}

/**
 * What is sent to make a subscription what it should be: all of it. What the service shows may be late, so it does not
 * decide what is left out.
 */
export function toChange({ url, events, active }: SubscriptionState): SubscriptionChange {
	return { url, ...(events ? { events } : {}), active };
}

/** What of a change the service did not take, apart from its own way of writing URLs. */
export function findMissing(after: SubscriptionState, wanted: SubscriptionState): string[] {
	const { url, events, active } = wanted;
	const isUrl = isSameUrl(after.url, url) || isRewritten(url, after.url);
	const isEvents = events === null || isSameSet(after.events, events);
	const missing = { url: !isUrl, events: !isEvents, active: after.active !== active };
	return Object.entries(missing).flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}

export function isSameState(one: SubscriptionState, other: SubscriptionState): boolean {
	return isSameSet(one.events, other.events) && findMissing(one, other).length === 0;
}

/**
 * What can be sent to restore a snapshot. `events: null` cannot, so it becomes all kinds. If null stands for all of
 * them, no event is lost. Otherwise the receiver gets too many events, which is better than too few.
 */
export function makeRestorable({ url, events, active }: SubscriptionState): SubscriptionState {
	return { url, events: events ?? allKinds, active };
}

export function isSameSet(one: string[] | null, other: string[] | null): boolean {
	if (one === null || other === null) return one === other;
	const both = new Set([...one, ...other]).size;
	return new Set(one).size === both && new Set(other).size === both;
}

/** Both lists; null, which may stand for every kind, is taken for every kind. */
export function joinEvents(one: string[] | null, other: string[]): string[] {
	return [...new Set([...(one ?? allKinds), ...other])];
}
