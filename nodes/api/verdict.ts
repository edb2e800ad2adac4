import { readRetryAfter } from './retryAfter';
import type { LostConnection, RequestOutcome } from './request';

/** What an attempt without success says about the work that was asked for. */
export type RequestVerdict =
	/** The connection was never made, which may pass. */
	| 'unsent'
	/** The request was never sent, and will not be: the certificate, the protocol or the request itself is wrong. */
	| 'unsendable'
	/** The service did not take the request and says so: 429, or 503 that names a time to come back. */
	| 'busy'
	/** The service refused the request. */
	| 'refused'
	/** The service may have done the work. */
	| 'in doubt';

/**
 * The one place that decides whether a request without success may have been done. Which statuses the service uses is
 * not documented, so everything that does not clearly say "not done" leaves doubt.
 */
export function judgeOutcome(outcome: RequestOutcome): RequestVerdict {
	if (!outcome.responded) {
		if (isCertificateRejected(outcome) || isProtocolWrong(outcome) || isUnbuildable(outcome))
			return 'unsendable';
		return isUnconnected(outcome) ? 'unsent' : 'in doubt';
	}
	const { status, headers } = outcome;
	if (status === 429) return 'busy';
	if (status === 503 && readRetryAfter(headers, new Date()) !== undefined) return 'busy';
	// Whether the service can respond with 3xx, 408 or 5xx after the work was done is not documented.
	return status < 400 || status >= 500 || status === 408 ? 'in doubt' : 'refused';
}

/** Codes of a name that was not found, and of a host that refused the connection. */
const unconnectedCodes = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'ENOTFOUND']);

/** Whether the connection never stood. A host can also become unreachable while its response is awaited. */
function isUnconnected({ code = '', syscall }: LostConnection): boolean {
	return unconnectedCodes.has(code) || (syscall === 'connect' && code !== '');
}

/** The names that Node has for a URL or a header that cannot be sent. */
function isUnbuildable({ code }: LostConnection): boolean {
	return /^ERR_(?:INVALID_(?:ARG|CHAR|HTTP_TOKEN|PROTOCOL|URL)|UNESCAPED_CHARACTERS)/.test(
		String(code),
	);
}

/** The names that OpenSSL and Node have for a certificate that they do not accept. */
const certificateCode =
	/^(?:CERT_|CRL_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|ERROR_IN_(?:CERT|CRL)_)/;

export function isCertificateRejected({ code }: LostConnection): boolean {
	return certificateCode.test(String(code));
}

/** The handshake failed, as with a server that does not speak TLS: `https://` at a port that speaks http. */
const handshakeCode =
	/^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|HTTP_REQUEST|NO_PROTOCOLS_AVAILABLE|UNKNOWN_PROTOCOL|VERSION_TOO_LOW|SSLV3_ALERT_HANDSHAKE_FAILURE|TLSV1_ALERT_PROTOCOL_VERSION|TLSV1_UNRECOGNIZED_NAME|SSL_TLSV1_.*|RECORD_LAYER_FAILURE))$/;

export function isProtocolWrong({ code }: LostConnection): boolean {
	return handshakeCode.test(String(code));
}
