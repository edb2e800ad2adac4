import type { IDataObject } from 'n8n-workflow';
import type { AcceptedLimit } from '../api/paginate';
import { refuseItem } from '../parameters/problem';
import { sight } from './events';
import type { PolledList } from './open';
import type { Found } from './output';
import { complete } from './reading/interactions';
import { readList } from './reading/readList';
import { absorb, advance, beginReading, type History, sortOut } from './state/history';
import { addContent, type Known } from './state/known';
import type { Sighting } from './state/sighting';

/**
 * Reads what the list has by now, as far as the deadline allows.
 * @param now when the poll began
 * @returns what it found, and what is known then
 * @throws {ItemRefusedError} for a Start Date that is still to come
 */
export async function scan(
	list: PolledList,
	begun: History,
	accepted: AcceptedLimit,
	now: number,
): Promise<{ found: Found[]; history: History }> {
	const { event, rules } = list;
	const { start } = rules;
	if (begun.readAt === undefined && start.from === 'date' && start.date > now)
		refuseItem('Options > Start Date', 'is in the future');

	// Of several records with one ID, each may start the workflow only where changes count.
	const identify = ({ key, content }: Sighting) => (rules.tellsChanges ? `${key} ${content}` : key);
	let history = begun;
	const reading = history.open ?? beginReading(history, rules, now);
	const found: Found[] = [];
	let seen: Known = new Map(reading.seen);
	let { newest } = reading;
	const takePage = async (records: IDataObject[]) => {
		const sightings = sight(event, records, rules.fields);
		const page = sortOut(history, reading, sightings, rules, seen, Date.now());
		const left = new Set(page.fresh.map(identify));
		const done = await complete(list, page.fresh);
		for (const each of done) {
			found.push(each);
			left.delete(identify(each));
		}
		// What could not be completed in time stays new for the next poll.
		for (const each of page.seen)
			if (!left.has(identify(each))) addContent(seen, each.key, each.content);
		for (const { at = -Infinity } of sightings) newest = Math.max(newest ?? at, at);
		if (left.size === 0) return 'all';
		return done.length > 0 ? 'some' : 'none';
	};
	const beginAgain = () => {
		history = absorb(history, reading, seen, rules);
		seen = new Map();
	};
	const rest = await readList(list, reading, accepted, { takePage, beginAgain });
	const open = rest && { ...rest, newest };
	return { found, history: advance(history, { ...reading, newest }, seen, rules, open) };
}
