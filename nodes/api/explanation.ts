import { retryLater, type Sentence } from './advice';
import { describeRecord } from './endpoint';
import type { ApiRequest, ApiResponse, LostConnection } from './request';
import { readServiceText } from './serviceText';
import { isCertificateRejected, isProtocolWrong, judgeOutcome } from './verdict';

/** What happened to a request without success, and what to do about it. */
export interface Explanation {
	message: string;
	advice: Sentence;
	/** What the service or the network said. */
	quote?: string;
}

export function explainResponse({ status, body }: ApiResponse, request: ApiRequest): Explanation {
	const said = readServiceText(body);
	return {
		...explainStatus(status, request),
		quote: said && `The service said: "${said}".`,
	};
}

function explainStatus(status: number, request: ApiRequest): Explanation {
	// Which statuses the service uses is not documented; these are the meanings of RFC 9110.
	if (status >= 300 && status < 400) {
		return {
			message: `The service redirected the request (${status})`,
			advice:
				'Redirects are not followed, so that the API key reaches no other address. Check the Base URL in the credential.',
		};
	}
	const checkValues: Sentence = { advice: 'check values' };
	const checkBaseUrl = 'Check the Base URL in the credential.';
	const known: Record<number, [message: string, advice: Sentence]> = {
		400: ['The service rejected the request (400)', checkValues],
		401: ['The API key was rejected (401)', 'Check the API Key in the credential.'],
		403: [
			'The API key has no access to this (403)',
			'Use a key that has access, or ask the person who created this one.',
		],
		404: [
			`${describeRecord(request) ?? 'The address'} was not found (404)`,
			'Check the ID. If every ID fails, check the Base URL in the credential.',
		],
		405: ['The service does not support this request (405)', checkBaseUrl],
		408: ['The service timed out while it waited for the request (408)', retryLater],
		409: ['A conflicting record already exists (409)', 'Look for a record with the same values.'],
		413: ['The request is too large for the service (413)', 'Send less at once.'],
		422: ['The service rejected the values (422)', checkValues],
		429: ['Rate limit reached (429)', { advice: 'send slower' }],
		503: ['The service is unavailable (503)', retryLater],
	};
	const [message, advice] =
		known[status] ??
		(status >= 500
			? [`The service failed to process the request (${status})`, retryLater]
			: [`The service rejected the request (${status})`, checkValues]);
	return { message, advice };
}

export function explainLoss(loss: LostConnection, origin: string): Explanation {
	// The code stays out of the message: n8n replaces messages that contain one.
	if (judgeOutcome(loss) === 'in doubt') return explainLostResponse(loss);
	if (isCertificateRejected(loss)) {
		return {
			message: 'The certificate of the service is not trusted',
			advice:
				'Nothing was sent. Check the Base URL in the credential. If the certificate is your own, add it to NODE_EXTRA_CA_CERTS of n8n.',
			quote: `(${loss.reason})`,
		};
	}
	if (isProtocolWrong(loss)) {
		return {
			message: `No secure connection to ${origin}`,
			advice:
				'Nothing was sent. Check the Base URL in the credential: its port may expect http:// instead of https://.',
		};
	}
	if (loss.code?.startsWith('ERR_')) {
		return {
			message: 'The request could not be built',
			advice: 'Nothing was sent. Check the Base URL and the API Key in the credential.',
			quote: `(${loss.reason})`,
		};
	}
	return {
		message: `No response from ${origin}`,
		advice: 'Check the Base URL in the credential, and that this n8n can reach it.',
	};
}

function explainLostResponse({ code, reason }: LostConnection): Explanation {
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') {
		return {
			message: 'The service did not respond in time',
			advice: { advice: 'wait longer' },
		};
	}
	const quote = `(${reason})`;
	// The name that the HTTP client has for a response that ends early.
	const isCut = code === 'ERR_BAD_RESPONSE';
	if (!isCut && (code === undefined || code.startsWith('ERR_'))) {
		return {
			message: 'Could not connect to the service',
			advice: 'Check the Base URL and the API Key in the credential.',
			quote,
		};
	}
	return {
		message: 'The connection was lost before the response was complete',
		advice: retryLater,
		quote,
	};
}
