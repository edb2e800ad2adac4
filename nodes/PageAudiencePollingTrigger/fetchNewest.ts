import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { startLimit } from '../api/paginate';
import { sight } from './events';
import { logWarning } from './log';
import type { OpenLists, PolledList } from './open';
import { type Found, sortByDate } from './output';
import { complete } from './reading/interactions';
import { noResponse, PollError } from './reading/pollError';
import { readList } from './reading/readList';

/** Records to return for a test: who executes the whole workflow writes or posts each of them. */
const mostRecords = 10;

const dayMs = 86_400_000;

/**
 * The newest real records of all lists, for a person who tests. The order of the lists is not documented, so they are read
 * to their end, and those with a date filter are asked for a short period first.
 * @throws {PollError} when there are none
 */
export async function fetchNewest(context: IPollFunctions, open: OpenLists): Promise<Found[]> {
	const { settings, event, deadline, followed } = open;
	const [any] = followed;
	const now = Date.now();
	const starts = event.hasDates ? [now - settings.lookBackMs, now - 30 * dayMs, null] : [null];
	// Interactions are read after the lists.
	const share = settings.interactionFields.length > 0 ? 0.5 : 1;
	const turn = deadline.within(share * deadline.restMs);
	const lists = followed.map((list) => open.take(list, turn));
	try {
		for (const start of starts) {
			const { newest, isWhole } = await readNewest(lists, start);
			if (any && newest.length > 0) {
				if (!isWhole) logWarning(context, `${tooLong}. The test event may not be the newest.`);
				// A request for the lists may still be under way, and would take the place of others.
				if (turn.signal.aborted && turn !== deadline) await open.reopen();
				const completed = await complete(open.take(any, deadline), newest);
				if (completed.length > 0) return completed;
				throw noResponse();
			}
			if (!isWhole)
				throw new PollError(
					tooLong,
					`The part that was read has no ${event.name}. ${event.advice} If that finds none, set Options > Look Back to fewer hours.`,
					true,
				);
		}
	} finally {
		turn.close();
	}
	throw new PollError(`No ${event.name} found`, event.advice, false);
}

const tooLong = 'The list takes longer to read than a test may take';

/** As many as are returned, and no more: a list may have 100,000. */
async function readNewest(
	lists: PolledList[],
	start: number | null,
): Promise<{ newest: Found[]; isWhole: boolean }> {
	let newest: Found[] = [];
	const accepted = startLimit();
	for (const list of lists) {
		const { fields } = list.rules;
		const takePage = async (records: IDataObject[]) => {
			// Nothing is known of them.
			const known = fields.length > 0 ? { changedFields: null } : {};
			const found = sight(list.event, records, fields).map((each) => ({ ...each, ...known }));
			newest = sortByDate([...newest, ...found], 'newest first').slice(0, mostRecords);
			return await Promise.resolve('all' as const);
		};
		const reading = { startedAt: Date.now(), from: start };
		const rest = await readList(list, reading, accepted, { takePage, beginAgain: () => undefined })
			// The lists before have records to show.
			.catch((error: unknown) => {
				if (newest.length === 0 || !list.deadline.signal.aborted) throw error;
				return reading;
			});
		if (rest) return { newest, isWhole: false };
	}
	return { newest, isWhole: true };
}
