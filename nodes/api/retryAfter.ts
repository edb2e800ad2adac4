/** Milliseconds to wait by a Retry-After header in seconds or as an HTTP date (RFC 9110, 10.2.3). */
export function readRetryAfter(header: unknown, now: Date): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// Date.parse also takes "-5" and "5s" for dates; an HTTP date starts with the day's name.
	if (!/^[A-Z][a-z]{2}/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
