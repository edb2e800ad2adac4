import type { IDataObject } from 'n8n-workflow';
import { RequestFailedError } from '../api/failure';
import { path, PathSegmentError } from '../api/path';
import type { ApiRequest, ApiResponse } from '../api/request';
import { readRecord, readRecords, UnexpectedResponseError } from '../api/response';
import { sessionShape } from './audienceSession';

/** What a visitor did in a session, as the API returns it. */
export interface Interactions {
	/** Whether the service found the session, where it says so. */
	found: boolean | null;
	records: IDataObject[];
}

/** The fields that a session gets with its interactions. */
export interface SessionInteractions extends IDataObject {
	/** null when they could not be read. */
	interactions: IDataObject[] | null;
	/** null when the service did not say. */
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
 * What `interactions` adds to one session of a list. A session whose interactions cannot be read says so, instead of
 * failing the sessions around it.
 * @throws the abort's reason when the execution was cancelled
 */
export async function readSessionInteractions(
	session: IDataObject,
	send: (request: ApiRequest) => Promise<ApiResponse>,
): Promise<SessionInteractions> {
	try {
		const id = session[sessionShape.id];
		const request = requestInteractions(typeof id === 'string' ? id : '');
		const { found, records } = readInteractions(await send(request));
		return { interactions: records, interactionsFound: found };
	} catch (error) {
		return { interactions: null, interactionsFound: null, interactionsError: describe(error) };
	}
}

function describe(error: unknown): string {
	if (error instanceof RequestFailedError || error instanceof UnexpectedResponseError)
		return error.message;
	if (error instanceof PathSegmentError) return `${sessionShape.id} ${error.message}`;
	throw error;
}
