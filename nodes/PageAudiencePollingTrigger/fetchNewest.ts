import { readPages } from '../api/paginate';
import { sight } from './events';
import type { PolledList } from './open';
import { type Found, sortByDate } from './output';
import { complete } from './reading/interactions';
import { PollError } from './reading/pollError';

/** Records to read for a test. */
const mostRecords = 500;

const dayMs = 86_400_000;

/**
 * The newest real records, for a person who tests. The order of the lists is not documented, so a list with a date
 * filter is asked for a short period first.
 * @throws {PollError} when there are none
 */
export async function fetchNewest(list: PolledList): Promise<Found[]> {
	const { settings, event, deadline } = list;
	const now = Date.now();
	const starts = event.hasDates ? [now - settings.lookBackMs, now - 30 * dayMs, null] : [null];
	let found: Found[] = [];
	for (const start of starts) {
		const reading = readPages({
			paging: event.paging,
			wanted: mostRecords,
			accepted: { largest: mostRecords },
			fetchPage: async (query) => await list.fetchPage(start, query),
		});
		const { records } = await deadline.keep(reading);
		found = sight(event, records);
		if (found.length > 0) break;
	}
	if (found.length === 0) throw new PollError(`No ${event.name} found`, event.advice, false);
	return await complete(list, sortByDate(found, 'newest first'));
}
