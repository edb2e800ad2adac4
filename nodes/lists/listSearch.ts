import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { type ListPage, readListPage, readPages, startLimit } from '../api/paginate';
import { parseUrl } from '../api/parseUrl';
import { type ApiPath, path } from '../api/path';
import { type ApiResponse, isObject, type QueryValue } from '../api/request';
import { isOfService, readItems, readBareList } from '../api/response';
import { readTimestamp } from '../api/serviceTime';
import { describeAddress } from '../parameters/describeUrl';
import { toError } from '../parameters/problem';
import { readLatestFirst } from './latestFirst';
import {
	distinguishEntries,
	matches,
	text,
	toAccounts,
	toAudience,
	toPage,
	toPerson,
	toSession,
	toSubscription,
} from './listEntry';

/** Someone is waiting for the list, so it fails soon if the service is slow or busy. */
const patience = { timeoutMs: 15_000, maxRetries: 1 };

/** Matches that fill the list, so that scrolling reads on, and pages to read for them at once. */
const enoughMatches = 50;
const pagesPerSearch = 40;

/** A person waits for them, and the service may return no more than a hundred per request. */
const sessionsAtOnce = 1_000;

interface List {
	/** Completes "No …", for example "No accounts found". */
	of: string;
	/** What to do if the list is empty. */
	whenEmpty: string;
	load: (
		this: ILoadOptionsFunctions,
		filter: string,
		cursor?: string,
	) => Promise<INodeListSearchResult>;
}

/** n8n shows only the error's message, in the list itself. So the message includes the advice. */
function defineList({ of, whenEmpty, load }: List) {
	return async function (this: ILoadOptionsFunctions, filter = '', cursor?: string) {
		const list = await load.call(this, filter.trim(), cursor).catch((error: unknown) => {
			const advice = isOfService(error) ? `. ${error.description}` : '';
			throw new NodeOperationError(this.getNode(), toError(error).message + advice);
		});
		const isEmpty = list.results.length === 0 && !list.paginationToken && !cursor && !filter.trim();
		if (isEmpty) throw new NodeOperationError(this.getNode(), `No ${of}. ${whenEmpty}`);
		return { ...list, results: distinguishEntries(list.results) };
	};
}

export const searchAccounts = defineList({
	of: 'accounts found',
	whenEmpty: 'Create one with Account > Create or in the service.',
	async load(filter, cursor) {
		const query = { query: filter || undefined, cursor };
		return await getPage(this, path`/accounts/search`, query, toAccounts);
	},
});

export const searchPersons = defineList({
	of: 'people found',
	whenEmpty: 'Create a person with Person > Create or in the service.',
	async load(filter, cursor) {
		const at = filter ? path`/persons/search` : path`/persons`;
		const query = { query: filter || undefined, cursor };
		return await getPage(this, at, query, (persons) => persons.map(toPerson));
	},
});

export const searchPages = defineList({
	of: 'pages found',
	// The API does not say whether a search without text returns all pages, and no endpoint lists them.
	whenEmpty: 'Type a word to search for a page, or create one with Page > Create.',
	async load(filter) {
		const response = await get(this, path`/pages/search`, { query: filter || undefined });
		return { results: readItems(response).map(toPage) };
	},
});

export const searchAudiences = defineList({
	of: 'audiences on this page',
	whenEmpty: 'Create one in the service.',
	async load(filter, cursor) {
		const page = getChosenPage(this);
		const at = path`/pages/${page.id}/audiences`;
		// The API cannot search audiences, so pages are read until enough of them match.
		const results: INodeListSearchItems[] = [];
		let next = cursor;
		for (let read = 0; read < pagesPerSearch; read++) {
			const listed = readListPage(await get(this, at, { cursor: next }), 'cursor');
			for (const record of listed.records) {
				const entry = toAudience(record, page.name);
				if (matches(filter, entry, record.effectiveName, record.status)) results.push(entry);
			}
			next = writeToken(listed);
			if (next === undefined || !filter || results.length >= enoughMatches) break;
		}
		return { results, paginationToken: next };
	},
});

export const searchSessions = defineList({
	of: 'sessions on this page',
	whenEmpty: 'A session appears when someone visits the page.',
	async load(filter, token) {
		const at = path`/pages/${getChosenPage(this).id}/audience_sessions`;
		const accepted = startLimit();
		const toEntry = (session: IDataObject) => toSession(session, this.getTimezone());
		const { records, token: next } = await readLatestFirst(
			{
				read: async ({ startDate, endDate }) =>
					await readPages({
						paging: 'cursor',
						wanted: sessionsAtOnce,
						accepted,
						fetchPage: async (position) => await get(this, at, { startDate, endDate, ...position }),
					}),
				timeOf: ({ sessionStartedAt }) => readTimestamp(sessionStartedAt) ?? NaN,
				isWanted: (session) => matches(filter, toEntry(session), session.formSubmissionEmail),
			},
			token,
		);
		return { results: records.map(toEntry), paginationToken: next };
	},
});

export const searchSubscriptions = defineList({
	of: 'webhook subscriptions found',
	whenEmpty: 'Create one in the service.',
	async load(filter) {
		const subscriptions = readBareList(await get(this, path`/webhook_subscriptions`));
		// The editor's address: n8n does not tell a list the one of its webhooks, which is nearly always the same.
		const origin = parseUrl(this.getInstanceBaseUrl())?.origin;
		const entries = subscriptions.map((subscription) => ({
			entry: toSubscription(subscription, origin),
			address: describeAddress(text(subscription.url)),
		}));
		const found = entries.filter(({ entry, address }) => matches(filter, entry, address));
		return { results: found.map(({ entry }) => entry) };
	},
});

/** The name is known when the page was chosen from its list. */
function getChosenPage(context: ILoadOptionsFunctions): { id: string; name: string } {
	const chosen: unknown = context.getCurrentNodeParameter('pageId');
	const { value, cachedResultName } = isObject(chosen)
		? chosen
		: { value: chosen, cachedResultName: undefined };
	const id = text(value).trim();
	if (id === '') throw new NodeOperationError(context.getNode(), 'Choose a page first');
	return { id, name: text(cachedResultName) };
}

async function get(
	context: ILoadOptionsFunctions,
	at: ApiPath,
	query: Record<string, QueryValue> = {},
): Promise<ApiResponse> {
	const client = await ApiClient.open(context, { concurrency: 1, requestsPerSecond: 0 });
	return await client.send({ method: 'GET', path: at, query }, patience);
}

async function getPage(
	context: ILoadOptionsFunctions,
	at: ApiPath,
	query: Record<string, QueryValue>,
	toEntries: (records: IDataObject[]) => INodeListSearchItems[],
): Promise<INodeListSearchResult> {
	const page = readListPage(await get(context, at, query), 'cursor');
	return { results: toEntries(page.records), paginationToken: writeToken(page) };
}

function writeToken({ more, next }: ListPage): string | undefined {
	return more && next !== undefined ? String(next) : undefined;
}
