import { isObject } from '../runtime/unknown';
import type { ApiResponse } from './request';

export interface LostConnection {
	responded: false;
	code?: string;
	/** What the system was asked for, e.g. `connect`. Older versions of n8n lose it. */
	syscall?: string;
	reason: string;
}

/** What came of sending a request once. */
export type SendResult = ApiResponse | LostConnection;

export type Verdict =
	| 'done'
	/** The connection was never made, which may pass. */
	| 'unsent'
	/** The request was never sent, and will not be: the certificate, the protocol or the request itself is wrong. */
	| 'unsendable'
	/** The service did not take the request and says so: 429, or 503 that names a time to come back. */
	| 'busy'
	| 'refused'
	| 'in doubt';

/**
 * The one place that decides whether a request may have been done. Which statuses the service uses is not documented, so
 * everything that does not clearly say "not done" leaves doubt.
 */
export function judgeResult(result: SendResult): Verdict {
	if (!result.responded) {
		const { code = '', syscall } = result;
		if (unsendable.test(code)) return 'unsendable';
		// A host can also become unreachable while its response is awaited.
		const isUnconnected = unconnected.test(code) || (syscall === 'connect' && code !== '');
		return isUnconnected ? 'unsent' : 'in doubt';
	}
	const { status } = result;
	if (status >= 200 && status < 300) return 'done';
	if (status === 429 || (status === 503 && readRetryAfter(result) !== undefined)) return 'busy';
	return status < 400 || status >= 500 || status === 408 ? 'in doubt' : 'refused';
}

/** Codes of a name that was not found, and of a host that refused the connection. */
const unconnected = /^(?:EAI_AGAIN|ECONNREFUSED|ENOTFOUND)$/;

/**
 * A certificate that is not accepted, a server that speaks no TLS, a URL or header that cannot be sent. Other codes of TLS,
 * such as ERR_SSL_WRONG_VERSION_NUMBER, also come after a request has arrived.
 */
const unsendable =
	/^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|ERR_INVALID_(?:ARG|CHAR|HTTP_TOKEN|PROTOCOL|URL)|ERR_UNESCAPED_)/;

/** Milliseconds to wait by a Retry-After header in seconds or as an HTTP date, which starts with the day's name. */
export function readRetryAfter({ headers }: Pick<ApiResponse, 'headers'>): number | undefined {
	const text = String(headers['retry-after']).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const time = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun).* GMT$/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/** The code and text of a lost connection, wherever n8n's wrapping put them: older versions lose what caused an error. */
export function readLoss(error: unknown): LostConnection {
	const chain: Array<Record<string, unknown>> = [];
	for (let at = error; isObject(at) && chain.length < 5; at = at.cause) chain.push(at);
	const code = ['code', 'httpCode']
		.flatMap((name) => chain.map((link) => link[name]))
		.find((each): each is string => typeof each === 'string' && /^[A-Z][A-Z0-9_]+$/.test(each));
	const syscall = chain
		.map((link) => link.syscall)
		.find((each): each is string => typeof each === 'string');
	const message = chain.at(-1)?.message;
	return {
		responded: false,
		code,
		syscall,
		reason: typeof message === 'string' ? message : String(error),
	};
}
