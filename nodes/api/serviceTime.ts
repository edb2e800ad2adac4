/**
 * The time at the service when it responded, in milliseconds. Its clock may differ from n8n's, and the points in time
 * that it sends follow its own.
 */
export function readServiceTime({ date }: Record<string, unknown>, now: Date): number {
	return readHttpDate(date) ?? now.getTime();
}

export function readHttpDate(text: unknown): number | undefined {
	// Date.parse also takes "-5" and "5s" for dates; an HTTP date starts with the day's name.
	if (typeof text !== 'string' || !/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
	return readTimestamp(text);
}

/**
 * A point in time that the service names, in milliseconds; undefined for what is none. The format is not documented: one
 * without a zone is in UTC, not in the zone of the machine that n8n runs on.
 */
export function readTimestamp(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	// An offset after the time, or a name: Z, UTC, GMT or one such as EST. AM and PM are none, and need a space before one.
	const hasZone = /:[^:]*[+-]|[zct]$/i.test(text);
	const time = Date.parse(hasZone ? text : `${text.replace(/m$/i, '$& ')}Z`);
	return Number.isNaN(time) ? undefined : time;
}
