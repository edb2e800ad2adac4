import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { DescribedError } from '../api/errors';
import { within } from './deadline';
import { dateOf, events } from './events';
import { followList, type ListPlace, openLists, type PolledList } from './list';
import { addInteractions, logPollWarning, sortByDate, toPolledItems } from './output';
import type { FoundRecord } from './output';
import { type PollSettings, readPollSettings } from './settings';

/** Records to return for a test: a person who executes the whole workflow may write or post each of them. */
export const mostRecords = 10;

/** A person waits for it. */
const testMs = 60_000;

export const dayMs = 86_400_000;

const tooLong = 'The test ended before the whole list was read';

/**
 * The newest real records of all lists, for a person who tests.
 * @throws {DescribedError} when there are no records
 */
export async function fetchNewest(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const settings = readPollSettings(context);
	const shareMs = settings.interactionFields.length > 0 ? testMs / 2 : testMs;
	const newest = await within(shareMs, async (deadline) =>
		findNewest(context, settings, await openLists(context, settings, deadline)),
	);
	const found = await within(shareMs, async (deadline) => {
		const [list] = await openLists(context, settings, deadline);
		const done = list ? await addInteractions(list, newest) : [];
		if (done.length === 0) deadline.signal.throwIfAborted();
		return done;
	});
	return toPolledItems(events[settings.event], settings, found);
}

/** The order of the lists is not documented, so they are read to their end, first for a short period. */
async function findNewest(
	context: IPollFunctions,
	settings: PollSettings,
	lists: PolledList[],
): Promise<FoundRecord[]> {
	const event = events[settings.event];
	const now = Date.now();
	const periods = event.hasDates ? [now - settings.lookBackMs, now - 30 * dayMs, 0] : [0];
	for (const since of periods) {
		const { newest, isWhole } = await readNewest(lists, since);
		if (newest.length > 0) {
			if (!isWhole)
				await logPollWarning(context, `${tooLong}. The test event may not be the newest.`);
			return newest;
		}
		if (!isWhole)
			throw new DescribedError(
				tooLong,
				`The part that was read has no ${event.name}. ${event.advice} If that finds none, set Options > Look Back (Hours) to a smaller number.`,
			);
	}
	throw new DescribedError(`No ${event.name} found`, event.advice);
}

/** As many as are returned, and no more: a list may have 100,000. */
async function readNewest(
	lists: PolledList[],
	since: number,
): Promise<{ newest: FoundRecord[]; isWhole: boolean }> {
	let newest: FoundRecord[] = [];
	for (const list of lists) {
		const { event, comparedFields, deadline } = list;
		// There is no earlier state to compare them with.
		const changedFields = comparedFields?.length ? null : undefined;
		let continueAt: ListPlace | undefined = {};
		let failure: unknown;
		try {
			for await (const { records, next } of followList(list, since, {})) {
				const found = records
					.filter(event.isRelevant)
					.map((record) => ({ record, date: dateOf(event, record), changedFields }));
				newest = sortByDate([...newest, ...found], 'newest first').slice(0, mostRecords);
				continueAt = next;
			}
		} catch (error) {
			failure = error;
		}
		// When the time is over, the lists before may have records to show.
		if (failure && (newest.length === 0 || !deadline.signal.aborted)) throw failure;
		if (continueAt) return { newest, isWhole: false };
	}
	return { newest, isWhole: true };
}
