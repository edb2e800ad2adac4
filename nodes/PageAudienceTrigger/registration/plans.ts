import { parseUrl } from '../../api/parseUrl';
import { describeUrl } from '../../parameters/describeUrl';
import { findKept, isInChain, leaveChain, pauseInChain, recall } from '../address/chain';
import { isOurs, locate, type OwnUrl } from '../address/ownUrl';
import { readTestOrder, type TestOrder, withoutTest } from '../address/testOrder';
import { normalizePath } from '../../api/url';
import { findReturn, joinEvents, type State } from './state';
import { SubscriptionError } from './subscriptionError';

/*
 * What to do with a subscription, decided from how it is, this trigger's URL, what was kept, and the options.
 * Nothing here sends or stores anything.
 */

/** @throws {SubscriptionError} when another receiver uses the subscription */
export function refuseInUse(remote: State, own: OwnUrl, takeOver: boolean): void {
	if (isOurs(own, remote.url) || !remote.active || takeOver) return;
	throw new SubscriptionError(
		`This webhook subscription is in use by ${describeReceiver(remote.url, own)}. Choose another one, or turn on Take Over: the other receiver then gets no events until you unpublish this workflow.`,
		'Nothing was changed.',
	);
}

export function describeReceiver(url: string, own: OwnUrl): string {
	const shown = describeUrl(url);
	if (locate(own, url) === 'moved')
		return `${shown}, which is this trigger's URL on another n8n: a copy of this n8n, or this n8n before its address changed`;
	return parseUrl(url)?.origin === own.origin
		? `${shown}, which is another webhook of this n8n`
		: shown;
}

export interface Plan {
	wanted: State;
	/** What the person should know. */
	note?: string;
}

export type OnDeactivate = 'restore' | 'pause';

/** How the trigger ends its use of a subscription; undefined when it has none. */
export function planGiveBack(
	remote: State,
	own: OwnUrl,
	kept: State | undefined,
	onDeactivate: OnDeactivate,
): Plan | undefined {
	if (!isOurs(own, remote.url)) return planChain(remote, own, kept, onDeactivate);
	const inactive: State = { ...withoutTest(remote), active: false };
	if (onDeactivate === 'pause') return { wanted: inactive };
	const before = recall(remote.url, own, kept);
	if (!before || !parseUrl(before.url)) {
		return { wanted: inactive, note: describeUnknown() };
	}
	// What is left of this trigger in the chain is what it knows nothing about.
	if (isInChain(before, own)) return { wanted: findReturn(before), note: describeUnknown() };
	return {
		wanted: findReturn(before),
		note: before.events === null ? describeNoEvents() : undefined,
	};
}

/** Another trigger took over: its URL says what it restores, and this trigger's own URL is not to be it. */
function planChain(
	remote: State,
	own: OwnUrl,
	kept: State | undefined,
	onDeactivate: OnDeactivate,
): Plan | undefined {
	if (!isInChain(remote, own)) return undefined;
	const wanted =
		onDeactivate === 'pause' ? pauseInChain(remote, own) : leaveChain(remote, own, kept);
	return {
		wanted,
		note: `another workflow uses it, at ${describeUrl(remote.url)}, and restores it`,
	};
}

export function describeUnknown(): string {
	return 'its settings from before are not known, so the trigger made it inactive';
}

export function describeNoEvents(): string {
	return 'its list of events was null, which cannot be sent, so the trigger puts all kinds in its place';
}

/** What a test run sets in a subscription. */
export type TestPlan =
	| { kind: 'beside'; order: TestOrder; wanted: State }
	| { kind: 'borrow'; kept: State | undefined; wanted: Pick<State, 'events' | 'active'> };

/**
 * A test run leaves production its URL: it only adds what makes production send copies, in whatever state the
 * subscription is. Otherwise it uses the subscription, with the events that its owner asked for too: they are passed on.
 * @throws {SubscriptionError} when another receiver uses it
 */
export function planTest(
	remote: State,
	own: OwnUrl,
	{ events, takeOver }: { events: string[]; takeOver: boolean },
	isPublished: boolean,
): TestPlan {
	const isProduction = locate(own, remote.url) === 'production';
	if (isProduction && isPublished) {
		// A crash may have left something of an earlier test run.
		const { url, ...before } = withoutTest(remote);
		const during = before.events && joinEvents(before.events, events);
		return {
			kind: 'beside',
			order: { path: own.path, before, during },
			wanted: { url, events: during, active: true },
		};
	}
	if (!isProduction) refuseInUse(remote, own, takeOver);
	const kept = findKept(isProduction ? withoutTest(remote) : remote, own, undefined);
	return {
		kind: 'borrow',
		kept,
		wanted: { events: kept?.active ? joinEvents(kept.events, events) : events, active: true },
	};
}

/** How a test run ends; undefined when the subscription has nothing of it. */
export function planTestEnd(remote: State, own: OwnUrl, kept: State | undefined): Plan | undefined {
	if (locate(own, remote.url) !== 'production') return planGiveBack(remote, own, kept, 'restore');
	const order = readTestOrder(remote.url);
	if (!order || normalizePath(order.path) !== normalizePath(own.path)) return undefined;
	return { wanted: withoutTest(remote) };
}
