import { readHttpDate, readServiceTime } from './serviceTime';

/** Milliseconds to wait by a Retry-After header in seconds or as an HTTP date (RFC 9110, 10.2.3). */
export function readRetryAfter(headers: Record<string, unknown>, now: Date): number | undefined {
	const header = headers['retry-after'];
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	const time = readHttpDate(text);
	return time === undefined ? undefined : Math.max(0, time - readServiceTime(headers, now));
}
