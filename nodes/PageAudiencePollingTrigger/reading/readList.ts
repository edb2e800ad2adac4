import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { type AcceptedLimit, ListReader } from '../../api/paginate';
import type { PolledList } from '../open';
import type { Reading } from '../state/history';
import { PollError } from './pollError';

/**
 * Reads a list page by page from where the reading stands, and keeps none of it.
 * @param takePage returns how much of the page was done before the deadline
 * @returns where the reading goes on, if the deadline ended it
 * @throws {PollError} when a poll gets nowhere
 */
export async function readList(
	list: PolledList,
	begun: Reading,
	accepted: AcceptedLimit,
	takePage: (records: IDataObject[]) => Promise<'all' | 'some' | 'none'>,
): Promise<Reading | undefined> {
	const { event, deadline } = list;
	let reading = begun;
	const reader = new ListReader({
		paging: event.paging,
		accepted,
		fetchPage: async (query) => await list.fetchPage(reading.from, query),
		wanted: Infinity,
		// Only what is new is kept, by takePage: a list of 100,000 would fill the memory of n8n.
		onRecords: () => undefined,
	});
	const { limit } = reader;
	if (reading.position !== undefined) {
		reader.position = reading.position;
		reader.limit = reading.limit ?? Infinity;
	}
	let isFirst = true;
	while (!reader.isDone) {
		const rest = { ...reading, position: reader.position, limit: reader.limit };
		const page = await deadline.keep(reader.fetch()).catch((error: unknown) => {
			if (deadline.isCause(error)) return 'out of time';
			if (isFirst && reader.position !== undefined && isForgotten(error)) return 'forgotten';
			throw error;
		});
		if (page === 'out of time') return stopAt(rest, !isFirst);
		if (page === 'forgotten') {
			// From its start. What appeared since it began is still new.
			reading = { ...reading, position: undefined, limit: undefined, restarted: true };
			Object.assign(reader, { position: undefined, limit });
			continue;
		}
		const done = await takePage(page.records);
		if (done !== 'all') return stopAt(rest, !isFirst || done === 'some');
		reader.take(page);
		isFirst = false;
	}
	return undefined;
}

function stopAt(rest: Reading, hasProgress: boolean): Reading {
	if (!hasProgress) {
		throw new PollError(
			'The service did not respond within the time of a poll',
			'The next poll retries.',
			true,
		);
	}
	if (rest.restarted) {
		throw new PollError(
			'The list takes longer to read than a poll may take',
			'The service does not go on in the next poll either. For sessions, set Options > Look Back to fewer hours.',
			false,
		);
	}
	return rest;
}

/** The service does not know the position of an earlier poll any more. */
function isForgotten(error: unknown): boolean {
	const status = error instanceof RequestFailedError ? error.details.status : undefined;
	return status !== undefined && [400, 404, 410, 422].includes(status);
}
