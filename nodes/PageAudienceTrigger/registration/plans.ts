import {
	describeUrl,
	isSameUrl,
	parseUrl,
	readParameter,
	withoutParameter,
	withoutQuery,
	withParameter,
} from '../url';
import type { TestMemory } from './memory';
import { isOwn, locate, type OwnUrl, type Place } from './ownUrl';
import { readBack, urlParameters } from './registeredUrl';
import { type Change, findReturn, isSameSet, joinEvents, type State } from './state';
import { SubscriptionError } from './subscriptionError';

/*
 * What to do with a subscription, decided from how it is, this trigger's URL, what was kept, and the options.
 * Nothing here sends or stores anything.
 */

/**
 * What has to be kept before the subscription is borrowed: how it was, or what a test left in its own URL;
 * never a URL of this trigger's own.
 * @throws {SubscriptionError} when somebody else uses it
 */
export function findKept(remote: State, own: OwnUrl, takeOver: boolean): State | undefined {
	const place = locate(own, remote.url);
	if (isOwn(place)) return dropOwn(readBack(remote.url), own);
	if (remote.active && !takeOver) refuseInUse(remote, own, place);
	return remote;
}

/** Giving back a URL of this trigger's own would be no giving back; an earlier address of this n8n may be one again. */
function dropOwn(state: State | undefined, own: OwnUrl): State | undefined {
	return state && !isOwn(locate(own, state.url)) ? state : undefined;
}

function refuseInUse(remote: State, own: OwnUrl, place: Place): never {
	const whose =
		place === 'moved'
			? ", which is this trigger's URL on another n8n: a copy of this one, or this one before its address changed"
			: parseUrl(remote.url)?.origin === own.origin
				? ', which is another webhook of this n8n'
				: '';
	throw new SubscriptionError(
		`The webhook subscription is active and delivers to ${describeUrl(remote.url)}${whose}. To use it all the same, switch on 'Options > Take Over'`,
		'Nothing was changed. Choose another subscription, or switch on Take Over: then nobody hears of events at that address until the subscription is given back.',
	);
}

/** Whether the service has the URL without its query. */
export function isQueryLost(wanted: string, got: string): boolean {
	return !isSameUrl(wanted, got) && isSameUrl(withoutQuery(wanted), got);
}

export interface GiveBack {
	change: Change;
	/** What the person should know. */
	note?: string;
}

/** How a subscription that this trigger borrowed is given back; undefined when it is no longer its to give. */
export function planGiveBack(
	remote: State,
	own: OwnUrl,
	kept: State | undefined,
	onDeactivate: 'restore' | 'pause',
): GiveBack | undefined {
	if (!isOwn(locate(own, remote.url))) return undefined;
	const inactive: Change = remote.active ? { active: false } : {};
	if (onDeactivate === 'pause') return { change: inactive };
	const before = dropOwn(kept ?? readBack(remote.url), own);
	if (!before || !parseUrl(before.url))
		return { change: inactive, note: 'how it was before is not known, so it was made inactive' };
	return {
		change: findReturn(before),
		note: before.events === null ? describeNoEvents() : undefined,
	};
}

export function describeNoEvents(): string {
	return 'its list of events was null, which the API cannot be sent: all kinds are put in its place';
}

/** What a test sets in a subscription, and how it is recognized when it ends. */
export type TestPlan =
	| { kind: 'beside'; wanted: State }
	| { kind: 'borrow'; kept: State | undefined; events: string[] };

/**
 * Beside production, only a parameter is added that makes production send copies here. Otherwise the subscription
 * is borrowed, with the events that whoever had it asked for too: they are passed on.
 * @throws {SubscriptionError} when somebody else uses it
 */
export function planTest(
	remote: State,
	own: OwnUrl,
	{ events, takeOver }: { events: string[]; takeOver: boolean },
	isPublished: boolean,
): TestPlan {
	if (isPublished && locate(own, remote.url) === 'production' && remote.active) {
		return {
			kind: 'beside',
			wanted: {
				url: withParameter(remote.url, urlParameters.test, own.path),
				events: remote.events && joinEvents(remote.events, events),
				active: true,
			},
		};
	}
	const kept = findKept(remote, own, takeOver);
	return { kind: 'borrow', kept, events: kept?.active ? joinEvents(kept.events, events) : events };
}

/** How a test ends; undefined when the subscription has nothing of it. */
export function planTestEnd(
	remote: State,
	own: OwnUrl,
	{ kept, events }: Partial<TestMemory>,
): GiveBack | undefined {
	const place = locate(own, remote.url);
	if (place === 'test') return planGiveBack(remote, own, kept, 'restore');
	if (place !== 'production' || readParameter(remote.url, urlParameters.test) !== own.path)
		return undefined;
	// Somebody may have chosen other events meanwhile.
	const isUntouched = events?.before && isSameSet(remote.events, events.during);
	return {
		change: {
			url: withoutParameter(remote.url, urlParameters.test),
			...(isUntouched && !isSameSet(events.before, remote.events)
				? { events: events.before ?? [] }
				: {}),
		},
	};
}
