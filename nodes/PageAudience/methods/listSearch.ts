import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readItems, readList, readRecord } from '../../api/answer';
import { ApiClient } from '../../api/client';
import { type ApiPath, path } from '../../api/path';
import type { QueryValue } from '../../api/request';

/** What the resource locators list. A person waits for it, so that a slow or busy service is told soon. */
const patience = { timeoutMs: 15_000, maxRetries: 1 };

async function get(
	context: ILoadOptionsFunctions,
	at: ApiPath,
	query: Record<string, QueryValue> = {},
) {
	const client = await ApiClient.open(context, { concurrency: 1, requestsPerSecond: 0 });
	return await client.send({ method: 'GET', path: at, query }, patience);
}

/** One page of a list that the service searches, and the position of the next. */
async function getPage(
	context: ILoadOptionsFunctions,
	at: ApiPath,
	query: Record<string, QueryValue>,
	toEntry: (record: IDataObject) => { name: string; value: string },
): Promise<INodeListSearchResult> {
	const answer = await get(context, at, query);
	const { hasMore, nextCursor } = readRecord(answer);
	return {
		results: readItems(answer).map(toEntry),
		paginationToken:
			hasMore !== false && typeof nextCursor === 'string' && nextCursor !== ''
				? nextCursor
				: undefined,
	};
}

export async function searchAccounts(
	this: ILoadOptionsFunctions,
	filter?: string,
	cursor?: string,
): Promise<INodeListSearchResult> {
	return await getPage(
		this,
		path`/accounts/search`,
		{ query: filter || undefined, cursor },
		(account) => ({
			name: join(text(account.name), text(account.domain)),
			value: text(account.accountId),
		}),
	);
}

export async function searchPersons(
	this: ILoadOptionsFunctions,
	filter?: string,
	cursor?: string,
): Promise<INodeListSearchResult> {
	const at = filter ? path`/persons/search` : path`/persons`;
	return await getPage(this, at, { query: filter || undefined, cursor }, (person) => ({
		name: join(text(person.name), text(person.email) || text(person.domain)),
		value: text(person.personId),
	}));
}

export async function searchPages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const answer = await get(this, path`/pages/search`, { query: filter || undefined });
	return {
		results: readItems(answer).map((page) => ({
			name: join(text(page.name), `${text(page.audiencesCount) || 0} audiences`),
			value: text(page.pageId),
		})),
	};
}

export async function searchAudiences(
	this: ILoadOptionsFunctions,
	filter?: string,
	cursor?: string,
): Promise<INodeListSearchResult> {
	const pageId = text(this.getCurrentNodeParameter('pageId', { extractValue: true })).trim();
	if (pageId === '') return { results: [] };
	const page = await getPage(this, path`/pages/${pageId}/audiences`, { cursor }, (audience) => ({
		name: join(text(audience.effectiveName), text(audience.status)),
		value: text(audience.audienceId),
	}));
	return { ...page, results: page.results.filter(({ name }) => contains(name, filter)) };
}

export async function searchSubscriptions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const subscriptions = readList(await get(this, path`/webhook_subscriptions`));
	return {
		results: subscriptions
			.map((subscription) => ({
				name: join(text(subscription.url), subscription.active === true ? 'active' : 'inactive'),
				value: text(subscription.subscriptionId),
			}))
			.filter(({ name }) => contains(name, filter)),
	};
}

function text(value: unknown): string {
	return value === null || value === undefined ? '' : String(value);
}

function join(name: string, detail: string): string {
	return name && detail ? `${name} (${detail})` : name || detail;
}

function contains(name: string, filter = ''): boolean {
	return name.toLowerCase().includes(filter.trim().toLowerCase());
}
