import { parseUrl } from '../../api/parseUrl';
import { isTriggerUrl } from '../../api/triggerUrl';
import { normalizePath, readParameter, withParameter } from '../../api/url';
import { describeUrl } from '../../parameters/describeUrl';
import {
	deactivateInChain,
	isInChain,
	readPrevious,
	removeFromChain,
	withFingerprint,
	withPrevious,
} from './chain';
import { type Ownership, refuseInUse } from './ownership';
import { urlParameters } from './registeredUrl';
import { joinEvents, makeRestorable, type SubscriptionState } from './state';
import { readTestOrder, type TestOrder } from './testOrder';

/* What to change of a subscription, decided from whose it is and from the options. */

/**
 * The URL that the trigger registers. Without a token it is meant for a service that drops the query, so it has a query
 * only if somebody must find the previous owner there: another trigger, or a test run after a crash.
 */
export function makeRegisteredUrl(
	{ own, stored, isOurs, snapshot }: Ownership,
	token: string | undefined,
): string {
	let url = own.href;
	if (token !== undefined) {
		url = withParameter(url, urlParameters.token, token);
		const mark = isOurs && readParameter(stored.url, urlParameters.kept);
		if (snapshot) url = withFingerprint(url, snapshot);
		// n8n may still bring the snapshot back to which the fingerprint belongs.
		else if (mark) url = withParameter(url, urlParameters.kept, mark);
	}
	const previous = isOurs ? readPrevious(stored.url) : undefined;
	// The end of the chain is unknown. The chain stays, so that no older snapshot counts in its place.
	if (!snapshot) return previous ? withPrevious(url, previous) : url;
	// Another trigger has to find itself in the chain when it is unpublished.
	const isNeeded = own.isTest || previous || isTriggerUrl(snapshot.url);
	return isNeeded ? withPrevious(url, snapshot) : url;
}

/** How the trigger ends its use of a subscription. */
export interface ReleasePlan {
	wanted: SubscriptionState;
	/** What the person should know. */
	note?: string;
}

export const notes = {
	unknown: 'its original settings are unknown, so the trigger made it inactive',
	noEvents:
		'its list of events was null, which cannot be sent, so the trigger sets all events instead',
};

export type OnDeactivate = 'restore' | 'pause';

/** @returns undefined when the trigger has no part in the subscription */
export function planRelease(
	ownership: Ownership,
	onDeactivate: OnDeactivate,
): ReleasePlan | undefined {
	const { own, settled, snapshot, isOurs } = ownership;
	if (!isOurs) return planLeavingChain(ownership, onDeactivate);
	const inactive = { ...settled, active: false };
	if (onDeactivate === 'pause') return { wanted: inactive };
	if (!snapshot || !parseUrl(snapshot.url)) return { wanted: inactive, note: notes.unknown };
	const wanted = makeRestorable(snapshot);
	// This trigger is still in the chain where it has no snapshot to put in its own place.
	if (isInChain(snapshot, own)) return { wanted, note: notes.unknown };
	return { wanted, note: snapshot.events === null ? notes.noEvents : undefined };
}

/** Another trigger took over, and will restore this one's URL unless the chain says something else. */
function planLeavingChain(
	{ own, stored, saved }: Ownership,
	onDeactivate: OnDeactivate,
): ReleasePlan | undefined {
	if (!isInChain(stored, own)) return undefined;
	const isPaused = onDeactivate === 'pause';
	return {
		wanted: isPaused ? deactivateInChain(stored, own) : removeFromChain(stored, own, saved),
		note: `another workflow uses it, at ${describeUrl(stored.url)}, and restores it`,
	};
}

/** What a test run sets in a subscription. */
export type TestPlan =
	/** The published workflow keeps its URL, and sends copies. */
	| {
			kind: 'beside';
			/** The settings of the published workflow. */
			snapshot: SubscriptionState;
			order: TestOrder;
			wanted: SubscriptionState;
	  }
	/** The test run takes the subscription over, and passes on what the previous owner chose. */
	| {
			kind: 'takeOver';
			snapshot: SubscriptionState | undefined;
			wanted: Pick<SubscriptionState, 'events' | 'active'>;
	  };

/**
 * @param isPublished whether n8n takes deliveries at production's URL
 * @throws {SubscriptionError} when another receiver uses the subscription
 */
export function planTest(
	ownership: Ownership,
	{ events, takeOver }: { events: string[]; takeOver: boolean },
	isPublished: boolean,
): TestPlan {
	const { own, owner, settled, snapshot } = ownership;
	if (owner === 'production' && isPublished) {
		const { url, ...before } = settled;
		const during = before.events && joinEvents(before.events, events);
		return {
			kind: 'beside',
			snapshot: settled,
			order: { path: own.path, before, during },
			wanted: { url, events: during, active: true },
		};
	}
	if (owner !== 'production') refuseInUse(ownership, takeOver);
	const all = snapshot?.active ? joinEvents(snapshot.events, events) : events;
	return { kind: 'takeOver', snapshot, wanted: { events: all, active: true } };
}

/** How a test run ends; undefined when the subscription has nothing of it. */
export function planTestEnd(ownership: Ownership): ReleasePlan | undefined {
	const { own, owner, stored, settled } = ownership;
	if (owner !== 'production') return planRelease(ownership, 'restore');
	const order = readTestOrder(stored.url);
	const isThisRun = order && normalizePath(order.path) === normalizePath(own.path);
	return isThisRun ? { wanted: settled } : undefined;
}
