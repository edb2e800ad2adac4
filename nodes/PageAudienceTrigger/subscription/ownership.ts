import { parseUrl } from '../../api/parseUrl';
import { describeUrl } from '../../parameters/describeUrl';
import { isInChain, isSavedFor, recallSnapshot, removeFromChain } from './chain';
import { findOwner, isOurs, isOwn, type OwnUrl, type UrlOwner } from './ownUrl';
import type { SubscriptionState } from './state';
import { SubscriptionError } from './subscriptionError';
import { withoutTest } from './testOrder';

/** Whose a subscription is, as one trigger sees it. What the trigger changes follows from this value alone. */
export interface Ownership {
	/** This trigger. */
	own: OwnUrl;
	/** The subscription as the service has it. */
	stored: SubscriptionState;
	/** The same without what a test run of this trigger added beside the published workflow. */
	settled: SubscriptionState;
	/** Who has it. */
	owner: UrlOwner;
	/** Whether this trigger has it, and restores it at its end. */
	isOurs: boolean;
	/** The settings of the previous owner: what this trigger restores, or would restore if it took over now. */
	snapshot?: SubscriptionState;
	/** The snapshot in the static data, which may be outdated. */
	saved?: SubscriptionState;
}

/** @param saved from the static data */
export function readOwnership(
	own: OwnUrl,
	stored: SubscriptionState,
	saved?: SubscriptionState,
): Ownership {
	const { url } = stored;
	const owner = findOwner(own, url);
	const settled = isOwn(own, url) ? withoutTest(stored) : stored;
	const known = { own, stored, settled, owner, saved };
	if (isOurs(own, url))
		return { ...known, isOurs: true, snapshot: recallSnapshot(url, own, saved) };
	// This trigger's own URL from before n8n's address changed is no previous owner. Everything else replaces what was
	// saved, because a person may have pointed the subscription elsewhere.
	const isStillSaved = owner === 'moved' && isSavedFor(url, saved);
	const snapshot = isStillSaved ? saved : removeFromChain(settled, own, saved);
	return { ...known, isOurs: false, snapshot };
}

/** Whether the trigger has something to restore there, whatever its static data says. */
export function isUsedBy(own: OwnUrl, state: SubscriptionState): boolean {
	// A test run that is under way ends itself: production must not do that, nor the other way round.
	const owner = own.isTest ? 'test' : 'production';
	return findOwner(own, state.url) === owner || isInChain(state, own);
}

/** @throws {SubscriptionError} when another receiver uses the subscription */
export function refuseInUse({ own, stored, isOurs }: Ownership, takeOver: boolean): void {
	if (isOurs || !stored.active || takeOver) return;
	throw new SubscriptionError(
		`This webhook subscription is in use by ${describeReceiver(stored.url, own)}. Choose another one, or turn on Options > Take Over: the other receiver then gets no events until you unpublish this workflow.`,
		'Nothing was changed.',
	);
}

export function describeReceiver(url: string, own: OwnUrl): string {
	const shown = describeUrl(url);
	if (findOwner(own, url) === 'moved')
		return `${shown}, which is this trigger's URL on another n8n: a copy of this n8n, or this n8n before its address changed`;
	return parseUrl(url)?.origin === own.origin
		? `${shown}, which is another webhook of this n8n`
		: shown;
}
