import { type AcceptedLimit, readPages } from '../../api/paginate';
import { sight } from '../events';
import type { PolledList } from '../open';
import { type History, takeStock } from '../state/history';
import type { Known } from '../state/known';
import { PollError } from './pollError';
import { blamePageSize } from './readList';

/**
 * What is known with another API key. It may be a new one of the same tenant, or one of another tenant, whose records
 * would all seem new.
 * @throws {PollError} when one poll is too short to find out
 */
export async function carryOver(
	list: PolledList,
	history: History,
	accepted: AcceptedLimit,
): Promise<History> {
	const { generations, readAt } = history;
	if (findAllKnown(history).some((known) => known.size > 0)) {
		const isSameTenant = await findKnown(list, history, accepted);
		return isSameTenant ? history : takeStock(list.rules, Date.now());
	}
	if (list.event.hasDates || readAt === undefined) return history;
	// The whole list was empty, so records from before have come with the key. A few may only have appeared late.
	const from = Math.min(readAt, Date.now()) - list.settings.lookBackMs;
	return { ...history, generations: generations.map((each) => ({ ...each, from })) };
}

/** Whether the service still returns any of the known records. It asks for the period of all of them. */
async function findKnown(
	list: PolledList,
	history: History,
	accepted: AcceptedLimit,
): Promise<boolean> {
	const { event, deadline } = list;
	const { generations, open } = history;
	const from = event.hasDates ? ((generations[0] ?? open)?.from ?? null) : null;
	const all = findAllKnown(history);
	const pages = readPages({
		paging: event.paging,
		accepted,
		fetchPage: async (query) => await list.fetchPage(from, query),
		wanted: Infinity,
	});
	for (let isFirst = true; ; isFirst = false) {
		const page = await deadline.keep(pages.next()).catch((error: unknown) => {
			if (!deadline.isCause(error)) throw error;
			if (isFirst) blamePageSize(accepted);
			throw new PollError(
				'One poll is too short to find out whether the new API key reads the same records',
				'The next poll retries. If the key belongs to another tenant, rename the trigger and publish again.',
				true,
			);
		});
		if (page.done) return false;
		const sightings = sight(event, page.value.records, list.rules.fields);
		if (sightings.some(({ key }) => all.some((known) => known.has(key)))) return true;
		if (!page.value.more) return false;
	}
}

function findAllKnown({ generations, open }: History): Known[] {
	return [...generations.map(({ known }) => known), ...(open?.seen ? [open.seen] : [])];
}
