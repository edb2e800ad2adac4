import {
	type FailedAttempts,
	type FailureDetails,
	RequestFailedError,
} from '../../../nodes/api/errors.ts';
import type { SendResult } from '../../../nodes/api/causes.ts';
import { type ApiRequest, type ApiResponse, at } from '../../../nodes/api/request.ts';

export const getPersons: ApiRequest = { method: 'GET', ...at.person`/persons` };

/** A response of the service. */
export const respond = (more: Partial<ApiResponse> = {}): ApiResponse => ({
	responded: true,
	status: 200,
	headers: {},
	body: {},
	request: getPersons,
	apiKey: 'key',
	...more,
});

/** What a failed request says. */
export function explain(failed: FailedAttempts & { request: ApiRequest; outcome: SendResult }) {
	const { outcome, request } = failed;
	// The client notes with a response what it asked for.
	const result = outcome.responded ? { ...outcome, request } : outcome;
	const error = new RequestFailedError(request, result, failed);
	return { message: error.message, description: error.advise(), details: error.details };
}

/** A request that failed with these details. */
export function failure(details: Partial<FailureDetails>, message?: string) {
	const { status = 500, code } = details;
	const outcome: SendResult =
		code === undefined ? respond({ status }) : { responded: false, code, reason: 'lost' };
	const error = new RequestFailedError(getPersons, outcome, { attempts: 1, repeated: false });
	Object.assign(error.details, details);
	if (message !== undefined) error.message = message;
	return error;
}
