import type { IDataObject } from 'n8n-workflow';
import { countWanted, type Evidence, isConfirmed } from '../evidence.mts';
import { isBusy } from '../faults.mts';
import type { Event } from '../play.mts';

const numberOf = (text: string) => Number(text.replaceAll(',', ''));

/** The items that a message names; undefined where it names none, and of many only the first. */
function readNamed(text: string): { items: number[]; rest: number } | undefined {
	const [, names, rest = '0'] =
		/\[items? ([\d, and]+?)(?: and (\d+) more)?, counted from 0\]/.exec(text) ?? [];
	return names === undefined
		? undefined
		: { items: names.split(/\D+/).map(Number), rest: Number(rest) };
}

/** What a hint says of lists is what the service said of the lists of these items, and of no others. */
export function totalsAreThoseOfTheirItems(evidence: Evidence): string[] {
	const { result, records, groups, stop } = evidence;
	if (stop) return [];
	const whole = records.map((_, item) => item);
	const totalsOf = (item: number) =>
		groups
			.filter(({ items }) => items.includes(item))
			.flatMap(({ events }) => events.flatMap(readTotal));
	return result.hints.flatMap((hint) => {
		const total = /^The list has ([\d,]+) records in total/.exec(hint)?.[1];
		if (total === undefined) return [];
		const { items, rest } = readNamed(hint) ?? { items: whole, rest: 0 };
		const breaches = items.flatMap((item) => {
			if (!totalsOf(item).includes(numberOf(total))) return [`item ${item}: not ${total} in total`];
			const came = records[item].length;
			return came === countWanted(evidence, item) ? [] : [`item ${item} was not cut`];
		});
		return items.length + rest > whole.length ? [...breaches, `too many items: ${hint}`] : breaches;
	});
}

function readTotal({ reply }: Event): unknown[] {
	if (!reply || !('body' in reply) || typeof reply.body !== 'string') return [];
	try {
		return [(JSON.parse(reply.body) as IDataObject).totalCount];
	} catch {
		return [];
	}
}

/** What stands behind "and so many more" is counted for messages that differ. */
export function moreMessagesAreLikeThese({ result, scenario }: Evidence): string[] {
	const rests = result.hints.flatMap((hint) => /\(And (\d+) more/.exec(hint)?.[1] ?? []);
	return rests
		.filter((rest) => Number(rest) + 3 > scenario.items.length)
		.map((rest) => `${rest} more messages than items`);
}

/** "Waited N seconds" is what the last try was held back: at least what the service asked for, and while nothing left. */
export function waitsAreMeasured({ events, result, stop, elapsedMs }: Evidence): string[] {
	if (stop) return [];
	const told = result.hints.flatMap((hint) => /^Waited (\d+) second/.exec(hint)?.[1] ?? []);
	const last = events.filter((event) => event.try === events.at(-1)?.try);
	const endMs = (events.at(0)?.startedAtMs ?? 0) + elapsedMs;
	const pauses = last.filter(asksToWait).map(({ endedAtMs = Infinity }) => {
		const next = last.find(({ startedAtMs }) => startedAtMs > endedAtMs);
		return { from: endedAtMs, to: next?.startedAtMs ?? endMs };
	});
	const most = Math.ceil(coverMs(pauses) / 1000);
	if (told.length > 1) return ['the wait is told twice'];
	const seconds = Number(told[0] ?? 0);
	return seconds > most ? [`told: ${seconds} seconds, at most ${most}`] : [];
}

const asksToWait = ({ fault }: Event): boolean => fault !== undefined && isBusy(fault);

/** The time within any of these. */
function coverMs(spans: Array<{ from: number; to: number }>): number {
	let end = -Infinity;
	let sum = 0;
	for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
		sum += Math.max(0, to - Math.max(from, end));
		end = Math.max(end, to);
	}
	return sum;
}

/** "N of M items were written" counts what the service confirmed. */
export function progressIsCounted({ stop, scenario, write, events }: Evidence): string[] {
	// Of several executions, this one does not know what each of the others kept.
	if (!stop || !write || scenario.retries.length > 0) return [];
	const [, written, all] = / (\d+) of (\d+) items were written/.exec(stop.message) ?? [];
	if (written === undefined) return [];
	const confirmed = events.filter(isConfirmed).length;
	// A refused repeat says that an attempt without an answer was one.
	const stored = events.filter(({ reply }) => reply && 'status' in reply && reply.status === 409);
	const breaches: string[] = [];
	if (Number(written) < confirmed || Number(written) > confirmed + stored.length)
		breaches.push(`told: ${written} written, not ${confirmed}`);
	if (Number(all) !== scenario.items.length) breaches.push(`${all} items`);
	return breaches;
}
