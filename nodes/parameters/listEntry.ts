import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { describeAddress } from './describeUrl';

/** How a record appears in a list: its name, and a detail that distinguishes records of the same name. */

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

export function toPage({ pageId, name, audiencesCount }: IDataObject): INodeListSearchItems {
	return entry(
		pageId,
		name,
		audiencesCount === 1 ? '1 audience' : `${text(audiencesCount) || 'no'} audiences`,
	);
}

export function toAudience({
	audienceId,
	effectiveName,
	status,
}: IDataObject): INodeListSearchItems {
	return entry(audienceId, effectiveName, status);
}

/**
 * The editor stores the name in the workflow, and exports it. So it holds no secret of the URL, and nothing that changes,
 * such as whether the subscription is in use: the error that meets it says so.
 * @param ownOrigin of this n8n
 */
export function toSubscription(
	{ subscriptionId, url, events }: IDataObject,
	ownOrigin: string | undefined,
): INodeListSearchItems {
	const href = text(url);
	const isOwn = URL.canParse(href) && new URL(href).origin === ownOrigin;
	const count = Array.isArray(events) ? events.length : undefined;
	const kinds =
		count === undefined ? 'no list of events' : `${count} event${count === 1 ? '' : 's'}`;
	const end = text(subscriptionId).slice(-6);
	return entry(subscriptionId, isOwn ? 'This n8n' : describeAddress(href), `${kinds}, …${end}`);
}

function entry(id: unknown, name: unknown, detail: unknown): INodeListSearchItems {
	const shown = text(name) || text(id);
	return { name: text(detail) ? `${shown} (${text(detail)})` : shown, value: text(id) };
}

export function matches(filter: string): (item: INodeListSearchItems) => boolean {
	return ({ name, value }) => `${name} ${text(value)}`.toLowerCase().includes(filter.toLowerCase());
}

export function text(value: unknown): string {
	return value === null || value === undefined ? '' : String(value);
}
