import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

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

export function toSubscription({ subscriptionId, url, active }: IDataObject): INodeListSearchItems {
	return entry(subscriptionId, url, active === true ? 'active' : 'inactive');
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
