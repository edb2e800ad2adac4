import { DateTime } from 'luxon';

/** As milliseconds, smaller numbers would be in 1973 or earlier. As seconds, they are times of today. */
const fewestMs = 100_000_000_000;

/**
 * A point in time that the service names, in milliseconds, or undefined if the value is not one. The format is not documented:
 * ISO 8601 is read, and numbers of seconds or milliseconds since 1970. Without a zone, it is in UTC, not in n8n's zone.
 */
export function readTimestamp(value: unknown): number | undefined {
	if (typeof value === 'number') return Math.abs(value) < fewestMs ? value * 1000 : value;
	const text = typeof value === 'string' ? value.trim().replace(' ', 'T') : '';
	// Luxon reads a year, and a time of today, too.
	const date = DateTime.fromISO(/^\d{4}-\d\d/.test(text) ? text : '', { zone: 'utc' });
	return date.isValid ? date.toMillis() : undefined;
}
