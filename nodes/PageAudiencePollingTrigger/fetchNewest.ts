import type { IPollFunctions } from 'n8n-workflow';
import { events, readDate } from './events';
import { openLists, PollError, type PolledList, readList, within } from './list';
import { complete, type Found, sortByDate } from './output';
import type { Settings } from './settings';

/** Records to return for a test: who executes the whole workflow writes or posts each of them. */
const mostRecords = 10;

/** A person waits for it. */
const testMs = 60_000;

const dayMs = 86_400_000;

const tooLong = 'The list takes longer to read than a test may take';

export interface Newest {
	found: Found[];
	/** For n8n's log. */
	warning?: string;
}

/**
 * The newest real records of all lists, for a person who tests.
 * @throws {PollError} when there are none
 */
export async function fetchNewest(context: IPollFunctions, settings: Settings): Promise<Newest> {
	const hasInteractions = settings.interactionFields.length > 0;
	const shareMs = hasInteractions ? testMs / 2 : testMs;
	const newest = await within(shareMs, async (deadline) =>
		findNewest(settings, await openLists(context, settings, deadline)),
	);
	if (!hasInteractions) return newest;
	return await within(shareMs, async (deadline) => {
		const [list] = await openLists(context, settings, deadline);
		const found = list ? await complete(list, newest.found) : [];
		if (found.length === 0) deadline.signal.throwIfAborted();
		return { ...newest, found };
	});
}

/** The order of the lists is not documented, so they are read to their end: first those of a short period. */
async function findNewest(settings: Settings, lists: PolledList[]): Promise<Newest> {
	const event = events[settings.event];
	const now = Date.now();
	const periods = event.hasDates ? [now - settings.lookBackMs, now - 30 * dayMs, 0] : [0];
	for (const from of periods) {
		const { newest, isWhole } = await readNewest(lists, from);
		if (newest.length > 0) {
			const warning = isWhole ? undefined : `${tooLong}. The test event may not be the newest.`;
			return { found: newest, warning };
		}
		if (!isWhole)
			throw new PollError(
				tooLong,
				`The part that was read has no ${event.name}. ${event.advice} If that finds none, set Options > Look Back (Hours) to a smaller number.`,
			);
	}
	throw new PollError(`No ${event.name} found`, event.advice);
}

/** As many as are returned, and no more: a list may have 100,000. */
async function readNewest(
	lists: PolledList[],
	from: number,
): Promise<{ newest: Found[]; isWhole: boolean }> {
	let newest: Found[] = [];
	for (const list of lists) {
		const { event, settings, deadline } = list;
		// Nothing is known of them.
		const changes = event.tellsChanges && settings.onlyFields.length > 0 ? null : undefined;
		const rest = await readList(list, from, {}, async (records) => {
			const found = records
				.filter(event.isRelevant)
				.map((record) => ({ record, at: readDate(event, record), changedFields: changes }));
			newest = sortByDate([...newest, ...found], 'newest first').slice(0, mostRecords);
			return await Promise.resolve(true);
		}).catch((error: unknown) => {
			// The lists before have records to show.
			if (newest.length === 0 || !deadline.signal.aborted) throw error;
			return {};
		});
		if (rest) return { newest, isWhole: false };
	}
	return { newest, isWhole: true };
}
