import type { IDataObject } from 'n8n-workflow';
import { type NodeAdvice, type Sentence, writeSentences } from './advice';
import { describeDoubt, describeEndpoint } from './endpoint';
import { explainLoss, explainResponse } from './explanation';
import type { ApiRequest, RequestOutcome } from './request';
import { judgeOutcome } from './verdict';

export interface RequestFailure {
	/** What happened, in one sentence. */
	message: string;
	/** What to do, and what the service itself said. */
	description: Sentence[];
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
	readonly details: FailureDetails;

	private readonly sentences: Sentence[];

	constructor({ message, description, details }: RequestFailure) {
		super(message);
		this.sentences = description;
		this.details = details;
	}

	/** What to do, and what the service itself said, for a node without options and items. */
	get description(): string {
		return this.describe();
	}

	/** @param words for the node that failed */
	describe(words?: Record<NodeAdvice, string>): string {
		return writeSentences(this.sentences, words);
	}

	addAdvice(sentence: Sentence): void {
		this.sentences.push(sentence);
	}

	addDetails(more: IDataObject): void {
		Object.assign(this.details, more);
	}
}

/** Whether the service responded with one of these statuses instead of doing its work. */
export function hasStatus(
	error: unknown,
	...statuses: number[]
): error is RequestFailedError & { details: { status: number } } {
	return error instanceof RequestFailedError && statuses.includes(error.details.status ?? 0);
}

export interface FailedAttempts extends Pick<FailureDetails, 'attempts' | 'repeated'> {
	request: ApiRequest;
	/** Of the last attempt, or the one that ended the run. */
	outcome: RequestOutcome;
	/** Why it was not retried, if the outcome does not say. */
	reason?: string;
}

/** @param origin of the service, as `https://api.example.com` */
export function describeFailure(
	{ request, outcome, attempts, repeated, reason }: FailedAttempts,
	origin: string,
): RequestFailure {
	const maybeDone = request.method !== 'GET' && (repeated || judgeOutcome(outcome) === 'in doubt');
	const { message, advice, quote } = outcome.responded
		? explainResponse(outcome, request)
		: explainLoss(outcome, origin);
	const requestId = outcome.responded ? readRequestId(outcome.headers) : undefined;
	const sentences: Array<Sentence | undefined | false> = [
		attempts === 0 && 'Not sent, because an earlier request of this run got this response.',
		reason,
		quote,
		advice,
		maybeDone && describeDoubt(request),
		attempts > 1 && `Tried ${attempts} times.`,
		requestId && `Request ID: ${requestId}`,
	];
	return {
		message,
		description: sentences.filter((each) => each !== undefined && each !== false),
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
