import { locate, type OwnUrl } from './registration/ownUrl';
import { readParameter, withoutParameter, withParameter } from './url';
import { isSameSet, joinEvents, type State } from './registration/state';
import { findKept, type GiveBack, planGiveBack } from './registration/plans';

/** What a test sets in a subscription, and how it is recognized when it ends. */
export type TestPlan =
	| { kind: 'beside'; wanted: State }
	| { kind: 'borrow'; kept: State | undefined; events: string[] };

/**
 * Beside production, only a parameter is added that makes production send copies here. Otherwise the subscription
 * is borrowed, with the events that whoever had it asked for too: they are passed on.
 * @throws {NotBorrowed} when somebody else uses it
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
				url: withParameter(remote.url, testParameter, own.path),
				events: remote.events && joinEvents(remote.events, events),
				active: true,
			},
		};
	}
	const kept = findKept(remote, own, takeOver);
	return { kind: 'borrow', kept, events: kept?.active ? joinEvents(kept.events, events) : events };
}

/** Names the path, of this trigger's own origin, that gets copies while somebody listens for a test event. */
export const testParameter = 'test';

/** What a test remembers until it ends; n8n loses it with its process. */
export interface TestMemory {
	subscriptionId: string;
	kept?: State;
	/** The events before a test beside production, and during it. */
	events?: { before: string[] | null; during: string[] | null };
}

/** How a test ends; undefined when the subscription has nothing of it. */
export function planTestEnd(
	remote: State,
	own: OwnUrl,
	{ kept, events }: Partial<TestMemory>,
): GiveBack | undefined {
	const place = locate(own, remote.url);
	if (place === 'test') return planGiveBack(remote, own, kept, 'restore');
	if (place !== 'production' || readParameter(remote.url, testParameter) !== own.path)
		return undefined;
	// Somebody may have chosen other events meanwhile.
	const isUntouched = events?.before && isSameSet(remote.events, events.during);
	return {
		change: {
			url: withoutParameter(remote.url, testParameter),
			...(isUntouched && !isSameSet(events.before, remote.events)
				? { events: events.before ?? [] }
				: {}),
		},
	};
}
