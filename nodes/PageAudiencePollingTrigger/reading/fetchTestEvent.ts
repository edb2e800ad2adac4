import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { readPages } from '../../api/paginate';
import { sight } from '../events';
import { sortByDate, toItems, type Found } from '../output';
import { readSettings } from '../settings';
import { Deadline } from './deadline';
import { addInteractions, maxRetries } from './interactions';
import { PollError } from './pollError';
import { writeDate } from './pollList';
import { openTarget, type Target } from './target';

/** Records to read for a test. */
const mostRecords = 500;

const dayMs = 86_400_000;
/** A person waits. */
const patienceMs = 60_000;

/**
 * The newest real records, for a person who tests. The order of the lists is not documented, so a list with a date
 * filter is asked for a short period first.
 * @throws {PollError} when there are none
 */
export async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const deadline = new Deadline(patienceMs);
	try {
		return await fetchNewest(context, deadline);
	} finally {
		deadline.close();
	}
}

async function fetchNewest(
	context: IPollFunctions,
	deadline: Deadline,
): Promise<INodeExecutionData[]> {
	const settings = readSettings(context);
	const target = await openTarget(context, settings, deadline.signal);
	const { event, client } = target;
	const now = Date.now();
	const starts = event.hasDates ? [now - settings.lookBackMs, now - 30 * dayMs, null] : [null];
	let found: Found[] = [];
	for (const start of starts) {
		found = await deadline.keep(readSome(target, start));
		if (found.length > 0) break;
	}
	if (found.length === 0) throw new PollError(`No ${event.name} found`, event.advice, false);
	const newest = sortByDate(found, 'newest first');
	const complete =
		event.hasDates && settings.includeInteractions
			? await addInteractions(newest, client, settings, deadline)
			: newest;
	return toItems(complete, event, settings);
}

async function readSome(
	{ settings, event, client }: Target,
	start: number | null,
): Promise<Found[]> {
	const request = event.request(settings);
	const { records } = await readPages({
		paging: event.paging,
		wanted: mostRecords,
		accepted: { largest: mostRecords },
		fetchPage: async (query) =>
			await client.send(
				{ ...request, query: { ...request.query, startDate: writeDate(start), ...query } },
				{ timeoutMs: settings.timeoutMs, maxRetries },
			),
	});
	return sight(event, records);
}
