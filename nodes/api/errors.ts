import type { IDataObject } from 'n8n-workflow';
import type { LostConnection } from '../runtime/loss';
import { type Explanation, findObstacle, isOfProxy, proxyAdvice } from '../runtime/obstacle';
import { shorten } from '../runtime/text';
import { isObject } from '../runtime/unknown';
import { describeUrl, parseUrl } from '../runtime/url';
import { hideSecret, redact } from './redact';
import { type ApiRequest, type ApiResponse, isRepeatable } from './request';
import { readServiceText } from './serviceText';
import { judgeResult, type SendResult, type Verdict } from './verdict';

/** An error with what to do, and with facts for workflows that branch on them. */
export class DescribedError extends Error {
	description: string;

	readonly details?: IDataObject;

	/** Hidden from those who print or store the error, because only its description is redacted. */
	readonly #sentences: string[];

	/** @param sentences of the description */
	constructor(message: string, sentences: string | string[], details?: IDataObject) {
		super(message);
		this.#sentences = [sentences].flat();
		this.description = this.#sentences.join(' ');
		this.details = details;
	}

	/** Says what retries by itself, such as the next poll of a trigger, so that people need not. */
	leaveTo(retry: string): void {
		const leave = (sentence: string) => (sentence === retryLater ? retry : sentence);
		this.description = this.#sentences.map(leave).join(' ');
	}
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
	/** The service's own name for the request, for its support. */
	requestId?: string;
}

export interface FailedAttempts extends Pick<FailureDetails, 'attempts' | 'repeated'> {
	/** Why it was not retried, if the outcome does not say. */
	reason?: string;
}

export class RequestFailedError extends DescribedError {
	declare readonly details: FailureDetails;

	readonly verdict: Verdict;

	/** @param result of the last attempt, or the one that ended the run */
	constructor(
		request: ApiRequest,
		result: SendResult,
		{ attempts, repeated, reason }: FailedAttempts,
	) {
		const verdict = judgeResult(result);
		const [message, ...advice] = result.responded
			? explainStatus(result, request)
			: explainLoss(result, verdict);
		const maybeDone = request.method !== 'GET' && (repeated || verdict === 'in doubt');
		// With a good status, the body is a part of records, which no message shows.
		const isError = result.responded && result.status >= 300;
		const said = isError ? readServiceText(result.body, result.apiKey) : undefined;
		const requestId = result.responded ? readRequestId(result.headers) : undefined;
		const description = listSentences(
			attempts === 0 && 'Not sent, because an earlier request of this run got this response.',
			reason,
			said && `The response said: "${said}".`,
			!result.responded && `(${result.reason})`,
			// What is in doubt has its own advice on when to retry.
			...advice.filter((sentence) => !(maybeDone && sentence === retryLater)),
			maybeDone && describeDoubt(request),
			attempts > 1 && `Tried ${attempts} times.`,
			requestId && `Request ID: ${requestId}`,
		);
		super(message, description, {
			...(result.responded ? { status: result.status } : { code: result.code }),
			endpoint: describeEndpoint(request),
			attempts,
			maybeDone,
			repeated,
			...(requestId !== undefined && { requestId }),
		});
		this.verdict = verdict;
	}
}

/** A response with a good status whose body is not what the API documents, so that nothing is taken for a record by mistake. */
export class UnexpectedResponseError extends DescribedError {
	/** @param missing what the body should hold, e.g. "a record" */
	constructor(missing: string, { status, headers, request, body, apiKey }: ApiResponse) {
		const maybeDone = request.method !== 'GET';
		const said = readServiceText(body, apiKey, true);
		const requestId = readRequestId(headers);
		const description = listSentences(
			said && `The response said: "${said}".`,
			'Check the Base URL in the credential. If it is right, a login, a maintenance page, a firewall or a proxy responded instead of the API: let n8n through, or wait until it is over.',
			maybeDone && describeDoubt(request),
			requestId && `Request ID: ${requestId}`,
		);
		const isWebPage = typeof body === 'string' && /^\s*</.test(body);
		const came = isWebPage ? `a web page instead of ${missing}` : `something other than ${missing}`;
		super(`The service responded with ${came} (${status})`, description, {
			status,
			endpoint: describeEndpoint(request),
			maybeDone,
			...(requestId !== undefined && { requestId }),
		});
		hideSecret(this, apiKey);
	}
}

