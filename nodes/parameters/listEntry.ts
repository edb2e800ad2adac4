import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { parseUrl } from '../api/parseUrl';
import { describeAddress } from './describeUrl';

/**
 * How a record appears in a list: its name, and a detail that distinguishes records of the same name. The editor stores
 * both in the workflow and exports them, so they hold only what stays: no status, no count and no secret of a URL.
 */

export function toAccount({ accountId, name, domain }: IDataObject): INodeListSearchItems {
	return entry(accountId, text(name) || text(domain), name ? domain : undefined);
}

export function toPerson({
	personId,
	name,
	email,
	domain,
	phoneNumber,
}: IDataObject): INodeListSearchItems {
	return entry(personId, name, email || domain || phoneNumber);
}

export function toPage({ pageId, name }: IDataObject): INodeListSearchItems {
	return entry(pageId, name, undefined);
}

export function toAudience({ audienceId, effectiveName }: IDataObject): INodeListSearchItems {
	return entry(audienceId, effectiveName, undefined);
}

/** @param zone of the workflow */
export function toSession(
	{ audienceSessionId, sessionStartedAt, formSubmissionEmail }: IDataObject,
	zone: string,
): INodeListSearchItems {
	const start = DateTime.fromISO(text(sessionStartedAt), { zone });
	const when = start.isValid ? start.toFormat('yyyy-MM-dd HH:mm') : text(sessionStartedAt);
	return entry(audienceSessionId, when, formSubmissionEmail);
}

/**
 * Whether the subscription is in use does not stay: the error that meets it says so.
 * @param ownOrigin of this n8n
 */
export function toSubscription(
	{ subscriptionId, url, events }: IDataObject,
	ownOrigin: string | undefined,
): INodeListSearchItems {
	const href = text(url);
	const isOwn = ownOrigin !== undefined && parseUrl(href)?.origin === ownOrigin;
	const count = Array.isArray(events) ? events.length : undefined;
	const kinds =
		count === undefined ? 'no list of events' : `${count} event${count === 1 ? '' : 's'}`;
	return entry(
		subscriptionId,
		isOwn ? 'This n8n' : describeAddress(href),
		`${kinds}, ${endOf(subscriptionId)}`,
	);
}

function entry(id: unknown, name: unknown, detail: unknown): INodeListSearchItems {
	const shown = text(name) || text(id);
	return { name: text(detail) ? `${shown} (${text(detail)})` : shown, value: text(id) };
}

/** Entries of the same name get the end of their ID. */
export function distinguish(entries: INodeListSearchItems[]): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map(({ name, value }) => ({
		name: (counts.get(name) ?? 0) > 1 && name !== value ? `${name} (${endOf(value)})` : name,
		value,
	}));
}

function endOf(id: unknown): string {
	return `…${text(id).slice(-6)}`;
}

/** @param more that the search finds although the entry does not show it */
export function matches(
	filter: string,
	{ name, value }: INodeListSearchItems,
	more: unknown = '',
): boolean {
	return `${name} ${text(value)} ${text(more)}`.toLowerCase().includes(filter.toLowerCase());
}

export function text(value: unknown): string {
	return value === null || value === undefined ? '' : String(value);
}
