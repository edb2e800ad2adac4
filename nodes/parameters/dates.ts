import { DateTime } from 'luxon';
import { InvalidValueError } from './checks';
import { describeValue } from './convert';

/** RFC 3339 has four-digit years and offsets of less than 24 hours. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A date in RFC 3339, with seconds and `Z` or an offset, from any form that n8n has for a date: ISO 8601 or SQL
 * text, a Luxon or JavaScript date, or milliseconds since 1970.
 * @param zone the workflow's time zone, for values without one. n8n's date picker stores none.
 */
export function readDate(value: unknown, zone: string): string {
	const date = toDateTime(value, zone);
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

function toDateTime(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone: 'utc' });
	if (typeof value === 'number') return DateTime.fromMillis(value, { zone: 'utc' });
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	// No ISO 8601 form without separators has this many digits.
	if (/^\d{11,}$/.test(text)) return DateTime.fromMillis(Number(text), { zone: 'utc' });
	// Luxon reads a time without a date as a time of today.
	if (!/^[+-]?\d{4}/.test(text)) return undefined;
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
}
