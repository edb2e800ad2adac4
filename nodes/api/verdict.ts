import { judgeResult, readRetryAfter, type SendResult } from './causes';
import { type ApiRequest, isRepeatable } from './request';

/*
 * How doubt travels. `causes.ts` finds it in one result. If the client sends such a request again, the earlier attempt
 * counts as `repeated`, and so does an attempt of an earlier run. A failed write that was repeated or ends in doubt is
 * `maybeDone`: the service may have done it. By that the ledger (`PageAudience/ledger`) knows what to do next time.
 */

/** A run waits this long for the service to accept a request. */
export const patienceMs = 5 * 60_000;

const firstWaitMs = 500;
const longestOwnWaitMs = 30_000;

/** What a request has been through when its last attempt has failed. */
export interface Attempts {
	retries: number;
	maxRetries: number;
	/** How often the run has paused because the service did not take this request. */
	pauses: number;
	/** How long the service has taken no request of the run. */
	refusedMs: number;
	/** From 0 to 1, so that requests which failed together are not resent together. */
	jitter: number;
}

export type NextStep =
	/** Send the request again after a wait, in which others go on. */
	| { step: 'retry'; waitMs: number }
	/** Send it again after a pause of all runs with this key. */
	| { step: 'pause'; waitMs: number }
	/** Give this request up. The reason is there if the result does not say it. */
	| { step: 'fail'; reason?: string }
	/** Give the whole run up: all other requests would meet the same. */
	| { step: 'end'; reason?: string };

/** What follows a request that has not succeeded. What might then be done twice is never sent again. */
export function decideNext(
	request: ApiRequest,
	result: SendResult,
	{ retries, maxRetries, pauses, refusedMs, jitter }: Attempts,
): NextStep {
	const verdict = judgeResult(result);
	const status = result.responded ? result.status : 0;
	// The key of the run was rejected.
	if (status === 401) return { step: 'end' };
	if (verdict === 'busy') {
		if (maxRetries === 0) return { step: 'end' };
		const waitMs = chooseWait(result, pauses, jitter);
		return refusedMs + waitMs > patienceMs
			? { step: 'end', reason: describeImpatience(waitMs) }
			: { step: 'pause', waitMs };
	}
	// The same request would get the same response, or fail the same way. A redirect would come again.
	if (verdict === 'refused' || verdict === 'unsendable') return { step: 'fail' };
	if (status >= 300 && status < 400) return { step: 'fail' };
	if (verdict === 'in doubt' && !isRepeatable(request)) return { step: 'fail' };
	if (retries >= maxRetries) return { step: 'fail' };
	const waitMs = chooseWait(result, retries, jitter);
	return waitMs > patienceMs
		? { step: 'fail', reason: describeImpatience(waitMs) }
		: { step: 'retry', waitMs };
}

/** As long as the service asks, else longer each time with jitter: from half of the step to all of it. */
function chooseWait(result: SendResult, earlier: number, jitter: number): number {
	const askedMs = result.responded ? (readRetryAfter(result) ?? 0) : 0;
	const wholeMs = Math.min(firstWaitMs * 2 ** earlier, longestOwnWaitMs);
	// "At once", or a date that has passed, must not become a loop without a pause.
	return Math.ceil(askedMs >= firstWaitMs ? askedMs : wholeMs * (0.5 + jitter / 2));
}

function describeImpatience(waitMs: number): string {
	return `The next attempt would be in ${Math.round(waitMs / 1000)} seconds. A run waits ${patienceMs / 60_000} minutes at most for the service to accept a request.`;
}
