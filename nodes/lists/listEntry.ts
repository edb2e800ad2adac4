import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { parseUrl } from '../api/parseUrl';
import { shorten } from '../api/shorten';
import { describeAddress } from '../parameters/describeUrl';

/**
 * How a record appears in a list: its name, and a detail that distinguishes records of the same name. The editor stores
 * both in the workflow and exports them, so they hold only what stays: no status, no count and no secret of a URL.
 * It cuts off the end of what is wider than its field, so long names are shortened in the middle.
 */

/** Characters that the editor's field shows, and those that each part keeps at least. */
const width = 38;
const leastWidth = 16;

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

/** @param pageName that many audiences have in front of their own name */
export function toAudience(
	{ audienceId, effectiveName }: IDataObject,
	pageName: string,
): INodeListSearchItems {
	const name = text(effectiveName);
	const own = pageName !== '' && name.startsWith(pageName) ? name.slice(pageName.length) : name;
	return entry(audienceId, own.replace(/^[\s,:|–—-]+/, '') || name, undefined);
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
	const detail = `(${endOf(subscriptionId)}, ${kinds})`;
	const address = isOwn ? 'This n8n' : describeAddress(href);
	const most = Math.max(leastWidth, width - detail.length - 1);
	// Addresses differ in their host, which comes first.
	const shown = address.length > most ? shorten(address, most - 1) : address;
	return { name: `${shown} ${detail}`, value: text(subscriptionId) };
}

function entry(id: unknown, name: unknown, detail: unknown): INodeListSearchItems {
	const shown = text(name) || text(id);
	const more = text(detail);
	if (more === '') return { name: shortenMiddle(shown, width), value: text(id) };
	const room = width - ' ()'.length;
	const nameWidth = Math.max(leastWidth, room - [...more].length);
	const first = shortenMiddle(shown, nameWidth);
	const detailWidth = Math.max(leastWidth, room - [...first].length);
	return { name: `${first} (${shortenMiddle(more, detailWidth)})`, value: text(id) };
}

/** Entries of the same name get the end of their ID. */
export function distinguishEntries(entries: INodeListSearchItems[]): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map(({ name, value }) => {
		if ((counts.get(name) ?? 0) < 2 || name === value) return { name, value };
		const end = ` (${endOf(value)})`;
		return { name: shortenMiddle(name, width - end.length) + end, value };
	});
}

/** Keeps more of the end, which is what names of a series differ in. */
function shortenMiddle(name: string, most: number): string {
	const characters = [...name];
	if (characters.length <= most) return name;
	const start = Math.floor((most - 1) / 3);
	const end = most - 1 - start;
	return `${characters.slice(0, start).join('').trimEnd()}…${characters.slice(-end).join('').trimStart()}`;
}

function endOf(id: unknown): string {
	return `…${text(id).slice(-6)}`;
}

/** @param more that the search finds although the entry does not show it, or not all of it */
export function matches(
	filter: string,
	{ name, value }: INodeListSearchItems,
	...more: unknown[]
): boolean {
	const searched = [name, value, ...more].map(text).join('\n');
	return searched.toLowerCase().includes(filter.toLowerCase());
}

export function text(value: unknown): string {
	return value === null || value === undefined ? '' : String(value);
}
