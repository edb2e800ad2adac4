/** A date, or a date and a time with or without a zone. A space may stand in place of the T. */
const iso =
	/^(\d{4}-\d\d(?:-\d\d)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/i;

/** As milliseconds, smaller numbers would be in 1973 or earlier. As seconds, they are times of today. */
const fewestMs = 100_000_000_000;

/**
 * A point in time that the service names, in milliseconds, or undefined if the value is not one. The format is not
 * documented: ISO 8601 is read, and numbers of seconds or milliseconds since 1970. Without a zone, it is in UTC, not in the zone of the machine that n8n runs on.
 */
export function readTimestamp(value: unknown): number | undefined {
	if (typeof value === 'number') return Math.abs(value) < fewestMs ? value * 1000 : value;
	const [, day, time = '00:00', hours, minutes = '00'] =
		iso.exec(typeof value === 'string' ? value.trim() : '') ?? [];
	if (day === undefined) return undefined;
	const parsed = Date.parse(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
	return Number.isNaN(parsed) ? undefined : parsed;
}
