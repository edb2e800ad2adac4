import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { readTimestamp } from '../api/timestamp';
import { eventKinds } from '../parameters/fields';
import { describeUrl, parseUrl } from '../runtime/url';

/**
 * How a record appears in a list: its name, and a detail that distinguishes records of the same name. The editor stores
 * both in the workflow and exports them, so they hold no status, no count and no secret of a URL.
 */

export const toAccount = ({ accountId, name, domain }: IDataObject) =>
	entry(accountId, name || domain, name ? domain : undefined);

export const toPerson = ({ personId, name, email, domain, phoneNumber }: IDataObject) =>
	entry(personId, name, email || domain || phoneNumber);

export const toPage = ({ pageId, name }: IDataObject) => entry(pageId, name);

export const toAudience = ({ audienceId, effectiveName }: IDataObject) =>
	entry(audienceId, effectiveName);

/** @param zone of the workflow */
export function toSession(
	{ audienceSessionId, sessionStartedAt, formSubmissionEmail }: IDataObject,
	zone: string,
): INodeListSearchItems {
	const start = DateTime.fromMillis(readTimestamp(sessionStartedAt) ?? NaN, { zone });
	const when = start.isValid ? start.toFormat('yyyy-MM-dd HH:mm') : sessionStartedAt;
	return entry(audienceSessionId, when, formSubmissionEmail);
}

/**
 * Not whether the subscription is in use, because that changes: the error for a used one says so.
 * @param ownOrigin of this n8n
 */
export function toSubscription(
	{ subscriptionId, url, events }: IDataObject,
	ownOrigin: string | undefined,
): INodeListSearchItems {
	const isOwn = ownOrigin !== undefined && parseUrl(text(url))?.origin === ownOrigin;
	// Without the scheme, because the editor cuts long entries.
	const address = isOwn ? 'This n8n' : describeUrl(text(url)).replace(/^https?:\/\//, '');
	return entry(subscriptionId, address, `${describeEvents(events)}, ${endOf(subscriptionId)}`);
}

const kindNames = new Map<string, string>(eventKinds.map(({ name, value }) => [value, name]));

/** The first of the events and how many more there are. null is taken for all events, as in the trigger. */
function describeEvents(events: unknown): string {
	const kinds = [...new Set(Array.isArray(events) ? events.map(text) : [])];
	const hasAll = [...kindNames.keys()].every((kind) => kinds.includes(kind));
	if (events === null || hasAll) return 'all events';
	const [first, ...others] = kinds;
	if (first === undefined) return 'no events';
	const name = kindNames.get(first) ?? first;
	return others.length > 0 ? `${name} +${others.length}` : name;
}

function entry(id: unknown, name: unknown, detail?: unknown): INodeListSearchItems {
	const shown = text(name) || text(id);
	return { name: text(detail) ? `${shown} (${text(detail)})` : shown, value: text(id) };
}

/** Entries of the same name get the end of their ID. */
export function distinguishEntries(entries: INodeListSearchItems[]): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map(({ name, value }) => {
		const isShared = (counts.get(name) ?? 0) > 1;
		return { name: isShared ? `${name} (${endOf(value)})` : name, value };
	});
}

const endOf = (id: unknown): string => `…${text(id).slice(-6)}`;

export function matches(filter: string, { name, value }: INodeListSearchItems): boolean {
	return [name, value].some((each) => text(each).toLowerCase().includes(filter.toLowerCase()));
}

export function text(value: unknown): string {
	return value === null || value === undefined ? '' : String(value);
}
