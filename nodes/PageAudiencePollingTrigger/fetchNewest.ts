import { readPages } from '../api/paginate';
import { sight } from './events';
import type { OpenLists, PolledList } from './open';
import { type Found, sortByDate } from './output';
import { complete } from './reading/interactions';
import { PollError } from './reading/pollError';

/** Records to read of a list for a test, and to return. */
const mostRecords = 500;

const dayMs = 86_400_000;

/**
 * The newest real records of all lists, for a person who tests. The order of the lists is not documented, so lists with a
 * date filter are asked for a short period first.
 * @throws {PollError} when there are none
 */
export async function fetchNewest(open: OpenLists): Promise<Found[]> {
	const { settings, event, deadline } = open;
	const lists = open.followed.map((list) => open.take(list, deadline));
	const [any] = lists;
	const now = Date.now();
	const starts = event.hasDates ? [now - settings.lookBackMs, now - 30 * dayMs, null] : [null];
	for (const start of starts) {
		const found: Found[] = [];
		for (const list of lists) found.push(...(await readFrom(list, start)));
		const newest = sortByDate(found, 'newest first').slice(0, mostRecords);
		if (any && newest.length > 0) return await complete(any, newest);
	}
	throw new PollError(`No ${event.name} found`, event.advice, false);
}

async function readFrom(list: PolledList, start: number | null): Promise<Found[]> {
	const { event, rules, deadline } = list;
	const reading = readPages({
		paging: event.paging,
		wanted: mostRecords,
		accepted: { largest: mostRecords },
		fetchPage: async (query) => await list.fetchPage(start, query),
	});
	const { records } = await deadline.keep(reading);
	const found = sight(event, records, rules.fields);
	// Nothing is known of them.
	return rules.fields.length > 0 ? found.map((each) => ({ ...each, changedFields: null })) : found;
}
