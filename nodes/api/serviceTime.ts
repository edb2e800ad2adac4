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
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}
