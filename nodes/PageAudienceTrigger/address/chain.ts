import { hashText, writeCanonical } from '../../runtime/canonical';
import { parseUrl } from '../../api/parseUrl';
import { readState, type State } from '../registration/state';
import { isOurs, locate, type OwnUrl } from './ownUrl';
import { readHex, urlParameters, writeHex } from './registeredUrl';
import { normalizePath, readParameter, withParameter } from '../../api/url';

/*
 * Whose the subscription was before. A trigger keeps that in the workflow's static data, and a trigger that takes over
 * from another trigger also writes it into the URL that it registers, as `back`: owner, owner before, and so on. The
 * subscription is all that triggers of different workflows share, also across restarts and n8n instances. So a trigger
 * that is unpublished while another one has the subscription can take itself out of the chain, in whatever order they
 * end: what it kept takes its place. A test run always writes `back`, because a crash loses its memory.
 *
 * n8n can bring an older version of the static data back. `kept` in the URL, the fingerprint of what was kept when the
 * URL was registered, tells whether a kept state is still the one to restore. It tells nobody what that state was.
 */

export function readBack(url: string): State | undefined {
	const text = readParameter(url, urlParameters.back);
	return text === undefined ? undefined : readState(readHex(text));
}

export function withBack(url: string, before: State): string {
	return withParameter(url, urlParameters.back, writeHex(before));
}

export function withFingerprint(url: string, kept: State): string {
	return withParameter(url, urlParameters.kept, fingerprint(kept));
}

function fingerprint({ url, events, active }: State): string {
	return hashText(writeCanonical({ url, events, active })).slice(0, 16);
}

/** Whether a URL could be a trigger's, which may leave the chain before its successor does. */
export function isTriggerUrl(url: string): boolean {
	return /\/webhook$/.test(normalizePath(parseUrl(url)?.pathname ?? ''));
}

/**
 * The one place that decides what comes after a URL of this trigger's own: what the URL itself carries, else what was
 * kept when it was registered. Never again a URL of its own.
 * @param kept from the static data
 */
export function recall(url: string, own: OwnUrl, kept: State | undefined): State | undefined {
	const before = readBack(url) ?? (isKeptFor(url, kept) ? kept : undefined);
	if (!before) return undefined;
	// What was kept counts once, so that a chain that leads back to itself ends.
	const left = before === kept ? undefined : kept;
	return isOurs(own, before.url)
		? recall(before.url, own, left)
		: replaceOwn(before, own, (link) => replaceLink(link, own, left));
}

function isKeptFor(url: string, kept: State | undefined): boolean {
	const mark = readParameter(url, urlParameters.kept);
	// Some services do not keep a query.
	return kept !== undefined && (mark === undefined || mark === fingerprint(kept));
}

/**
 * The one place that decides what is kept before a subscription is used. A foreign state that is found replaces what
 * was kept before, except this trigger's own URL at an earlier address of n8n.
 */
export function findKept(remote: State, own: OwnUrl, kept: State | undefined): State | undefined {
	if (isOurs(own, remote.url)) return recall(remote.url, own, kept);
	if (locate(own, remote.url) === 'moved' && isKeptFor(remote.url, kept)) return kept;
	return leaveChain(remote, own, kept);
}

/** A foreign state without this trigger's own URL in its chain. The same object where it has none. */
export function leaveChain(remote: State, own: OwnUrl, kept: State | undefined): State {
	return replaceOwn(remote, own, (link) => replaceLink(link, own, kept));
}

/** A foreign state in whose chain this trigger's own URL is inactive. The same object where it has none. */
export function pauseInChain(remote: State, own: OwnUrl): State {
	return replaceOwn(remote, own, (link) => (link.active ? { ...link, active: false } : link));
}

export function isInChain(remote: State, own: OwnUrl): boolean {
	const before = readBack(remote.url);
	return before !== undefined && (isOurs(own, before.url) || isInChain(before, own));
}

/** Where nothing is known any more, nobody listens there any more either. */
function replaceLink(link: State, own: OwnUrl, kept: State | undefined): State {
	return recall(link.url, own, kept) ?? { ...link, active: false };
}

function replaceOwn(state: State, own: OwnUrl, replace: (link: State) => State): State {
	const before = readBack(state.url);
	if (!before) return state;
	const after = isOurs(own, before.url) ? replace(before) : replaceOwn(before, own, replace);
	return after === before ? state : { ...state, url: withBack(state.url, after) };
}
