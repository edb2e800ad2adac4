import type { IDataObject } from 'n8n-workflow';
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

/** Tolerant of what else the service may send: a missing `active` is not active, missing events are null. */
export function toState({ url, events, active }: IDataObject): SubscriptionState {
	return {
		url: typeof url === 'string' ? url : '',
		events: Array.isArray(events) ? events.map(String) : null,
		active: active === true,
	};
}

/** A state that was written down, or undefined when it is not one. */
export function readState(value: unknown): SubscriptionState | undefined {
	if (!isObject(value)) return undefined;
	const { url, events, active } = value;
	const isState =
		typeof url === 'string' &&
		(events === null || Array.isArray(events)) &&
		typeof active === 'boolean';
	return isState ? toState(value as IDataObject) : undefined;
}

/** What has to be sent to get from one state to another: nothing that is the same already. */
export function findChange(from: SubscriptionState, to: SubscriptionState): SubscriptionChange {
	return {
		...(isSameUrl(from.url, to.url) ? {} : { url: to.url }),
		...(to.events === null || isSameSet(from.events, to.events) ? {} : { events: to.events }),
		...(from.active === to.active ? {} : { active: to.active }),
	};
}

/** What of a change the service did not take, apart from its own way of writing URLs. */
export function findMissing(after: SubscriptionState, wanted: SubscriptionState): string[] {
	const { url, ...rest } = findChange(after, wanted);
	const isTaken = url === undefined || isRewritten(url, after.url);
	return [...(isTaken ? [] : ['url']), ...Object.keys(rest)];
}

/**
 * What can be sent to restore a snapshot. `events: null` cannot, so it becomes all kinds. If null stands for all of
 * them, no event is lost. Otherwise the receiver gets too many events, which is better than too few.
 */
export function makeRestorable({ url, events, active }: SubscriptionState): SubscriptionState {
	return { url, events: events ?? allKinds, active };
}

export function isEmpty(change: SubscriptionChange): boolean {
	return Object.keys(change).length === 0;
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
