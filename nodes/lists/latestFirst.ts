import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

/** A list of records that have a time, in an order that the API does not document. */
export interface TimedList {
	/** Reads the records of a period. `cut`: it has more than are read at once. */
	read: (period: Period) => Promise<{ records: IDataObject[]; cut: boolean }>;
	/** In milliseconds, NaN when a record has no time. */
	timeOf: (record: IDataObject) => number;
	isWanted: (record: IDataObject) => boolean;
}

export interface Period {
	startDate?: string;
	endDate?: string;
}

/** What is read next: so many days that end where the last period began, or now. */
interface PeriodPosition {
	days: number;
	until?: string;
}

/** Wanted records that fill a list, so that scrolling reads on, and periods to read for them at once. */
const enoughRecords = 50;
const mostPeriods = 60;

const firstDays = 7;
/** A shorter period would hardly hold fewer records. */
const leastDays = 1 / 24;
/** What is older than a period of this length is read at once. */
const mostDays = 3_650;

const dayMs = 86_400_000;

/**
 * The wanted records, the latest first. A short list is read whole, a longer one by periods that grow into the past.
 * @param token where to go on, as an earlier call returned it
 */
export async function readLatestFirst(
	list: TimedList,
	token?: string,
): Promise<{ records: IDataObject[]; token?: string }> {
	const all = token === undefined ? await list.read({}) : undefined;
	if (all && !all.cut) return { records: arrange(list, all.records) };
	let { days, until }: PeriodPosition =
		token === undefined ? { days: firstDays } : (JSON.parse(token) as PeriodPosition);
	const found: IDataObject[] = [];
	for (let read = 0; read < mostPeriods && found.length < enoughRecords; read++) {
		const isLast = days > mostDays;
		const start = DateTime.fromISO(until ?? DateTime.utc().toISO(), { zone: 'utc' }).minus(
			days * dayMs,
		);
		const startDate = isLast ? undefined : (start.toISO() ?? undefined);
		const { records, cut } = await list.read({ startDate, endDate: until });
		// A service that ignores the period would return the same records for ever.
		if (records.some((record) => isOutside(list.timeOf(record), startDate, until)))
			return { records: all ? arrange(list, all.records) : found };
		if (cut && !isLast && days > leastDays) {
			days /= 2;
			continue;
		}
		// Whether a period includes its end is not documented; what begins there came with the period before.
		const isNew = (record: IDataObject) =>
			until === undefined || list.timeOf(record) !== Date.parse(until);
		found.push(...arrange(list, records.filter(isNew)));
		if (isLast) return { records: found };
		until = startDate;
		if (!cut) days *= 2;
	}
	return { records: found, token: JSON.stringify({ days, until } satisfies PeriodPosition) };
}

function arrange({ timeOf, isWanted }: TimedList, records: IDataObject[]): IDataObject[] {
	const time = (record: IDataObject) => timeOf(record) || 0;
	return records.filter(isWanted).sort((a, b) => time(b) - time(a));
}

/** By more than a day: the period may be about another moment of the record, such as its end. */
function isOutside(time: number, startDate = '', endDate = '') {
	// Nothing is earlier or later than NaN, where there is no date.
	return time < Date.parse(startDate) - dayMs || time > Date.parse(endDate) + dayMs;
}
