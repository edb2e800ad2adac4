import type { Outcome } from './request';

export type Decision =
	| { kind: 'give up'; reason?: string }
	| { kind: 'retry'; waitMs: number }
	/** The service is busy and did not take the request, so the whole run waits. Not counted as a retry. */
	| { kind: 'hold back'; waitMs: number };

export interface Situation {
	outcome: Outcome;
	/** See ApiRequest.repeatable. */
	repeatable: boolean;
	/** Retries made so far, hold-backs not counted. */
	retries: number;
	/** Hold-backs of this request so far. */
	holdBacks: number;
	/** 0 sends every request once, whatever the answer. */
	maxRetries: number;
	now: Date;
	/** From 0 up to 1, e.g. Math.random(). */
	chance: number;
}

export const longestWaitMs = 60_000;
const firstWaitMs = 500;
const longestOwnWaitMs = 30_000;

/** Codes of connections that were never made, so that the service cannot have seen the request. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Decides what follows an attempt that brought no success. Nothing is sent twice that could be done twice:
 * which statuses the service uses is not documented, so an unknown outcome of an unrepeatable request is final.
 */
export function decideRetry(situation: Situation): Decision {
	const { outcome, repeatable, retries, maxRetries, now, chance } = situation;
	const askedMs = outcome.responded
		? readRetryAfter(outcome.headers['retry-after'], now)
		: undefined;
	const busy = isBusy(outcome, askedMs);
	const mayRepeat = busy || (repeatable ? isPassing(outcome) : isNeverSent(outcome));

	if (!mayRepeat || maxRetries === 0) return { kind: 'give up' };
	if (!busy && retries >= maxRetries) return { kind: 'give up' };
	const ownMs = backOff(busy ? situation.holdBacks : retries, chance);
	// "At once", or a date that is over by this machine's clock, must not become a loop without a pause.
	const waitMs =
		askedMs !== undefined && askedMs >= firstWaitMs ? askedMs : Math.max(askedMs ?? 0, ownMs);
	if (waitMs > longestWaitMs) return { kind: 'give up', reason: describeLongWait(waitMs) };
	return { kind: busy ? 'hold back' : 'retry', waitMs };
}

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

export function isNeverSent(outcome: Outcome): boolean {
	return !outcome.responded && neverSent.has(outcome.code ?? '');
}

/** The service says that it did not take the request: 429, or 503 that names a time to come back. */
function isBusy(outcome: Outcome, askedMs: number | undefined): boolean {
	if (!outcome.responded) return false;
	return outcome.status === 429 || (outcome.status === 503 && askedMs !== undefined);
}

function isPassing(outcome: Outcome): boolean {
	return !outcome.responded || outcome.status === 408 || outcome.status >= 500;
}

/** Exponential with jitter: from half of the step to all of it. */
function backOff(step: number, chance: number): number {
	const wholeMs = Math.min(firstWaitMs * 2 ** step, longestOwnWaitMs);
	return Math.round(wholeMs * (0.5 + chance / 2));
}

function describeLongWait(waitMs: number): string {
	return `The service asks to wait ${Math.round(waitMs / 1000)} seconds (Retry-After), longer than the ${longestWaitMs / 1000} seconds that a run waits.`;
}
