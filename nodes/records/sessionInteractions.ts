import type { IDataObject } from 'n8n-workflow';
import { path, PathSegmentError } from '../api/path';
import type { ApiRequest, ApiResponse } from '../api/request';
import { isOfService } from '../api/errors';
import { readRecord, readRecords } from '../api/response';
import { collectAnswers } from './answers';
import { sessionShape } from './audienceSession';
import { pickFields } from './shape';

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
