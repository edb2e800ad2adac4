import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from '../../api/failure';
import { type AcceptedLimit, ListReader, type Paging } from '../../api/paginate';
import type { ApiResponse, QueryValue } from '../../api/request';
import { restart, type Reading } from '../state/history';
import type { Deadline } from './deadline';
import { PollError } from './pollError';

export interface PolledList {
	paging: Paging;
	accepted: AcceptedLimit;
	fetchPage: (query: Record<string, QueryValue>) => Promise<ApiResponse>;
	/** @returns how much of the page was done before the deadline */
	takePage: (records: IDataObject[], reading: Reading) => Promise<'all' | 'some' | 'none'>;
}

/**
 * Reads a list page by page from where the reading stands, and keeps none of it.
 * @returns the reading, with where it goes on in `rest` if the deadline ended it
 * @throws {PollError} when a poll gets nowhere
 */
export async function readList(
	list: PolledList,
	reading: Reading,
	deadline: Deadline,
): Promise<{ reading: Reading; rest?: Pick<Reading, 'position' | 'limit'> }> {
	const { paging, accepted, fetchPage, takePage } = list;
	const reader = new ListReader({
		paging,
		accepted,
		fetchPage,
		wanted: Infinity,
		// Only what is new is kept, by takePage: a list of 100,000 would fill the memory of n8n.
		onRecords: () => undefined,
	});
	const isResumed = reading.position !== undefined;
	if (isResumed) {
		reader.position = reading.position;
		reader.limit = reading.limit ?? Infinity;
	}
	let isFirst = true;
	while (!reader.isDone) {
		const here = { position: reader.position, limit: reader.limit };
		const page = await deadline.keep(reader.fetch()).catch((error: unknown) => {
			if (deadline.isCause(error)) return 'out of time';
			if (isFirst && isResumed && isForgotten(error)) return 'forgotten';
			throw error;
		});
		if (page === 'out of time') return stop(reading, here, !isFirst);
		if (page === 'forgotten') return await readList(list, restart(reading), deadline);
		const done = await takePage(page.records, reading);
		if (done !== 'all') return stop(reading, here, !isFirst || done === 'some');
		reader.take(page);
		isFirst = false;
	}
	return { reading };
}

function stop(reading: Reading, rest: Pick<Reading, 'position' | 'limit'>, hasProgress: boolean) {
	if (!hasProgress) {
		throw new PollError(
			'The service did not respond within the time of a poll',
			'The next poll retries.',
			true,
		);
	}
	if (reading.restarted) {
		throw new PollError(
			'The list takes longer to read than a poll may take',
			'The service does not go on in the next poll either. For sessions, set Options > Look Back to fewer hours.',
			false,
		);
	}
	return { reading, rest };
}

/** The service does not know the position of an earlier poll any more. */
function isForgotten(error: unknown): boolean {
	const status = error instanceof RequestFailedError ? error.details.status : undefined;
	return status !== undefined && [400, 404, 410, 422].includes(status);
}
