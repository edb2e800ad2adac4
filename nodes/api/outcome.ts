import { type ApiResponse, isObject } from './request';

export interface LostConnection {
	responded: false;
	code?: string;
	/** What the system was asked for, e.g. `connect`. Older versions of n8n lose it. */
	syscall?: string;
	reason: string;
}

export type RequestOutcome = ApiResponse | LostConnection;

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
export function judgeOutcome(outcome: RequestOutcome): Verdict {
	if (!outcome.responded) {
		const { code = '', syscall } = outcome;
		if (unsendable.some((pattern) => pattern.test(code))) return 'unsendable';
		// A host can also become unreachable while its response is awaited.
		const isUnconnected = unconnected.has(code) || (syscall === 'connect' && code !== '');
		return isUnconnected ? 'unsent' : 'in doubt';
	}
	const { status } = outcome;
	if (status >= 200 && status < 300) return 'done';
	if (status === 429 || (status === 503 && readRetryAfter(outcome) !== undefined)) return 'busy';
	return status < 400 || status >= 500 || status === 408 ? 'in doubt' : 'refused';
}

/** Codes of a name that was not found, and of a host that refused the connection. */
const unconnected = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'ENOTFOUND']);

/** A certificate that is not accepted, a server that speaks no TLS, a URL or header that cannot be sent. */
const unsendable = [
	/^(?:CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|INVALID_(?:CA|PURPOSE)$|ERROR_IN_(?:CERT|CRL)_)/,
	/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO)$/,
	/^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|HTTP_REQUEST|NO_PROTOCOLS_AVAILABLE|UNKNOWN_PROTOCOL|VERSION_TOO_LOW|SSLV3_ALERT_HANDSHAKE_FAILURE|TLSV1_ALERT_PROTOCOL_VERSION|TLSV1_UNRECOGNIZED_NAME|SSL_TLSV1_.*|RECORD_LAYER_FAILURE)$/,
	/^ERR_(?:INVALID_(?:ARG|CHAR|HTTP_TOKEN|PROTOCOL|URL)|UNESCAPED_CHARACTERS)/,
];

/** Milliseconds to wait by a Retry-After header in seconds or as an HTTP date, which starts with the day's name. */
export function readRetryAfter({ headers }: Pick<ApiResponse, 'headers'>): number | undefined {
	const text = String(headers['retry-after']).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const time = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : NaN;
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
