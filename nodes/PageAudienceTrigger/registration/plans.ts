import { readBack } from '../back';
import { isOwn, locate, type OwnUrl, type Place } from './ownUrl';
import { isSameUrl, parseUrl, withoutQuery } from '../url';
import { type Change, findReturn, type State } from './state';

/*
 * What to do with a subscription, decided from how it is, this trigger's URL, what was kept, and the options.
 * Nothing here sends or stores anything.
 */

/** A subscription that is not taken. The message says what happened, the description what to do. */
export class NotBorrowed extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.description = description;
	}
}

/**
 * What has to be kept before the subscription is borrowed: how it was, or what a test left in its own URL;
 * never a URL of this trigger's own.
 * @throws {NotBorrowed} when somebody else uses it
 */
export function findKept(remote: State, own: OwnUrl, takeOver: boolean): State | undefined {
	const place = locate(own, remote.url);
	if (isOwn(place)) return dropOwn(readBack(remote.url), own);
	if (remote.active && !takeOver) refuse(remote, own, place);
	return remote;
}

/** Giving back a URL of this trigger's own would be no giving back; an earlier address of this n8n may be one again. */
function dropOwn(state: State | undefined, own: OwnUrl): State | undefined {
	return state && !isOwn(locate(own, state.url)) ? state : undefined;
}

function refuse(remote: State, own: OwnUrl, place: Place): never {
	const whose =
		place === 'moved'
			? ", which is this trigger's URL on another n8n: a copy of this one, or this one before its address changed"
			: parseUrl(remote.url)?.origin === own.origin
				? ', which is another webhook of this n8n'
				: '';
	throw new NotBorrowed(
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

/** A URL for messages and the log: whoever reads them must not learn the secrets in its query. */
export function describeUrl(href: string): string {
	const url = parseUrl(href);
	return url ? `${url.origin}${url.pathname}` : 'no usable URL';
}
