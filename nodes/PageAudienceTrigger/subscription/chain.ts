import { hashText, writeCanonical } from '../../runtime/canonical';
import { readParameter, withParameter } from '../../api/url';
import { isOurs, type OwnUrl } from './ownUrl';
import { readHex, urlParameters, writeHex } from './registeredUrl';
import { readState, type SubscriptionState } from './state';

/*
 * Who had the subscription before. A trigger that takes it over saves a snapshot, the settings of the previous owner, in
 * the workflow's static data. If the previous owner is a trigger too, the new one also writes the snapshot into the URL
 * that it registers, as `back`. The URL in that snapshot may have a `back` as well, and so on: that is the chain.
 *
 * Triggers of different workflows share nothing but the subscription, and it survives restarts. So a trigger that is
 * unpublished while another one has the subscription edits the chain there: it puts its own snapshot in the place of its
 * own URL. The last trigger then restores the first owner, in whatever order they end. A test run always writes `back`,
 * because a crash loses its memory.
 *
 * n8n can bring an older version of the static data back. So the URL also carries the fingerprint of the snapshot, as
 * `kept`. A saved snapshot with another fingerprint is outdated, and the trigger does not restore it.
 */

/** The settings of the owner before a URL, if the URL carries them. */
export function readPrevious(url: string): SubscriptionState | undefined {
	const text = readParameter(url, urlParameters.back);
	return text === undefined ? undefined : readState(readHex(text));
}

export function withPrevious(url: string, previous: SubscriptionState): string {
	return withParameter(url, urlParameters.back, writeHex(previous));
}

export function withFingerprint(url: string, snapshot: SubscriptionState): string {
	return withParameter(url, urlParameters.kept, fingerprint(snapshot));
}

function fingerprint({ url, events, active }: SubscriptionState): string {
	return hashText(writeCanonical({ url, events, active })).slice(0, 16);
}

/**
 * The one place that decides what comes after a URL of this trigger's own: the `back` of the URL, else the snapshot that
 * was saved for it. Never again a URL of its own.
 * @param saved from the static data
 */
export function recallSnapshot(
	url: string,
	own: OwnUrl,
	saved: SubscriptionState | undefined,
): SubscriptionState | undefined {
	const previous = readPrevious(url) ?? (isSavedFor(url, saved) ? saved : undefined);
	if (!previous) return undefined;
	// The saved snapshot counts once, so that a chain that leads back to itself ends.
	const left = previous === saved ? undefined : saved;
	return isOurs(own, previous.url)
		? recallSnapshot(previous.url, own, left)
		: removeFromChain(previous, own, left);
}

/** Whether a saved snapshot belongs to a registered URL. A service that drops the query leaves no fingerprint to compare. */
export function isSavedFor(url: string, saved: SubscriptionState | undefined): boolean {
	const mark = readParameter(url, urlParameters.kept);
	return saved !== undefined && (mark === undefined || mark === fingerprint(saved));
}

/** Whether another trigger took the subscription over from this one, directly or through others. */
export function isInChain(state: SubscriptionState, own: OwnUrl): boolean {
	const previous = readPrevious(state.url);
	return previous !== undefined && (isOurs(own, previous.url) || isInChain(previous, own));
}

/** Another owner's state, with this trigger's snapshot in the place of its URL. The same object if it is not in the chain. */
export function removeFromChain(
	state: SubscriptionState,
	own: OwnUrl,
	saved: SubscriptionState | undefined,
): SubscriptionState {
	return replaceOwn(
		state,
		own,
		// Without a snapshot, nobody knows whom to deliver to.
		(link) => recallSnapshot(link.url, own, saved) ?? { ...link, active: false },
	);
}

/** Another owner's state, in whose chain this trigger's own URL is inactive. */
export function deactivateInChain(state: SubscriptionState, own: OwnUrl): SubscriptionState {
	return replaceOwn(state, own, (link) => (link.active ? { ...link, active: false } : link));
}

function replaceOwn(
	state: SubscriptionState,
	own: OwnUrl,
	replace: (link: SubscriptionState) => SubscriptionState,
): SubscriptionState {
	const previous = readPrevious(state.url);
	if (!previous) return state;
	const next = isOurs(own, previous.url) ? replace(previous) : replaceOwn(previous, own, replace);
	return next === previous ? state : { ...state, url: withPrevious(state.url, next) };
}
