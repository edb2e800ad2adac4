import type { IDataObject } from 'n8n-workflow';
import { describeDoubt, describeEndpoint, describeRecord } from './endpoint';
import type { ApiRequest, ApiResponse, LostConnection, Outcome } from './request';
import { readServiceText } from './serviceText';
import { isCertificateRejected, isProtocolWrong, judge } from './verdict';

export interface Failure {
	/** What happened, in one sentence. */
	message: string;
	/** What to do, and what the service itself said. */
	description: string;
	details: FailureDetails;
}

export interface FailureDetails extends IDataObject {
	status?: number;
	/** The system's name for a lost connection, e.g. ECONNRESET. */
	code?: string;
	endpoint: string;
	/** Requests that were sent. */
	attempts: number;
	/** The service may have done the work although no success was seen. */
	maybeDone: boolean;
	/** An attempt before the last one may have done the work. */
	repeated: boolean;
	/** The service's own name for the request, for its support. */
	requestId?: string;
}

/** A request without success, described for people. */
export class RequestFailedError extends Error {
	readonly description: string;

	readonly details: FailureDetails;

	constructor({ message, description, details }: Failure) {
		super(message);
		this.description = description;
		this.details = details;
	}

	addDetails(more: IDataObject): void {
		Object.assign(this.details, more);
	}
}

export interface FailedAttempts {
	request: ApiRequest;
	/** Of the last attempt, or the one that ended the run. */
	outcome: Outcome;
	/** Requests that were sent. */
	attempts: number;
	/** An attempt before the last one may have done the work. */
	repeated: boolean;
	/** Why it was not retried, if the outcome does not say. */
	reason?: string;
}

export interface ServiceAddress {
	/** As `https://api.example.com`. */
	origin: string;
	/** Removed from what the service said, in case it repeats the API key. */
	apiKey: string;
}

export function describeFailure(
	{ request, outcome, attempts, repeated, reason }: FailedAttempts,
	{ origin, apiKey }: ServiceAddress,
): Failure {
	const maybeDone = request.method !== 'GET' && (repeated || judge(outcome) === 'in doubt');
	const { message, advice, quote } = outcome.responded
		? explainResponse(outcome, request)
		: explainLoss(outcome, origin);
	const requestId = outcome.responded ? readRequestId(outcome.headers) : undefined;
	const description = [
		attempts === 0 && 'Not sent, because an earlier request of this run got this response.',
		reason,
		hideKey(quote, apiKey),
		advice,
		maybeDone && describeDoubt(request),
		attempts > 1 && `Tried ${attempts} times.`,
		requestId && `Request ID: ${requestId}`,
	];
	return {
		message,
		description: description.filter(Boolean).join(' '),
		details: {
			...(outcome.responded ? { status: outcome.status } : { code: outcome.code }),
			endpoint: describeEndpoint(request),
			attempts,
			maybeDone,
			repeated,
			...(requestId === undefined ? {} : { requestId }),
		},
	};
}

/** Headers in which services name a request, the most specific first. */
const requestIdHeaders = [
	'x-request-id',
	'request-id',
	'x-correlation-id',
	'cf-ray',
	'traceparent',
];

/** The service's own name for a request, so that people can ask its support. */
export function readRequestId(headers: Record<string, unknown>): string | undefined {
	return requestIdHeaders
		.map((name) => headers[name])
		.find(
			(value): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value),
		);
}

function hideKey(text: string | undefined, apiKey: string): string | undefined {
	return apiKey === '' ? text : text?.replaceAll(apiKey, '***');
}

interface Explanation {
	message: string;
	advice: string;
	/** What the service or the network said. */
	quote?: string;
}

function explainResponse({ status, body }: ApiResponse, request: ApiRequest): Explanation {
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
	const checkValues = 'Check the values of this item.';
	const checkBaseUrl = 'Check the Base URL in the credential.';
	const known: Record<number, [message: string, advice: string]> = {
		400: ['The service rejected the request (400)', checkValues],
		401: ['The API key was rejected (401)', 'Check the API Key in the credential.'],
		403: [
			'The API key has no access to this (403)',
			'Use a key that has access, or ask the owner of the account for it.',
		],
		404: [
			`${describeRecord(request) ?? 'The address'} was not found (404)`,
			'Check the ID. If every ID fails, check the Base URL in the credential.',
		],
		405: ['The service does not support this request (405)', checkBaseUrl],
		408: ['The service timed out while it waited for the request (408)', 'Retry later.'],
		409: ['A conflicting record already exists (409)', 'Look for a record with the same values.'],
		413: ['The request is too large for the service (413)', 'Send less at once.'],
		422: ['The service rejected the values (422)', checkValues],
		429: [
			'Rate limit reached (429)',
			'Retry later, or set Options > Requests per Second to stay below the limit.',
		],
		503: ['The service is unavailable (503)', 'Retry later.'],
	};
	const [message, advice] =
		known[status] ??
		(status >= 500
			? [`The service failed to process the request (${status})`, 'Retry later.']
			: [`The service rejected the request (${status})`, checkValues]);
	return { message, advice };
}

function explainLoss(loss: LostConnection, origin: string): Explanation {
	// The code stays out of the message: n8n replaces messages that contain one.
	const { code, reason } = loss;
	if (isCertificateRejected(loss)) {
		return {
			message: 'The certificate of the service is not trusted',
			advice:
				'Nothing was sent. Check the Base URL in the credential. If the certificate is your own, add it to NODE_EXTRA_CA_CERTS of n8n.',
			quote: `(${reason})`,
		};
	}
	if (isProtocolWrong(loss)) {
		return {
			message: `No secure connection to ${origin}`,
			advice:
				'Nothing was sent. Check the Base URL in the credential: its port may expect http:// instead of https://.',
		};
	}
	if (judge(loss) === 'unsent') {
		return {
			message: `No response from ${origin}`,
			advice: 'Check the Base URL in the credential, and that this n8n can reach it.',
		};
	}
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') {
		return {
			message: 'The service did not respond in time',
			advice: 'Retry later, or increase Options > Timeout.',
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
		advice: 'Retry later.',
		quote,
	};
}