/** Whether the service responded with one of these statuses instead of doing its work. */
export function hasStatus(
	error: unknown,
	...statuses: number[]
): error is RequestFailedError & { details: { status: number } } {
	return error instanceof RequestFailedError && statuses.includes(error.details.status ?? 0);
}

/** Whether a request failed because of the service, and not because of the execution or this code. */
export function isOfService(error: unknown): error is RequestFailedError | UnexpectedResponseError {
	return error instanceof RequestFailedError || error instanceof UnexpectedResponseError;
}

/** Whether the service certainly did nothing. */
export function isUntouched(error: unknown): error is RequestFailedError {
	return error instanceof RequestFailedError && !error.details.maybeDone;
}

/** Whether the service may have done the work although the request failed. */
export function leavesDoubt(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	// The execution was cancelled before or between attempts. Whether an attempt was made is not known here.
	if (error.name === 'AbortError') return true;
	return 'details' in error && isObject(error.details) && error.details.maybeDone === true;
}

export const retryLater = 'Retry later.';
const whenLostAgain =
	'If it keeps happening, check the Base URL in the credential, and the firewalls and proxies between n8n and the service.';

/** What a status means for the request that got it. */
type Explain = (request: RefusedRequest) => Explanation;

interface RefusedRequest extends ApiRequest {
	status: number;
	/** Which the path names. A record may also be named by the values that are sent. */
	record?: string;
}

/** Which statuses the service uses is not documented; these are the meanings of RFC 9110. */
const statuses: Partial<Record<number, Explanation | Explain>> = {
	401: ['The API key was rejected (401)', 'Check the API Key and the Base URL in the credential.'],
	402: ['Payment required (402)', 'Check your plan in the service.'],
	403: [
		'The API key or this n8n has no access to this (403)',
		"Use a key that has the rights for it. If it has them, ask the service to let n8n's IP address through.",
	],
	404: explainMissing,
	405: [
		'The service does not support this request (405)',
		'Check the Base URL in the credential. If only changes fail, let PATCH and DELETE through firewalls and proxies on the way.',
	],
	409: explainConflict,
	410: explainMissing,
	413: ['The request is too large for the service (413)', 'Send less data in one item.'],
	422: ['The service rejected the values (422)', 'Check the values that were sent.'],
	429: ['Rate limit reached (429)', retryLater],
};

function explainStatus(response: ApiResponse, request: ApiRequest): Explanation {
	const { status } = response;
	const by = isOfProxy(response);
	if (by === true)
		return [
			// Who publishes sees the message alone.
			`A proxy between n8n and the service responded in its place (${status}): check NO_PROXY`,
			// A proxy also says that the service is down, or that it knows no such host.
			...(status < 500
				? []
				: [retryLater, 'If it keeps happening, check the Base URL in the credential.']),
			proxyAdvice,
		];
	const told = statuses[status] ?? explainOther(response);
	const record = describeRecord(request, response.apiKey);
	const explanation = typeof told === 'function' ? told({ ...request, status, record }) : told;
	if (by === false) return explanation;
	const [, ...advice] = explanation;
	return [
		`The service, or a proxy on the way to it, refused the request (${status})`,
		...advice,
		`If it was the service's firewall or CDN: Ask the service to let n8n through. If it was an outbound proxy: ${proxyAdvice}`,
	];
}

/** What comes from in front of a service when nothing comes from the service itself. Cloudflare has some of its own. */
const isOfGateway = (status: number) => [502, 503, 504].includes(status) || status >= 520;

function explainOther({ status, headers }: ApiResponse): Explanation {
	if (isOfGateway(status))
		return [
			`The service, or a proxy on the way to it, is unavailable (${status})`,
			retryLater,
			whenLostAgain,
		];
	if (status >= 500 || status === 408)
		return [`The service failed to process the request (${status})`, retryLater];
	if (status >= 400)
		return [
			`The service rejected the request (${status})`,
			'Check the values that were sent, and the Base URL in the credential.',
		];
	if (status < 300)
		return [`The service responded with incomplete or invalid JSON (${status})`, retryLater];
	const target = parseUrl(String(headers.location ?? ''))?.href;
	const to = target ? ` This one leads to ${describeUrl(target)}.` : '';
	return [
		`The service redirected the request (${status})`,
		`Redirects are not followed, so that the API key reaches no other address.${to} Check the Base URL in the credential. If it leads to a login, let n8n through without one.`,
	];
}

