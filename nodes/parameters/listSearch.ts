import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { RequestFailedError } from '../api/failure';
import { cursor as byCursor, readPage } from '../api/paginate';
import { type ApiPath, path } from '../api/path';
import { type ApiResponse, isObject, type QueryValue } from '../api/request';
import { readItems, readList } from '../api/response';
import {
	matches,
	text,
	toAccount,
	toAudience,
	toPage,
	toPerson,
	toSubscription,
} from './listEntry';

/** A person waits for the list, so that a slow or busy service is told soon. */
const patience = { timeoutMs: 15_000, maxRetries: 1 };

/** Pages that one look through a list reads for matches; the rest is read when the person scrolls on. */
const pagesPerLook = 10;

/** The function that fills one kind of resource locator. */
type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

interface List {
	/** What is listed, in the plural. */
	of: string;
	/** What to do when there is none. */
	whenEmpty: string;
	load: (
		this: ILoadOptionsFunctions,
		filter: string,
		cursor?: string,
	) => Promise<INodeListSearchResult>;
}

/** n8n shows the message of what is thrown in the list itself, where the person is looking, and nothing else of it. */
function defineList({ of, whenEmpty, load }: List): ListSearch {
	return async function (filter = '', cursor) {
		const list = await load.call(this, filter.trim(), cursor).catch((error: unknown) => {
			const advice = error instanceof RequestFailedError ? `. ${error.description}` : '';
			const message = error instanceof Error ? error.message : String(error);
			throw new NodeOperationError(this.getNode(), message + advice);
		});
		const isEmpty = list.results.length === 0 && !list.paginationToken && !cursor && !filter.trim();
		if (isEmpty) throw new NodeOperationError(this.getNode(), `There are no ${of}. ${whenEmpty}`);
		return list;
	};
}

export const searchAccounts = defineList({
	of: 'accounts',
	whenEmpty: 'Create one with Account > Create, or in the service.',
	async load(filter, cursor) {
		return await getPage(
			this,
			path`/accounts/search`,
			{ query: filter || undefined, cursor },
			toAccount,
		);
	},
});

export const searchPersons = defineList({
	of: 'persons',
	whenEmpty: 'Create one with Person > Create, or in the service.',
	async load(filter, cursor) {
		const at = filter ? path`/persons/search` : path`/persons`;
		return await getPage(this, at, { query: filter || undefined, cursor }, toPerson);
	},
});

export const searchPages = defineList({
	of: 'pages to show',
	// Whether a search without a text lists all pages is not documented, and no endpoint lists them.
	whenEmpty:
		'Type a word of the page to search for it. If there is no page yet, create one with Page > Create.',
	async load(filter) {
		const response = await get(this, path`/pages/search`, { query: filter || undefined });
		return { results: readItems(response).map(toPage) };
	},
});

export const searchAudiences = defineList({
	of: 'audiences on this page',
	whenEmpty: 'Create one in the service; the API cannot.',
	async load(filter, cursor) {
		const chosen: unknown = this.getCurrentNodeParameter('pageId');
		const pageId = text(isObject(chosen) ? chosen.value : chosen).trim();
		if (pageId === '') throw new NodeOperationError(this.getNode(), 'Choose a page first');
		const at = path`/pages/${pageId}/audiences`;
		// The API cannot search audiences, so they are read on until some match.
		let page = await getPage(this, at, { cursor }, toAudience);
		let results = page.results.filter(matches(filter));
		for (
			let read = 1;
			results.length === 0 && page.paginationToken && read < pagesPerLook;
			read++
		) {
			page = await getPage(this, at, { cursor: String(page.paginationToken) }, toAudience);
			results = page.results.filter(matches(filter));
		}
		return { ...page, results };
	},
});

export const searchSubscriptions = defineList({
	of: 'webhook subscriptions',
	whenEmpty: 'Create one in the service; the API cannot.',
	async load(filter) {
		const subscriptions = readList(await get(this, path`/webhook_subscriptions`));
		// The editor's address: n8n does not tell a list the one of its webhooks, which is nearly always the same.
		const base = this.getInstanceBaseUrl();
		const origin = URL.canParse(base) ? new URL(base).origin : undefined;
		const entries = subscriptions.map((subscription) => toSubscription(subscription, origin));
		return { results: entries.filter(matches(filter)) };
	},
});

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
	toEntry: (record: IDataObject) => INodeListSearchItems,
): Promise<INodeListSearchResult> {
	const { records, next, more } = readPage(await get(context, at, query), byCursor);
	return {
		results: records.map(toEntry),
		paginationToken: more && next !== undefined ? String(next) : undefined,
	};
}
