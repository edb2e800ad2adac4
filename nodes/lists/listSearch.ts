import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';
import { openClient } from '../api/client';
import { readConnection } from '../api/connection';
import { RequestFailedError } from '../api/errors';
import { readListPage } from '../api/paginate';
import { type ApiResponse, at, type Query, type Target, GET } from '../api/request';
import { readItems, readBareList } from '../api/response';
import { readTimestamp } from '../api/timestamp';
import { isObject, toError } from '../runtime/unknown';
import { parseUrl } from '../runtime/url';
import {
	distinguishEntries,
	matches,
	text,
	toAccount,
	toAudience,
	toPage,
	toPerson,
	toSession,
	toSubscription,
} from './listEntry';

/** Someone is waiting for the list, so it fails soon if the service is slow or busy. */
const sendSettings = { timeoutMs: 15_000, maxRetries: 1 };

/** The API cannot search some lists: so many pages are read at once for an entry that matches. */
const pagesPerSearch = 20;
const searchedAtOnce = 100;

type LoadList = (
	this: ILoadOptionsFunctions,
	filter: string,
	cursor?: string,
) => Promise<INodeListSearchResult>;

/** n8n shows only the error's message, in the list itself. So the message includes the advice. */
function defineList(load: LoadList) {
	return async function (this: ILoadOptionsFunctions, filter = '', cursor?: string) {
		const list = await load.call(this, filter.trim(), cursor).catch((error: unknown) => {
			const advice = error instanceof RequestFailedError ? `. ${error.advise()}` : '';
			throw new NodeOperationError(this.getNode(), toError(error).message + advice);
		});
		return { ...list, results: distinguishEntries(list.results) };
	};
}

export const searchAccounts = defineList(async function (filter, cursor) {
	const query = { query: filter || undefined, cursor };
	return await getPage(this, at.account`/accounts/search`, query, toAccount);
});

export const searchPersons = defineList(async function (filter, cursor) {
	const target = filter ? at.person`/persons/search` : at.person`/persons`;
	return await getPage(this, target, { query: filter || undefined, cursor }, toPerson);
});

export const searchPages = defineList(async function (filter) {
	const response = await ask(this, at.page`/pages/search`, { query: filter || undefined });
	const results = readItems(response).map(toPage);
	// The API does not say whether a search without text returns all pages, and no endpoint lists them.
	if (results.length === 0 && !filter)
		throw new Error(
			'No pages found. Type a word to search for a page, or create one with Page > Create.',
		);
	return { results };
});

export const searchAudiences = defineList(async function (filter, cursor) {
	const target = at.page`/pages/${getChosenPage(this)}/audiences`;
	return await findInPages(this, target, { filter, cursor }, toAudience);
});

export const searchSessions = defineList(async function (filter, cursor) {
	const target = at.page`/pages/${getChosenPage(this)}/audience_sessions`;
	const zone = this.getTimezone();
	return await findInPages(this, target, { filter, cursor }, (session) => toSession(session, zone));
});

export const searchSubscriptions = defineList(async function (filter) {
	const subscriptions = readBareList(
		await ask(this, at.webhookSubscription`/webhook_subscriptions`),
	);
	// The editor's address: n8n does not tell a list the one of its webhooks, which is nearly always the same.
	const origin = parseUrl(this.getInstanceBaseUrl())?.origin;
	const entries = subscriptions.map((subscription) => toSubscription(subscription, origin));
	return { results: entries.filter((entry) => matches(filter, entry)) };
});

function getChosenPage(context: ILoadOptionsFunctions): string {
	const chosen: unknown = context.getCurrentNodeParameter('pageId');
	const id = text(isObject(chosen) ? chosen.value : chosen).trim();
	if (id === '') throw new Error('Choose a page first');
	return id;
}

async function ask(
	context: ILoadOptionsFunctions,
	target: Target,
	query: Query = {},
): Promise<ApiResponse> {
	const client = openClient(context, await readConnection(context), { isUrgent: true });
	return await client.send(GET(target, query), sendSettings);
}

/** One page of a list. Records that have a time come with the latest first. */
async function getPage(
	context: ILoadOptionsFunctions,
	target: Target,
	query: Query,
	toEntry: (record: IDataObject) => INodeListSearchItems,
): Promise<INodeListSearchResult> {
	const { records, more, next } = readListPage(await ask(context, target, query), 'cursor');
	const timeOf = ({ sessionStartedAt }: IDataObject) => readTimestamp(sessionStartedAt) ?? 0;
	const sorted = records.sort((one, other) => timeOf(other) - timeOf(one));
	return {
		results: sorted.map(toEntry),
		paginationToken: more && next !== undefined ? String(next) : undefined,
	};
}

/** The first page of a list with an entry that matches. */
async function findInPages(
	context: ILoadOptionsFunctions,
	target: Target,
	{ filter, cursor }: { filter: string; cursor?: string },
	toEntry: (record: IDataObject) => INodeListSearchItems,
): Promise<INodeListSearchResult> {
	let found: INodeListSearchResult = { results: [], paginationToken: cursor };
	for (let count = 0; count < pagesPerSearch && found.results.length === 0; count++) {
		const query = { cursor: found.paginationToken as string | undefined, limit: searchedAtOnce };
		const { results, paginationToken } = await getPage(context, target, query, toEntry);
		found = { results: results.filter((entry) => matches(filter, entry)), paginationToken };
		if (paginationToken === undefined) break;
	}
	return found;
}
