import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { parseUrl } from '../api/parseUrl';
import { enumerate } from '../api/enumerate';
import { readTimestamp } from '../api/serviceTime';
import { describeAddress } from '../parameters/describeUrl';
import { eventKinds } from '../parameters/eventKinds';

/**
 * How a record appears in a list: its name, and a detail that distinguishes records of the same name. The editor stores
 * both in the workflow and exports them, so they hold no status, no count and no secret of a URL.
 * It cuts off the end of what is wider than its list, so long names are shortened in the middle.
 */

/** Characters that the editor's list shows, and those that each part keeps at least. */
const width = 54;
const leastWidth = 16;

/** The accounts of one page of results. Only those that share a name show their domain. */
export function toAccounts(accounts: IDataObject[]): INodeListSearchItems[] {
	const isShared = findShared(accounts.map(({ name }) => text(name)));
	return accounts.map(({ accountId, name, domain }) =>
		entry(accountId, text(name) || text(domain), name && isShared(text(name)) ? domain : undefined),
	);
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
	const own = name.startsWith(pageName) ? name.slice(pageName.length) : name;
	return entry(audienceId, own.replace(/^[\s,:|–—-]+/, '') || name, undefined);
}

/** @param zone of the workflow */
export function toSession(
	{ audienceSessionId, sessionStartedAt, formSubmissionEmail }: IDataObject,
	zone: string,
): INodeListSearchItems {
	const start = DateTime.fromMillis(readTimestamp(sessionStartedAt) ?? NaN, { zone });
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
	const address = isOwn ? 'This n8n' : describeAddress(href);
	const room = width - ' ()'.length;
	const addressWidth = Math.min([...address].length, leastWidth);
	const kinds = describeEvents(events, room - addressWidth - endLength);
	const detail = `${kinds}, ${endOf(subscriptionId)}`;
	const shown = shortenMiddle(address, Math.max(leastWidth, room - [...detail].length));
	return { name: `${shown} (${detail})`, value: text(subscriptionId) };
}

const kindNames = new Map<string, string>(eventKinds.map(({ name, value }) => [value, name]));

/** The names of the events, as many as there is room for. null is taken for all events, as in the trigger. */
function describeEvents(events: unknown, most: number): string {
	if (events === null) return 'all events';
	if (!Array.isArray(events)) return 'no list of events';
	if (events.length === 0) return 'no events';
	const kinds = new Set(events.map(text));
	if ([...kindNames.keys()].every((kind) => kinds.has(kind))) return 'all events';
	const names = [...kinds].map((kind) => kindNames.get(kind) ?? kind);
	for (let count = Math.min(names.length, kindNames.size); count > 1; count--) {
		const named = enumerate(names, count);
		if ([...named].length <= most) return named;
	}
	const [first = '', ...others] = names;
	const more = others.length > 0 ? ` +${others.length}` : '';
	return shortenMiddle(first, most - more.length) + more;
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
	const isShared = findShared(entries.map(({ name }) => name));
	return entries.map(({ name, value }) => {
		if (!isShared(name) || name === value) return { name, value };
		const end = ` (${endOf(value)})`;
		return { name: shortenMiddle(name, width - end.length) + end, value };
	});
}

/** Tells which of the names occur more than once. */
function findShared(names: string[]): (name: string) => boolean {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return (name) => (counts.get(name) ?? 0) > 1;
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

/** Of the end of an ID, with what separates it. */
const endLength = ', …'.length + 6;

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
