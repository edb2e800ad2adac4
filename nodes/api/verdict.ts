import type { LostConnection } from '../runtime/loss';
import { type ApiRequest, type ApiResponse, isRepeatable } from './request';

/*
 * How doubt travels. `judgeResult` finds it in one result. If the client sends such a request again, the earlier attempt
 * counts as `repeated`, and so does an attempt of an earlier run. A failed write that was repeated or ends in doubt is
 * `maybeDone`: the service may have done it. By that the ledger (`PageAudience/ledger`) knows what to do next time.
 */

/** What came of sending a request once. */
export type SendResult = ApiResponse | LostConnection;

export type Verdict =
	| 'done'
	/** The connection was never made, which may pass. */
	| 'unsent'
	/** The request was never sent, and will not be: n8n refuses, or the certificate, the protocol or the request is wrong. */
	| 'unsendable'
	/** The service did not take the request and says so: 429, or 503 that names a time to come back. */
	| 'busy'
	| 'refused'
	| 'in doubt';

/** A run waits this long for the service to accept a request. */
export const patienceMs = 5 * 60_000;

const firstWaitMs = 500;
const longestOwnWaitMs = 30_000;

/** Codes of a name that was not found, and of a host that refused the connection. */
const unconnected = /^(?:EAI_AGAIN|ECONNREFUSED|ENOTFOUND)$/;

/** What is said of a connection that ended before the outbound proxy made it, or before its encryption began. The request waits for both. */
const early = /before (?:receiving CONNECT response|secure TLS connection was established)/;

/**
 * A certificate that is not accepted or not there, a server that speaks no TLS, a URL or header that cannot be sent. Other
 * codes of TLS, such as ERR_SSL_WRONG_VERSION_NUMBER, also come after a request has arrived.
 */
const unsendable =
	/^(?:CERT_|ERR_TLS_CERT_|ERR_SSL_\w+_ALERT_CERTIFICATE_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|ERR_INVALID_(?:ARG|CHAR|HTTP_TOKEN|PROTOCOL|URL)|ERR_UNESCAPED_)/;

/** The request belongs to another address, such as that with https:. After another redirect, the work may be done. */
const moves = [301, 307, 308];

/**
 * The one place that decides whether a request may have been done. Which statuses the service uses is not documented, so
 * everything that does not clearly say "not done" leaves doubt.
 */
export function judgeResult(result: SendResult): Verdict {
	if (!result.responded) {
		const { code = '', syscall, reason, isRefusal } = result;
		if (isRefusal || unsendable.test(code)) return 'unsendable';
		// A host can also become unreachable while its response is awaited.
		const isUnconnected = unconnected.test(code) || (syscall === 'connect' && code !== '');
		return isUnconnected || early.test(reason) ? 'unsent' : 'in doubt';
	}
	const { status } = result;
	if (status >= 200 && status < 300) return isBrokenJson(result) ? 'in doubt' : 'done';
	if (status === 429 || (status === 503 && readRetryAfter(result) !== undefined)) return 'busy';
	if (moves.includes(status)) return 'refused';
	return status < 400 || status >= 500 || status === 408 ? 'in doubt' : 'refused';
}

/** n8n parses JSON. What is left as text although it begins like JSON has lost its end on the way, or is invalid. */
const isBrokenJson = ({ body }: ApiResponse) => typeof body === 'string' && /^\s*[[{]/.test(body);

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
	/** Send it again after a pause of the whole run. */
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
	const { status } = result.responded ? result : {};
	// The key of the run was rejected.
	if (status === 401) return { step: 'end' };
	if (verdict === 'busy') {
		if (maxRetries === 0) return { step: 'end' };
		const waitMs = chooseWait(result, pauses, jitter);
		return refusedMs + waitMs > patienceMs
			? { step: 'end', reason: describeImpatience(waitMs) }
			: { step: 'pause', waitMs };
	}
	// The same request would get the same response, or fail the same way.
	if (verdict === 'refused' || verdict === 'unsendable') return { step: 'fail' };
	// A redirect would come again.
	if (status !== undefined && status >= 300 && status < 400) return { step: 'fail' };
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

/** Milliseconds to wait by a Retry-After header in seconds or as an HTTP date, which starts with the day's name. */
export function readRetryAfter({ headers }: Pick<ApiResponse, 'headers'>): number | undefined {
	const text = String(headers['retry-after']).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const time = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun).* GMT$/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}
