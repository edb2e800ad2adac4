import type { IDataObject } from 'n8n-workflow';
import { describeDoubt, describeEndpoint } from './endpoint';
import { readRequestId, RequestFailedError } from './failure';
import { redact } from './redact';
import { type ApiResponse, isObject } from './request';
import { readStatedText } from './serviceText';
import { shorten } from './shorten';

/** A response with a good status whose body is not what the API documents, so that nothing is taken for a record by mistake. */
export class UnexpectedResponseError extends Error {
	description: string;

	readonly details: IDataObject;

	/** @param missing what the body should hold, e.g. "a record" */
	constructor(missing: string, { status, headers, request, body, apiKey }: ApiResponse) {
		const clean = redact(body, [apiKey]);
		super(`The service responded with ${describeBody(clean)} instead of ${missing} (${status})`);
		const maybeDone = request.method !== 'GET';
		const requestId = readRequestId(redact(headers, [apiKey]));
		const said = readStatedText(clean);
		this.description = [
			said && `The service said: "${said}".`,
			'Check the Base URL in the credential: a proxy or a login page may have responded instead of the API.',
			maybeDone && describeDoubt(request),
			requestId && `Request ID: ${requestId}`,
		]
			.filter(Boolean)
			.join(' ');
		this.details = {
			status,
			endpoint: describeEndpoint(request),
			maybeDone,
			...(requestId === undefined ? {} : { requestId }),
		};
	}
}

/** Whether a request failed because of the service, and not because of the execution or this code. */
export function isOfService(error: unknown): error is RequestFailedError | UnexpectedResponseError {
	return error instanceof RequestFailedError || error instanceof UnexpectedResponseError;
}

/** Whether the service certainly did nothing. */
export function isUntouched(error: unknown): boolean {
	return error instanceof RequestFailedError && !error.details.maybeDone;
}

/** Whether the service may have done the work although the request failed. */
export function leavesDoubt(error: unknown): boolean {
	return (
		// The execution was cancelled while the request was under way.
		(error instanceof Error && error.name === 'AbortError') ||
		error instanceof UnexpectedResponseError ||
		(error instanceof RequestFailedError && error.details.maybeDone)
	);
}

/**
 * The one record of a response.
 * @param id the field of its ID, where it has one: without it, the body may be anything but the record
 */
export function readRecord(response: ApiResponse, id?: string): IDataObject {
	if (!isObject(response.body)) throw new UnexpectedResponseError('a record', response);
	const record = response.body as IDataObject;
	if (id !== undefined && !hasId(record, id))
		throw new UnexpectedResponseError(`a record with ${id}`, response);
	return record;
}

export function hasId(record: IDataObject, id: string): boolean {
	return (
		typeof record[id] === 'number' || (typeof record[id] === 'string' && record[id].trim() !== '')
	);
}

/** The records of `{items: […]}`. */
export function readItems(response: ApiResponse): IDataObject[] {
	return readRecords(readRecord(response).items, response);
}

/** The records of a bare list. */
export function readBareList(response: ApiResponse): IDataObject[] {
	return readRecords(response.body, response);
}

/** An entry that is no object, which the API does not document, is kept as `{ value }` rather than lost. */
export function readRecords(list: unknown, response: ApiResponse): IDataObject[] {
	if (!Array.isArray(list)) throw new UnexpectedResponseError('a list', response);
	return list.map((entry) => (isObject(entry) ? (entry as IDataObject) : { value: entry }));
}

function describeBody(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'an empty body';
	if (Array.isArray(body)) return 'a list';
	if (typeof body === 'string') return /^\s*</.test(body) ? 'a web page' : 'text';
	if (typeof body !== 'object') return `a ${typeof body}`;
	return `an object (fields: ${shorten(Object.keys(body).slice(0, 10).join(', '), 200) || 'none'})`;
}
