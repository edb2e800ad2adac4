import { type IDataObject, isSafeObjectProperty } from 'n8n-workflow';
import { path, PathSegmentError } from '../api/path';
import type { ApiRequest, ApiResponse } from '../api/request';
import { isOfService } from '../api/errors';
import { readRecord, readRecords } from '../api/response';
import { shorten } from '../api/text';
import { pickFields, sessionShape } from './shapes';

/** What a visitor did in a session, as the API returns it. */
export interface Interactions {
	/** Whether the service found the session, where it says so. */
	found: boolean | null;
	records: IDataObject[];
}

/** All that a session can get with its interactions. */
interface SessionInteractions extends IDataObject {
	/** null when they could not be read, like the two that follow. */
	answers: IDataObject | null;
	interactions: IDataObject[] | null;
	/** null also when the service did not say. */
	interactionsFound: boolean | null;
	/** Why they could not be read. */
	interactionsError?: string;
}

export function requestInteractions(audienceSessionId: string): ApiRequest {
	return { method: 'GET', path: path`/audience_sessions/${audienceSessionId}/interactions` };
}

export function readInteractions(response: ApiResponse): Interactions {
	const { found, interactions } = readRecord(response);
	// What `found: false` means for the list is not documented, so an absent list is an empty one then.
	const list = found === false ? (interactions ?? []) : interactions;
	return {
		found: typeof found === 'boolean' ? found : null,
		records: readRecords(list, response),
	};
}

/**
 * The names of the fields that a session gets. Either choice has the interactions read, so that the answers need no
 * second switch. None means that nothing is read.
 */
export function listInteractionFields(choice: {
	includeInteractions?: boolean;
	addAnswers?: boolean;
}): string[] {
	const wanted = [
		...(choice.addAnswers ? ['answers'] : []),
		...(choice.includeInteractions ? ['interactions'] : []),
	];
	return wanted.length > 0 ? [...wanted, 'interactionsFound', 'interactionsError'] : [];
}

/**
 * What the interactions add to one session of a list. A session whose interactions cannot be read says so, instead of
 * failing the sessions around it.
 * @param fields the names of what to return
 * @throws the abort's reason when the execution was cancelled
 */
export async function readSessionInteractions(
	session: IDataObject,
	send: (request: ApiRequest) => Promise<ApiResponse>,
	fields: string[],
): Promise<IDataObject> {
	return pickFields(await read(session, send), fields);
}

async function read(
	session: IDataObject,
	send: (request: ApiRequest) => Promise<ApiResponse>,
): Promise<SessionInteractions> {
	try {
		const id = session[sessionShape.id];
		const request = requestInteractions(typeof id === 'string' ? id : '');
		const { found, records } = readInteractions(await send(request));
		return {
			answers: collectAnswers(records),
			interactions: records,
			interactionsFound: found,
		};
	} catch (error) {
		return {
			answers: null,
			interactions: null,
			interactionsFound: null,
			interactionsError: describe(error),
		};
	}
}

function describe(error: unknown): string {
	if (isOfService(error)) return error.message;
	if (error instanceof PathSegmentError) return `${sessionShape.id} ${error.message}`;
	throw error;
}

/** Characters of a label. Longer ones are rare, and no column or list shows them whole. */
const longestName = 200;

/**
 * What the visitor answered: the responses by their labels, in the order of the interactions. A label that comes again
 * gets a number, and so does one that cannot stand alone.
 */
export function collectAnswers(interactions: IDataObject[]): IDataObject {
	const answers = new Map<string, IDataObject[string]>();
	const counts = new Map<string, number>();
	for (const { label, responseText } of interactions) {
		if (!isAnswered(responseText)) continue;
		const name = toName(label);
		const standsAlone = !isReserved(name);
		let count = counts.get(name) ?? 0;
		let key: string;
		do {
			count += 1;
			key = standsAlone && count === 1 ? name : `${name} (${count})`;
		} while (answers.has(key));
		counts.set(name, count);
		answers.set(key, responseText);
	}
	return Object.fromEntries(answers);
}

/** The API documents a text. Whatever else comes is an answer too, such as the number of a rating. */
function isAnswered(response: unknown): boolean {
	if (typeof response === 'string') return response.trim() !== '';
	if (Array.isArray(response)) return response.length > 0;
	return response !== undefined && response !== null;
}

/** On one line, without what ends the text or the braces of the expression that n8n writes for a dragged field. */
function toName(label: unknown): string {
	const text = typeof label === 'string' || typeof label === 'number' ? String(label) : '';
	const line = text
		.toWellFormed()
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim()
		.replaceAll('\\', '/')
		.replace(/\{{2,}/g, '{')
		.replace(/\}{2,}/g, '}')
		// n8n refuses an expression with `.constructor` in it, even within quotes.
		.replace(/(\. ?)c(?=onstructor)/g, '$1C');
	return /[^\s\p{C}]/u.test(line) ? shorten(line, longestName) : 'No label';
}

/** A name that n8n's expressions cannot read, or a number, which objects put before other names. */
function isReserved(name: string): boolean {
	return (
		/^(?:\d+$|__|constructor)/.test(name) ||
		name in Object.prototype ||
		name === 'globalThis' ||
		!isSafeObjectProperty(name)
	);
}
