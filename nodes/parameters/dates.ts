import { DateTime } from 'luxon';
import { InvalidValueError } from './checks';
import { describeValue } from './convert';

/** RFC 3339 has years of four digits, and offsets of less than a day. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A date in RFC 3339, with seconds and `Z` or an offset, from whatever stands for one in n8n: any ISO 8601 form,
 * a Luxon date, a JavaScript date, milliseconds since 1970.
 * @param zone the workflow's time zone, meant where the value has none: n8n's date picker stores none
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
			`must be a date in the years 0 to 9999 with an offset below 24 hours, but is ${describeValue(value)}`,
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
	// More digits than any basic ISO form has.
	if (/^\d{11,}$/.test(text)) return DateTime.fromMillis(Number(text), { zone: 'utc' });
	// Luxon takes a time without a date for one of today.
	if (!/^[+-]?\d{4}/.test(text)) return undefined;
	const iso = DateTime.fromISO(text, { zone, setZone: true });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone, setZone: true });
}
