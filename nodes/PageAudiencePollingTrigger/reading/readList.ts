import type { IDataObject } from 'n8n-workflow';
import {
	type AcceptedLimit,
	PageTooSlowError,
	type ReadPage,
	readPages,
	usualLimit,
} from '../../api/paginate';
import type { QueryValue } from '../../api/request';
import { toError } from '../../parameters/problem';
import type { PolledList } from '../open';
import type { Reading } from '../state/history';
import { noResponse } from './pollError';

interface Reader {
	/** @returns how much of the page was done before the deadline */
	takePage: (records: IDataObject[]) => Promise<'all' | 'some' | 'none'>;
	/** The list comes again from its beginning. */
	beginAgain: () => void;
}

/**
 * Reads a list page by page from where the reading stands, and keeps none of it.
 * @returns where the reading goes on, if the deadline ended it
 * @throws {PollError} when a poll gets nowhere
 */
export async function readList(
	list: PolledList,
	begun: Reading,
	accepted: AcceptedLimit,
	{ takePage, beginAgain }: Reader,
): Promise<Reading | undefined> {
	const { deadline } = list;
	let reading = begun;
	let pages = openPages(list, reading, accepted);
	let isFirst = true;
	let { position, limit } = reading;
	for (;;) {
		const rest = { ...reading, position, limit };
		const page = await deadline.keep(pages.next()).then(({ value }) => value ?? noPage, toError);
		const isResumed = isFirst && position !== undefined;
		// The API does not document how long it knows a position, and what it responds then.
		if (isResumed && (page instanceof Error || page.records.length === 0)) {
			beginAgain();
			reading = startOver(reading);
			if (deadline.isCause(page)) return reading;
			await list.reopen();
			pages = openPages(list, reading, accepted);
			({ position, limit } = reading);
			continue;
		}
		if (page instanceof Error) {
			if (!deadline.isCause(page)) throw page;
			return stopAt(rest, !isFirst || reading !== begun);
		}
		const done = await takePage(page.records);
		if (done !== 'all') return stopAt(rest, !isFirst || done === 'some');
		if (!page.more) return undefined;
		({ next: position, limit } = page);
		if (isResumed) reading = { ...reading, restarts: 0 };
		isFirst = false;
	}
}

/** A list that goes on has a page, or says why not. */
const noPage: ReadPage = { records: [], next: undefined, more: false, limit: Infinity };

function openPages(
	list: PolledList,
	{ from, position, limit = Infinity }: Reading,
	accepted: AcceptedLimit,
): AsyncGenerator<ReadPage, void> {
	const { paging } = list.event;
	return readPages({
		paging,
		accepted,
		wanted: Infinity,
		from: position === undefined ? undefined : { position, limit },
		fetchPage: async (query) => {
			const page = list.fetchPage(from, query);
			if (query[paging] !== undefined || !isLarge(query.limit)) return await page;
			const inTime = await list.deadline.keepHalf(page);
			if (inTime) return inTime;
			blamePageSize(accepted);
			throw new PageTooSlowError();
		},
	});
}

function isLarge(limit: QueryValue): boolean {
	return typeof limit === 'number' && limit > usualLimit;
}

/** The first page took longer than its reader can wait: the next lists ask for smaller ones. */
export function blamePageSize(accepted: AcceptedLimit): void {
	if (accepted.largest < Infinity) accepted.largest = Math.min(accepted.largest, usualLimit);
}

/** From the beginning of the list. What appeared since the reading began is still new. */
function startOver({ restarts = 0, startedAt, from, takesStock }: Reading): Reading {
	return { startedAt, from, takesStock, restarts: restarts + 1 };
}

function stopAt(rest: Reading, hasProgress: boolean): Reading {
	if (hasProgress) return rest;
	throw noResponse();
}
