import type { IDataObject } from 'n8n-workflow';
import { type Answer, isObject } from './request';

/** An answer with a good status whose body is not what the API documents, so that nothing is taken for a record by mistake. */
export class UnexpectedAnswer extends Error {
	readonly description =
		"Check 'Base URL' in the credential: a proxy or a login page may answer in the API's place. What was sent may have been done.";

	readonly details: IDataObject;

	constructor(what: string, { status, endpoint, body }: Answer) {
		super(`The service answered ${what} (status ${status}, ${describe(body)})`);
		this.details = { status, endpoint, maybeDone: endpoint?.startsWith('GET') === false };
	}
}

/** The one record of an answer. */
export function readRecord(answer: Answer): IDataObject {
	if (!isObject(answer.body)) throw new UnexpectedAnswer('without the record', answer);
	return answer.body as IDataObject;
}

/** The records of `{items: […]}`. */
export function readItems(answer: Answer): IDataObject[] {
	return readRecords(readRecord(answer).items, answer);
}

/** The records of a bare list. */
export function readList(answer: Answer): IDataObject[] {
	return readRecords(answer.body, answer);
}

/** An entry that is no object, which the API does not document, is kept as `{ value }` rather than lost. */
export function readRecords(list: unknown, answer: Answer): IDataObject[] {
	if (!Array.isArray(list)) throw new UnexpectedAnswer('without the list', answer);
	return list.map((entry) => (isObject(entry) ? (entry as IDataObject) : { value: entry }));
}

function describe(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'an empty body';
	if (Array.isArray(body)) return 'a list';
	if (typeof body === 'string') return /^\s*</.test(body) ? 'a web page' : 'text';
	return typeof body === 'object'
		? `fields: ${Object.keys(body).slice(0, 10).join(', ')}`
		: typeof body;
}
