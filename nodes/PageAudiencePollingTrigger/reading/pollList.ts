import type { IDataObject } from 'n8n-workflow';
import type { AcceptedLimit } from '../../api/paginate';
import { refuseItem } from '../../parameters/problem';
import { sight } from '../events';
import { type Found, sortByDate } from '../output';
import {
	advance,
	beginReading,
	type History,
	type Reading,
	type Rules,
	sortOut,
	unknown,
} from '../state/history';
import type { Sighting } from '../state/sighting';
import type { Deadline } from './deadline';
import { addInteractions, maxRetries } from './interactions';
import { readList } from './readList';
import type { Target } from './target';

/**
 * Reads what the list has by now, as far as the deadline allows.
 * @param history undefined before the first poll
 * @throws {ItemRefusedError} for a Start Date that is still to come
 */
export async function pollList(
	{ settings, event, client }: Target,
	history: History = unknown,
	deadline: Deadline,
	accepted: AcceptedLimit,
): Promise<{ found: Found[]; history: History }> {
	const { start, lookBackMs, timeoutMs } = settings;
	const withInteractions = event.hasDates && settings.includeInteractions;
	const rules: Rules = { start, lookBackMs: event.hasDates ? lookBackMs : undefined };
	const now = Date.now();
	if (history.readAt === undefined && start.from === 'date' && start.date > now)
		refuseItem('Options > Start Date', 'is in the future');

	const found: Found[] = [];
	const seen: Sighting[] = [];
	const taken = new Map<number, number>();
	const takePage = async (records: IDataObject[], reading: Reading) => {
		const sightings = sight(event, records);
		const page = sortOut(history, reading, sightings, rules, taken, Date.now());
		const done = withInteractions
			? await addInteractions(page.fresh, client, settings, deadline)
			: page.fresh;
		for (const each of done) {
			taken.set(each.key, each.content);
			found.push(each);
		}
		// What could not be completed in time stays new for the next poll.
		const left = new Set(page.fresh.map(({ key }) => key));
		for (const { key } of done) left.delete(key);
		for (const { key, content, at } of page.seen)
			if (!left.has(key)) seen.push({ key, content, at, record: undefined });
		if (left.size === 0) return 'all';
		return done.length > 0 ? 'some' : 'none';
	};
	const request = event.request(settings);
	const begun = history.open ?? beginReading(history, rules, now);
	const { reading, rest } = await readList(
		{
			paging: event.paging,
			accepted,
			fetchPage: async (query) =>
				await client.send(
					{ ...request, query: { ...request.query, startDate: writeDate(begun.from), ...query } },
					{ timeoutMs: Math.min(timeoutMs, deadline.leftMs), maxRetries },
				),
			takePage,
		},
		begun,
		deadline,
	);
	return {
		found: sortByDate(found, 'oldest first'),
		history: advance(history, reading, seen, rules, rest),
	};
}

/** As RFC 3339, for the filter of a list. */
export function writeDate(moment: number | null): string | undefined {
	return moment === null ? undefined : new Date(moment).toISOString();
}
