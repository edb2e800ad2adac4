import type { RequestOutcome } from './request';
import { readRetryAfter } from './retryAfter';
import { judgeOutcome } from './verdict';

export type RetryDecision =
	| { kind: 'give up'; reason?: string }
	| { kind: 'retry'; waitMs: number }
	/** The service is busy and did not take the request, so the whole run waits. Not counted as a retry. */
	| { kind: 'hold back'; waitMs: number };

export interface RetrySituation {
	outcome: RequestOutcome;
	/** See ApiRequest.repeatable. */
	repeatable: boolean;
	/** Retries made so far, hold-backs not counted. */
	retries: number;
	/** Hold-backs of this request so far. */
	holdBacks: number;
	/** 0 sends every request once, whatever the response. */
	maxRetries: number;
	now: Date;
	/** From 0 up to 1, e.g. Math.random(). */
	chance: number;
}

const longestWaitMs = 60_000;
const firstWaitMs = 500;
const longestOwnWaitMs = 30_000;

/** Decides what follows an attempt without success. A request that might then be done twice is never resent. */
export function decideRetry(situation: RetrySituation): RetryDecision {
	const { outcome, repeatable, retries, maxRetries, now, chance } = situation;
	const verdict = judgeOutcome(outcome);
	const busy = verdict === 'busy';
	// A redirect would come again.
	const isRedirect = outcome.responded && outcome.status < 400;
	const mayRepeat =
		busy || verdict === 'unsent' || (verdict === 'in doubt' && repeatable && !isRedirect);
	if (!mayRepeat || maxRetries === 0) return { kind: 'give up' };
	if (!busy && retries >= maxRetries) return { kind: 'give up' };

	const askedMs = outcome.responded ? readRetryAfter(outcome.headers, now) : undefined;
	const ownMs = backOff(busy ? situation.holdBacks : retries, chance);
	// "At once", or a date that has passed, must not become a loop without a pause.
	const waitMs =
		askedMs !== undefined && askedMs >= firstWaitMs ? askedMs : Math.max(askedMs ?? 0, ownMs);
	if (waitMs > longestWaitMs) return { kind: 'give up', reason: describeLongWait(waitMs) };
	return { kind: busy ? 'hold back' : 'retry', waitMs };
}

/** Exponential with jitter: from half of the step to all of it. */
function backOff(step: number, chance: number): number {
	const wholeMs = Math.min(firstWaitMs * 2 ** step, longestOwnWaitMs);
	return Math.round(wholeMs * (0.5 + chance / 2));
}

function describeLongWait(waitMs: number): string {
	return `The service asks for a pause of ${Math.round(waitMs / 1000)} seconds (Retry-After). A run waits ${longestWaitMs / 1000} seconds at most.`;
}
