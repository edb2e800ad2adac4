import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { DescribedError } from '../api/errors';
import { within } from './deadline';
import { dateOf, events } from './events';
import { followList, openLists, type PolledList } from './list';
import { addInteractions, type FoundRecord, sortByDate, toPolledItems } from './output';
import { readPollSettings } from './settings';

/** Records to return for a test: a person who executes the whole workflow may write or post each of them. */
export const mostRecords = 10;

/** A person waits for it. */
const testMs = 60_000;

const monthMs = 30 * 24 * 60 * 60_000;

/**
 * Recent records of all lists, for a person who tests: the newest of the first pages.
 * @throws {DescribedError} when there are no records
 */
export async function fetchNewest(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const settings = readPollSettings(context);
	const event = events[settings.event];
	const found = await within(testMs, async (deadline) => {
		const lists = await openLists(context, settings, deadline);
		const now = Date.now();
		// A list may begin with its oldest records, so those of a short time are asked for first.
		for (const since of event.hasDates ? [now - settings.lookBackMs, now - monthMs, 0] : [0]) {
			const newest = await readNewest(lists, since);
			const [list] = lists;
			if (!list || newest.length === 0) continue;
			const done = await addInteractions(list, newest);
			if (done.length === 0) deadline.signal.throwIfAborted();
			return done;
		}
		throw new DescribedError(`No ${event.name} found`, event.advice);
	});
	return toPolledItems(event, settings, found);
}

async function readNewest(lists: PolledList[], since: number): Promise<FoundRecord[]> {
	const all: FoundRecord[] = [];
	for (const list of lists) {
		const { event, comparedFields } = list;
		// There is no earlier state to compare them with.
		const changedFields = comparedFields?.length ? null : undefined;
		let count = 0;
		for await (const { records } of followList(list, since, {})) {
			for (const record of records.filter(event.isRelevant)) {
				all.push({ record, date: dateOf(event, record), changedFields });
				count++;
			}
			if (count >= mostRecords) break;
		}
	}
	return sortByDate(all, 'newest first').slice(0, mostRecords);
}
