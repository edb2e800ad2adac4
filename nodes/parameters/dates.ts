import { DateTime } from 'luxon';
import { removeInvisible } from '../runtime/normalize';
import { InvalidValueError } from './checks';
import { describeValue, writeDate } from './convert';

/** RFC 3339 has four-digit years and offsets of less than 24 hours. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A date in RFC 3339, with seconds and `Z` or an offset, from any form that n8n has for a date: ISO 8601 or SQL
 * text, a Luxon or JavaScript date, or seconds or milliseconds since 1970. A number means the same as its text.
 * @param zone the workflow's time zone, for values without one. n8n's date picker stores none.
 * @param edge the end of a period includes the whole day, if the value is a day. n8n's date picker stores a day as 00:00:00.
 */
export function readDate(value: unknown, zone: string, edge: 'start' | 'end' = 'start'): string {
	const written = typeof value === 'number' ? String(value) : (writeDate(value) ?? value);
	// A number that has gone through a spreadsheet or a data frame is a decimal: `1767225600000.0`.
	const text =
		typeof written === 'string' ? removeInvisible(written).replace(/^(\d+)\.0+$/, '$1') : '';
	const given = isTimestamp(text) ? fromTimestamp(text) : fromText(text, zone);
	const period = edge === 'end' ? readPeriod(text) : undefined;
	const date = period ? given?.endOf(period) : given;
	if (!date?.isValid) {
		throw new InvalidValueError(
			`must be a date such as "2026-01-31" or "2026-01-31T08:00:00+01:00", but is ${describeValue(value)}`,
		);
	}
	const sent = date.toISO({ suppressMilliseconds: true });
	if (!sent || !rfc3339.test(sent)) {
		throw new InvalidValueError(
			`must be a date between the years 0 and 9999 with an offset of less than 24 hours, but is ${describeValue(value)}`,
		);
	}
	return sent;
}

/** The whole period that a date without a time means, or midnight without a zone. */
function readPeriod(text: string): 'year' | 'month' | 'week' | 'day' | undefined {
	const found = /^(\d{4}[\dW-]*)(?:[T ](.*))?$/i.exec(text);
	if (!found || isTimestamp(text)) return undefined;
	const [, date = '', time] = found;
	if (time !== undefined) return /^00(:?00){0,2}([.,]0+)?$/.test(time) ? 'day' : undefined;
	if (/^\d{4}$/.test(date)) return 'year';
	if (/^\d{4}-\d\d$/.test(date)) return 'month';
	return /^\d{4}-?W\d\d$/i.test(date) ? 'week' : 'day';
}

/** A number that is neither a year nor a day, as ISO 8601 writes them without separators: 2026, 20260131. */
function isTimestamp(text: string): boolean {
	return /^-?\d+(\.\d+)?$/.test(text) && !/^\d{4}(\d{4})?$/.test(text);
}

/** Between these, seconds and milliseconds since 1970 are told apart by their size, and from all other numbers. */
const firstMs = Date.UTC(2000);
const endMs = Date.UTC(2100);

/** Others are a mistake: a month or a time without separators, a day of a spreadsheet, an ID. */
function fromTimestamp(text: string): DateTime {
	const number = Number(text);
	for (const ms of [number, number * 1000])
		if (ms >= firstMs && ms < endMs) return DateTime.fromMillis(Math.round(ms), { zone: 'utc' });
	throw new InvalidValueError(
		`must be a date such as "2026-01-31" or "20260131", or a number of seconds or milliseconds since 1970 that is between the years 2000 and 2099, but is ${describeValue(text)}`,
	);
}

function fromText(text: string, zone: string): DateTime | undefined {
	// Luxon reads a time without a date as a time of today.
	if (!/^\d{4}/.test(text)) return undefined;
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
}
