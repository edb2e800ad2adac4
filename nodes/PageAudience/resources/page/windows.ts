import { DateTime } from 'luxon';
import { refuseItem } from '../../../parameters/problem';

export type WindowUnit = 'day' | 'week' | 'month';

/** A part of a time span, in RFC 3339 with an offset. Both ends belong to it. */
export interface TimeWindow {
	windowStart: string;
	windowEnd: string;
}

/** Each window is a request. A year of days fits. */
export const mostWindows = 400;

/**
 * The days, weeks or months of a time span in the time zone, in order and without gaps: a window begins a millisecond
 * after the one before it. The first and the last are cut to the span. Weeks begin on Monday.
 * @throws {ItemRefusedError} when there are too many
 */
export function splitTimeSpan(
	{ startDate, endDate }: { startDate: string; endDate: string },
	unit: WindowUnit,
	zone: string,
): TimeWindow[] {
	const end = DateTime.fromISO(endDate, { zone });
	const windows: TimeWindow[] = [];
	let start: DateTime<boolean> = DateTime.fromISO(startDate, { zone });
	while (start < end || windows.length === 0) {
		if (windows.length === mostWindows) {
			refuseItem(
				'Split By',
				`divides the period into more than ${mostWindows} ${unit}s. Choose a shorter period or a larger unit`,
			);
		}
		const next = findNext(start, unit);
		// Of a window that only its first moment is left of, the one before it takes that.
		const last = next < end ? next.minus(1) : end;
		windows.push({ windowStart: write(start), windowEnd: write(last) });
		start = next;
	}
	return windows;
}

/** The first moment of the next day, week or month. */
function findNext(moment: DateTime<boolean>, unit: WindowUnit): DateTime<boolean> {
	const first = moment.startOf(unit);
	let next = first;
	// A calendar can skip a day: where a zone changes sides of the date line, midnight of it is the next one's.
	for (let steps = 1; next <= moment; steps++) next = first.plus({ [unit]: steps }).startOf(unit);
	return next;
}

function write(moment: DateTime<boolean>): string {
	const text = moment.toISO({ suppressMilliseconds: true });
	if (text === null) throw new RangeError('The time zone of the workflow is invalid');
	return text;
}
