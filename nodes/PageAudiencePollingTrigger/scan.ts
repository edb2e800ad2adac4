import type { IDataObject } from 'n8n-workflow';
import type { AcceptedLimit } from '../api/paginate';
import { refuseItem } from '../parameters/problem';
import { sight } from './events';
import type { PolledList } from './open';
import type { Found } from './output';
import { complete } from './reading/interactions';
import { readList } from './reading/readList';
import { advance, beginReading, type History, sortOut } from './state/history';
import type { Known } from './state/known';

/**
 * Reads what the list has by now, as far as the deadline allows.
 * @returns what it found, and what is known then
 * @throws {ItemRefusedError} for a Start Date that is still to come
 */
export async function scan(
	list: PolledList,
	history: History,
	accepted: AcceptedLimit,
): Promise<{ found: Found[]; history: History }> {
	const { event, rules } = list;
	const { start } = rules;
	const now = Date.now();
	if (history.readAt === undefined && start.from === 'date' && start.date > now)
		refuseItem('Options > Start Date', 'is in the future');

	const reading = history.open ?? beginReading(history, rules, now);
	const found: Found[] = [];
	const seen: Known = new Map();
	const takePage = async (records: IDataObject[]) => {
		const page = sortOut(history, reading, sight(event, records), rules, seen, Date.now());
		const left = new Set(page.fresh.map(({ key }) => key));
		const done = await complete(list, page.fresh);
		for (const each of done) {
			found.push(each);
			left.delete(each.key);
		}
		// What could not be completed in time stays new for the next poll.
		for (const { key, content } of page.seen) if (!left.has(key)) seen.set(key, content);
		if (left.size === 0) return 'all';
		return done.length > 0 ? 'some' : 'none';
	};
	const rest = await readList(list, reading, accepted, takePage);
	return { found, history: advance(history, reading, seen, rules, rest) };
}