function explainMissing({ status, record, method }: RefusedRequest): Explanation {
	if (record)
		return [
			`${record} was not found (${status})`,
			'Check the ID. If every ID fails, check the Base URL and the API Key in the credential.',
		];
	if (method === 'GET')
		return [`The address was not found (${status})`, 'Check the Base URL in the credential.'];
	return [
		`A record that the values name, or the address, was not found (${status})`,
		'Check the IDs in the values. If every item fails, check the Base URL and the API Key in the credential.',
	];
}

/** Without values, as in archiving, a request conflicts with nothing but the state of its record. */
function explainConflict({ record = 'The record', body = {} }: RefusedRequest): Explanation {
	if (Object.keys(body).length > 0)
		return ['A conflicting record already exists (409)', 'Look for a record with the same values.'];
	return [
		`${record} cannot be changed in its present state (409)`,
		'Look at it in the service: it may already be archived or restored.',
	];
}

/** The code stays out of the message: n8n replaces messages that contain one. */
function explainLoss(loss: LostConnection, verdict: Verdict): Explanation {
	const obstacle = findObstacle(loss);
	if (obstacle) return obstacle;
	const { code } = loss;
	if (code === 'ERR_INVALID_CHAR')
		return [
			'The API key cannot be sent',
			'Check the API Key in the credential: it contains a character that no key can have.',
		];
	if (verdict === 'unsent' || verdict === 'unsendable')
		return [
			'The service cannot be reached',
			'Check that the service runs, that the Base URL in the credential is right, and that this n8n can reach it.',
		];
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT')
		return ['The service did not respond in time', retryLater, whenLostAgain];
	return ['The connection was lost before the response was complete', retryLater, whenLostAgain];
}

const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'];

/** The service's own name for a request, so that people can ask its support. */
function readRequestId(headers: Record<string, unknown>): string | undefined {
	return requestIdHeaders
		.map((name) => headers[name])
		.find(
			(value): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value),
		);
}

/** The request as messages name it, e.g. `GET /v0/persons`. */
export function describeEndpoint({ method, path }: ApiRequest): string {
	return `${method} /v0${path}`;
}

/** What messages call the records of each collection in a path. */
const recordNames: Partial<Record<string, string>> = {
	accounts: 'account',
	audience_sessions: 'audience session',
	audiences: 'audience',
	page_links: 'page link',
	pages: 'page',
	person_logs: 'person log entry',
	persons: 'person',
	webhook_subscriptions: 'webhook subscription',
};

/** The record that a path names, e.g. `Audience "aud_1" of page "page_1"`; undefined when it names no record. */
function describeRecord({ path }: ApiRequest, apiKey: string): string | undefined {
	const segments = path.split('/').slice(1);
	const names = segments.flatMap((collection, i) => {
		const [id, name] = [segments[i + 1], recordNames[collection]];
		const isRecord = i % 2 === 0 && name && id !== undefined && id !== 'search';
		if (!isRecord) return [];
		const shown = redact(decodeURIComponent(id), apiKey);
		return `${name} "${shorten(shown, 60)}"`;
	});
	const text = names.reverse().join(' of ');
	return text === '' ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the actions at the end of a path do to the record before them. */
const actions: Partial<Record<string, string>> = { restore: 'restored' };

/** What a request without a clear response may have done, and what to do about it. */
function describeDoubt(request: ApiRequest): string {
	const segments = request.path.split('/').slice(1);
	// An ID at the end may be any word.
	const isOdd = segments.length % 2 === 1;
	const action = isOdd ? actions[segments.at(-1) ?? ''] : undefined;
	const at = action ? -3 : isOdd ? -1 : -2;
	const record = recordNames[segments.at(at) ?? ''] ?? 'record';
	const done = { GET: 'read', POST: 'created', PATCH: 'updated', DELETE: 'archived' };
	const advice = isRepeatable(request)
		? 'You can safely retry.'
		: 'Check in the service before you retry.';
	return `The ${record} may have been ${action ?? done[request.method]}. ${advice}`;
}

function listSentences(...sentences: Array<string | false | undefined>): string[] {
	return sentences.filter((sentence): sentence is string => Boolean(sentence));
}
