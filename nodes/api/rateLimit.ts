import { readServiceTime } from './serviceTime';

/** How many more requests the service takes, and for how long that holds. */
export interface Allowance {
	remaining: number;
	/** Milliseconds until the service counts anew. */
	resetMs: number;
}

/** Longer periods are left to the service's own 429: a run that waits that long looks like one that hangs. */
const longestResetMs = 60_000;

/** A reset from here on is a point in time, in seconds since 1970; below it is a period in seconds. */
const firstEpochSeconds = 1_000_000_000;

/**
 * The limit that a response announces, in the headers that services use for it: `RateLimit` (with `r` and `t`, or
 * `remaining` and `reset`), `RateLimit-Remaining` and `RateLimit-Reset`, and the same with `X-`.
 * As `limit=100, remaining=50, reset=30`, or `"default";r=50;t=30` as in the later drafts.
 * None of them is documented for this API, so nothing depends on them: what makes no sense is ignored.
 */
export function readAllowance(headers: Record<string, unknown>, now: Date): Allowance | undefined {
	const combined = String(headers.ratelimit);
	const remaining = readCount(
		/(?:^|[;,\s])r(?:emaining)?=(\d+)/.exec(combined)?.[1] ??
			headers['ratelimit-remaining'] ??
			headers['x-ratelimit-remaining'] ??
			headers['x-rate-limit-remaining'],
	);
	const reset = readCount(
		/(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(combined)?.[1] ??
			headers['ratelimit-reset'] ??
			headers['x-ratelimit-reset'] ??
			headers['x-rate-limit-reset'],
	);
	if (remaining === undefined || reset === undefined) return undefined;
	const resetMs =
		reset < firstEpochSeconds ? reset * 1000 : reset * 1000 - readServiceTime(headers, now);
	return resetMs > 0 && resetMs <= longestResetMs ? { remaining, resetMs } : undefined;
}

function readCount(value: unknown): number | undefined {
	const text = String(value);
	return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
