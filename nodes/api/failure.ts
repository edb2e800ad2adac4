import type { IDataObject } from 'n8n-workflow';
import { type ApiRequest, describeEndpoint, isRepeatable, type Outcome } from './request';
import { isNeverSent } from './retry';
import { readServiceText } from './serviceText';

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
	attempts: number;
	/** The service may have done the work although no success was seen. */
	maybeDone: boolean;
	/** An attempt before the last one may have done the work. */
	repeated: boolean;
}

/** A request that brought no success, told for people. */
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

interface Story {
	request: ApiRequest;
	outcome: Outcome;
	attempts: number;
	repeated: boolean;
	/** Why nothing more was tried, where that is not plain from the outcome. */
	reason?: string;
}

/** @param secret cut out of what the service said, in case it repeats the API key */
export function describeFailure(
	{ request, outcome, attempts, repeated, reason }: Story,
	secret: string,
): Failure {
	const maybeDone = request.method !== 'GET' && (repeated || isUncertain(outcome));
	const { message, advice } = outcome.responded
		? explainStatus(outcome.status)
		: explainLoss(outcome.code);
	const said = hide(secret, outcome.responded ? readServiceText(outcome.body) : outcome.reason);
	const description = [
		reason,
		said && (outcome.responded ? `The service said: "${said}".` : `(${said})`),
		advice,
		maybeDone && describeDoubt(request),
		attempts > 1 && `Tried ${attempts} times.`,
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
		},
	};
}

function hide(secret: string, text: string | undefined): string | undefined {
	return secret === '' ? text : text?.replaceAll(secret, '***');
}

/** Whether the service may have done the work although no success was seen. */
export function isUncertain(outcome: Outcome): boolean {
	if (!outcome.responded) return !isNeverSent(outcome);
	// Whether the service can answer 5xx or 408 after the work was done is not documented.
	return outcome.status === 408 || (outcome.status >= 500 && outcome.status !== 503);
}

function describeDoubt(request: ApiRequest): string {
	return isRepeatable(request)
		? 'It may have been done all the same; sending it again does no harm.'
		: 'It may have been done all the same: look in the service before you send it again.';
}

function explainStatus(status: number): { message: string; advice: string } {
	// Which statuses the service uses is not documented; these are the meanings of RFC 9110.
	if (status >= 300 && status < 400) {
		return {
			message: `The service answered with a redirect (${status}), which is not followed so that the API key is not sent elsewhere`,
			advice: "Check 'Base URL' in the credential: it must be the API's own address.",
		};
	}
	const known: Record<number, [message: string, advice: string]> = {
		400: ['The service did not accept the request (400)', 'Check the values of this item.'],
		401: ['The service did not accept the API key (401)', "Check 'API Key' in the credential."],
		403: [
			'The API key may not do this (403)',
			'Use the key of a user who may, or ask the owner of the account to allow it.',
		],
		404: [
			'The service found no such record (404)',
			"Check the ID, and 'Base URL' in the credential if this happens with every ID.",
		],
		405: ['The service does not offer this (405)', "Check 'Base URL' in the credential."],
		408: ['The service waited too long for the request (408)', 'Try again later.'],
		409: [
			'The service has a record that stands against this one (409)',
			'Look for a record with the same values.',
		],
		413: ['The request is too large for the service (413)', 'Send less at once.'],
		422: ['The service did not accept the values (422)', 'Check the values of this item.'],
		429: [
			'The service takes no more requests for now (429)',
			"Try again later, or set 'Options > Requests per Second'.",
		],
		503: ['The service is not available (503)', 'Try again later.'],
	};
	const [message, advice] =
		known[status] ??
		(status >= 500
			? [`The service could not do it (${status})`, 'Try again later.']
			: [`The service did not accept the request (${status})`, 'Check the values of this item.']);
	return { message, advice };
}

function explainLoss(code: string | undefined): { message: string; advice: string } {
	// The code itself stays out of the message: n8n replaces texts that contain one.
	if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return {
			message: 'Nothing answers at the address of the API',
			advice: "Check 'Base URL' in the credential, and that this n8n can reach it.",
		};
	}
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') {
		return {
			message: 'The service did not answer in time',
			advice: "Try again later, or raise 'Options > Timeout'.",
		};
	}
	// The name that the HTTP client has for an answer that ends before its time.
	const isCut = code === 'ERR_BAD_RESPONSE';
	if (!isCut && (code === undefined || /^ERR_|CERT|SIGNATURE|TLS/.test(code))) {
		return {
			message: 'The request could not be exchanged with the service',
			advice: "Check 'Base URL' and 'API Key' in the credential.",
		};
	}
	return {
		message: 'The connection to the service was lost before its answer was complete',
		advice: 'Try again later.',
	};
}
