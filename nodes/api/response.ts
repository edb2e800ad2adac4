import type { IDataObject } from 'n8n-workflow';
import { type ApiResponse, isObject } from './request';

/** An response with a good status whose body is not what the API documents, so that nothing is taken for a record by mistake. */
export class UnexpectedResponseError extends Error {
	readonly description =
		"Check 'Base URL' in the credential: a proxy or a login page may response in the API's place. What was sent may have been done.";

	readonly details: IDataObject;

	constructor(what: string, { status, endpoint, body }: ApiResponse) {
		super(`The service answered ${what} (status ${status}, ${describeBody(body)})`);
		this.details = { status, endpoint, maybeDone: endpoint?.startsWith('GET') === false };
	}
}

/** The one record of an response. */
export function readRecord(response: ApiResponse): IDataObject {
	if (!isObject(response.body)) throw new UnexpectedResponseError('without the record', response);
	return response.body as IDataObject;
}

/** The records of `{items: […]}`. */
export function readItems(response: ApiResponse): IDataObject[] {
	return readRecords(readRecord(response).items, response);
}

/** The records of a bare list. */
export function readList(response: ApiResponse): IDataObject[] {
	return readRecords(response.body, response);
}

/** An entry that is no object, which the API does not document, is kept as `{ value }` rather than lost. */
export function readRecords(list: unknown, response: ApiResponse): IDataObject[] {
	if (!Array.isArray(list)) throw new UnexpectedResponseError('without the list', response);
	return list.map((entry) => (isObject(entry) ? (entry as IDataObject) : { value: entry }));
}

function describeBody(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'an empty body';
	if (Array.isArray(body)) return 'a list';
	if (typeof body === 'string') return /^\s*</.test(body) ? 'a web page' : 'text';
	return typeof body === 'object'
		? `fields: ${Object.keys(body).slice(0, 10).join(', ')}`
		: typeof body;
}
