import type { RateLimitFault, StatusFault } from './fault.mts';

export interface RateLimitWindow {
	endsAtMs: number;
	used: number;
}

/**
 * Returns the 429 of a request over the limit, and counts any other. A window starts with the first request after the
 * last window ended. Rejected requests do not count.
 */
export function countAgainstLimit(
	{ requests, perMs, retryAfter }: RateLimitFault,
	window: RateLimitWindow,
): StatusFault | undefined {
	const nowMs = Date.now();
	if (nowMs >= window.endsAtMs) Object.assign(window, { endsAtMs: nowMs + perMs, used: 0 });
	if (window.used < requests) {
		window.used++;
		return undefined;
	}
	const value = writeRetryAfter(retryAfter, nowMs, window.endsAtMs);
	return { kind: 'status', status: 429, headers: value ? { 'retry-after': value } : {} };
}

/** Both forms have whole seconds only. They are rounded up, so that a client that waits gets through. */
function writeRetryAfter(retryAfter: string | undefined, nowMs: number, endsAtMs: number) {
	if (retryAfter === 'seconds') return String(Math.ceil((endsAtMs - nowMs) / 1000));
	if (retryAfter === 'date') return new Date(Math.ceil(endsAtMs / 1000) * 1000).toUTCString();
	return retryAfter;
}
