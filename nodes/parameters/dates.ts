import { DateTime } from 'luxon';
import { InvalidValueError } from './checks';
import { describeValue } from './convert';

/** RFC 3339 has four-digit years and offsets of less than 24 hours. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A date in RFC 3339, with seconds and `Z` or an offset, from any form that n8n has for a date: ISO 8601 or SQL
 * text, a Luxon or JavaScript date, or seconds or milliseconds since 1970.
 * @param zone the workflow's time zone, for values without one. n8n's date picker stores none.
 * @param edge the end of a period includes the whole day, if the value is a day. n8n's date picker stores a day as 00:00:00.
 */
export function readDate(value: unknown, zone: string, edge: 'start' | 'end' = 'start'): string {
	const given = toDateTime(value, zone);
	const period = edge === 'end' ? readPeriod(value) : undefined;
	const date = period ? given?.endOf(period) : given;
	if (!date?.isValid) {
		throw new InvalidValueError(
			`must be a date such as "2026-01-31" or "2026-01-31T08:00:00+01:00", but is ${describeValue(value)}`,
		);
	}
	const text = date.toISO({ suppressMilliseconds: true });
	if (!text || !rfc3339.test(text)) {
		throw new InvalidValueError(
			`must be a date between the years 0 and 9999 with an offset of less than 24 hours, but is ${describeValue(value)}`,
		);
	}
	return text;
}

/** The whole period that a date without a time means, or midnight without a zone. */
function readPeriod(value: unknown): 'year' | 'month' | 'week' | 'day' | undefined {
	const found = /^([+-]?\d{4}[\dW-]*)(?:[T ](.*))?$/i.exec(String(value).trim());
	if (typeof value !== 'string' || !found) return undefined;
	const [, date = '', time] = found;
	if (time !== undefined) return /^00(:?00){0,2}([.,]0+)?$/.test(time) ? 'day' : undefined;
	if (/^\d{4}$/.test(date)) return 'year';
	if (/^\d{4}-\d\d$/.test(date)) return 'month';
	return /^\d{4}-?W\d\d$/i.test(date) ? 'week' : 'day';
}

/**
 * Seconds and milliseconds since 1970 are distinguished by their size. Smaller numbers would be days in the 1970s in
 * both cases, which is certainly a mistake.
 */
const firstSeconds = 100_000_000;
const firstMilliseconds = 100_000_000_000;

function fromNumber(number: number): DateTime | undefined {
	if (number !== 0 && number < firstSeconds) {
		throw new InvalidValueError(
			`must be a date such as "2026-01-31", but is ${describeValue(number)}`,
		);
	}
	return DateTime.fromMillis(number < firstMilliseconds ? number * 1000 : number, { zone: 'utc' });
}

function toDateTime(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone: 'utc' });
	if (typeof value === 'number') return fromNumber(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// No ISO 8601 form without separators has this many digits.
	if (/^\d{9,}$/.test(text)) return fromNumber(Number(text));
	// Luxon reads a time without a date as a time of today.
	if (!/^[+-]?\d{4}/.test(text)) return undefined;
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
}
