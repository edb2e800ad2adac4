import type { IDataObject } from 'n8n-workflow';
import { type AcceptedLimit, ListReader, PageTooSlowError } from '../../api/paginate';
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
	let reader = openReader(list, reading, accepted);
	let isFirst = true;
	while (!reader.isDone) {
		const rest = { ...reading, position: reader.position, limit: reader.limit };
		const page = await deadline.keep(reader.fetch()).catch(toError);
		const isResumed = isFirst && reader.position !== undefined;
		// The API does not document how long it knows a position, and what it responds then.
		if (isResumed && (page instanceof Error || page.records.length === 0)) {
			beginAgain();
			reading = startOver(reading);
			if (deadline.isCause(page)) return reading;
			await list.reopen();
			reader = openReader(list, reading, accepted);
			continue;
		}
		if (page instanceof Error) {
			if (!deadline.isCause(page)) throw page;
			return stopAt(rest, !isFirst || reading !== begun);
		}
		const done = await takePage(page.records);
		if (done !== 'all') return stopAt(rest, !isFirst || done === 'some');
		reader.take(page);
		if (isResumed) reading = { ...reading, restarts: 0 };
		isFirst = false;
	}
	return undefined;
}

function openReader(
	list: PolledList,
	{ from, position, limit = Infinity }: Reading,
	accepted: AcceptedLimit,
): ListReader {
	const reader: ListReader = new ListReader({
		paging: list.event.paging,
		accepted,
		fetchPage: async (query) => {
			const page = list.fetchPage(from, query);
			if (!reader.isLarge) return await page;
			const inTime = await list.deadline.keepHalf(page);
			if (inTime) return inTime;
			reader.blamePageSize();
			throw new PageTooSlowError();
		},
		wanted: Infinity,
		// Only what is new is kept, by takePage: a list of 100,000 would fill the memory of n8n.
		onRecords: () => undefined,
	});
	return position === undefined ? reader : Object.assign(reader, { position, limit });
}

/** From the beginning of the list. What appeared since the reading began is still new. */
function startOver({ restarts = 0, startedAt, from, takesStock }: Reading): Reading {
	return { startedAt, from, takesStock, restarts: restarts + 1 };
}

function stopAt(rest: Reading, hasProgress: boolean): Reading {
	if (hasProgress) return rest;
	throw noResponse();
}
